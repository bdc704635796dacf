"""A memory as one file: the same bytes for the same memory, verified, gated, never overwriting."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli import open_workspace
from hippocampus_cli.errors import ExtraMissing, FileUnreadable, HippoError, OutsideWorkspace
from hippocampus_cli.mind.beliefs import BeliefStore
from hippocampus_cli.mind.episodes import EpisodeStore, digest
from hippocampus_cli.mind.errors import PackageInvalid, PlaceUnfit
from hippocampus_cli.mind.gate import RULES
from hippocampus_cli.mind.keep import Keeper
from hippocampus_cli.mind.package import own_paths, pack, unpack

NOW = datetime(2026, 8, 5, 14, 30, tzinfo=UTC)


def memory(root: Path) -> Path:
    root.mkdir()
    (root / "MEMORY.md").write_text("# Memory\n\nThe port is 5432.\n")
    Keeper(root, NOW, 5).believe("I prefer trains over planes.")
    return root


def empty(root: Path) -> Path:
    root.mkdir()
    (root / "USER.md").write_text("# User\n")
    return root


def test_what_was_exported_is_imported(tmp_path: Path) -> None:
    source, target = memory(tmp_path / "a"), empty(tmp_path / "b")
    file = tmp_path / "m.zip"
    with open_workspace(source) as ws:
        done = ws.packages.export(file)
        for place in (file, tmp_path / "none" / "m.zip"):
            with pytest.raises(PlaceUnfit) as raised:
                ws.packages.export(place)
            assert raised.value.advice.startswith(("name another file", "create the folder"))
    assert done.head == EpisodeStore(source).head()
    with open_workspace(target) as ws:
        plan = ws.packages.import_file(file, dry_run=True)
        assert not (target / "MEMORY.md").exists()
        assert ws.packages.import_file(file).parts == plan.parts
        again = ws.packages.import_file(file)
    changed = {one.path for one in again.parts if one.what == "differs"}
    assert changed <= {".hippocampus/mind/beliefs.md"}  # their trust was lowered
    assert (target / "MEMORY.md").read_text() == (source / "MEMORY.md").read_text()
    assert not [*EpisodeStore(target).verify()]
    assert [one.origin for one in BeliefStore(target, 5).all()] == ["import"]
    own = empty(tmp_path / "c")
    with open_workspace(own) as ws:
        ws.packages.import_file(file, own=True)
    assert [one.origin for one in BeliefStore(own, 5).all()] == ["user"]


def test_what_instructs_an_agent_comes_only_when_named_and_episodes_are_lowered(
    tmp_path: Path,
) -> None:
    source, target = memory(tmp_path / "a"), empty(tmp_path / "b")
    (source / "AGENTS.md").write_text("# Agents\n\nObey.\n")
    with open_workspace(source) as ws:
        ws.packages.export(tmp_path / "m.zip")
    with open_workspace(target) as ws:
        done = ws.packages.import_file(tmp_path / "m.zip")
        assert [part.what for part in done.parts if part.path == "AGENTS.md"] == ["refused"]
        assert not (target / "AGENTS.md").exists()
        [episode] = ws.mind.episodes()
        assert {said.origin for said in ws.mind.statements(episode.id)} == {"import"}
        ws.packages.import_file(tmp_path / "m.zip", named=["AGENTS.md"])
    assert (target / "AGENTS.md").exists()


def test_nothing_is_overwritten_and_two_chains_are_not_one(tmp_path: Path) -> None:
    source, target = memory(tmp_path / "a"), empty(tmp_path / "b")
    (target / "MEMORY.md").write_text("# Mine\n")
    Keeper(target, NOW, 5).believe("I like tea.")
    before = {path: path.read_bytes() for path in target.rglob("*.md")}
    with open_workspace(source) as ws:
        ws.packages.export(tmp_path / "m.zip")
    with open_workspace(target) as ws:
        done = ws.packages.import_file(tmp_path / "m.zip")
    assert {one.what for one in done.parts} <= {"differs", "refused", "same"}
    assert {path: path.read_bytes() for path in target.rglob("*.md")} == before
    assert not [*EpisodeStore(target).verify()]


@given(st.data())
def test_a_changed_byte_is_no_package_or_the_same_one(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    root = memory(tmp_path_factory.mktemp("w") / "a")
    held = bytearray(pack(root, ["MEMORY.md", *own_paths(root)], "0.1.0"))
    whole = unpack(bytes(held))
    at = data.draw(st.integers(0, len(held) - 1))
    held[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = unpack(bytes(held))
    except PackageInvalid:
        return
    assert (found.files, found.head) == (whole.files, whole.head)


def packed(files: dict[str, bytes]) -> bytes:
    """A package of somebody who means harm, with hashes that fit."""
    manifest = {
        "format": 1,
        "hippo": "0",
        "files": {path: digest(data) for path, data in files.items()},
        "head": "0" * 64,
        "episodes": 0,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("after/manifest.json", json.dumps(manifest))
        for path, data in files.items():
            archive.writestr(f"after/{path}", data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "path",
    ["../x.md", "/etc/x", "a/../../x", ".git/hooks/pre-commit", ".hippocampus/config.toml",
     ".hippocampus/mind/refusals.yaml", "a//b", "~/x", "C:\\x", "link/x.md", ""],
)  # fmt: skip
def test_a_package_writes_nowhere_else(tmp_path: Path, path: str) -> None:
    target = empty(tmp_path / "b")
    (tmp_path / "out").mkdir()
    (target / "link").symlink_to(tmp_path / "out")
    (tmp_path / "m.zip").write_bytes(packed({"ok.md": b"fine\n", path: b"x"}))
    with open_workspace(target) as ws, pytest.raises(OutsideWorkspace):
        ws.packages.import_file(tmp_path / "m.zip")
    assert not (target / "ok.md").exists()
    assert list((tmp_path / "out").iterdir()) == []


def test_the_gate_stands_before_an_import(tmp_path: Path) -> None:
    target = empty(tmp_path / "b")
    bad = {".hippocampus/mind/beliefs.md": b"# Beliefs\n\nI want to kill myself.\n"}
    (tmp_path / "m.zip").write_bytes(packed(bad))
    with open_workspace(target) as ws:
        done = ws.packages.import_file(tmp_path / "m.zip")
    assert [(one.what, one.why) for one in done.parts] == [("refused", "crisis")]
    assert not (target / ".hippocampus/mind/beliefs.md").exists()


def refusing(root: Path, words: str) -> Path:
    """A workspace whose operator wants nothing of ``words``."""
    rules = root / RULES
    rules.parent.mkdir(parents=True)
    rules.write_text(f"project-x: [{words}]\n")
    return root


def test_a_text_that_is_refused_is_redacted_and_the_chain_holds(tmp_path: Path) -> None:
    source, target = memory(tmp_path / "a"), refusing(empty(tmp_path / "b"), "Xanadu")
    Keeper(source, NOW, 5).note("Xanadu ships in May.", "settled")
    with open_workspace(source) as ws:
        ws.packages.export(tmp_path / "m.zip")
    first, second = EpisodeStore(source).all()
    with open_workspace(target) as ws:
        plan = ws.packages.import_file(tmp_path / "m.zip", dry_run=True)
        done = ws.at(NOW).packages.import_file(tmp_path / "m.zip")
        refused = [(one.path, one.why) for one in done.parts if one.what == "refused"]
        assert refused == [(second.text_path, "project-x")]
        assert done.parts == plan.parts
        assert ws.mind.diagnostics() == []
        assert ws.mind.statements(first.id)[0].text == "I prefer trains over planes."
        assert ws.mind.statements(second.id) == ()
        assert ws.at(NOW).mind.believe("I like tea.").added == ("i-like-tea",)
        assert ws.mind.diagnostics() == []
    held = "".join(one.read_text() for one in target.rglob("ep-*.md"))
    assert "Xanadu" not in held


def test_where_a_record_is_refused_no_episode_comes(tmp_path: Path) -> None:
    source, target = memory(tmp_path / "a"), refusing(empty(tmp_path / "b"), "xanadu")
    Keeper(source, NOW, 5).note("It ships in May.", "xanadu")
    with open_workspace(source) as ws:
        ws.packages.export(tmp_path / "m.zip")
    with open_workspace(target) as ws:
        done = ws.packages.import_file(tmp_path / "m.zip")
        assert {one.why for one in done.parts if one.what == "refused"} == {"project-x"}
        assert ws.mind.diagnostics() == []
        assert ws.mind.episodes() == []
    assert (target / "MEMORY.md").exists()


@given(st.binary(max_size=300))
def test_any_bytes_are_a_package_or_an_error(data: bytes) -> None:
    with pytest.raises(HippoError):
        unpack(data)


def test_a_signature(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    source, target = memory(tmp_path / "a"), empty(tmp_path / "b")
    file = tmp_path / "m.zip"
    with open_workspace(source) as ws:
        done = ws.packages.export(file, key_file=tmp_path / "key")
        other = ws.packages.export(tmp_path / "o.zip", key_file=tmp_path / "other")
        (tmp_path / "short").write_bytes(b"x")
        with pytest.raises(FileUnreadable, match="no key"):
            ws.packages.export(tmp_path / "x.zip", key_file=tmp_path / "short")
    with open_workspace(target) as ws:
        with pytest.raises(PackageInvalid):
            ws.packages.import_file(file, signed_by=other.signed)
        found = ws.packages.import_file(file, signed_by=done.signed)
    assert found.signed == done.signed
    assert [one.origin for one in BeliefStore(target, 5).all()] == ["user"]


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = memory(tmp_path / "a")
    for name in [one for one in sys.modules if one.partition(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with open_workspace(root) as ws:
        ws.packages.export(tmp_path / "m.zip")
        with pytest.raises(ExtraMissing):
            ws.packages.export(tmp_path / "s.zip", key_file=tmp_path / "key")
        assert not (tmp_path / "key").exists()
