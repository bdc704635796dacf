"""Folders and texts that mean harm, or are merely odd (decision D19)."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import OutsideWorkspace
from tests.support.anchor_notes import FILLER, exported, places_of, write
from tests.support.command_line import Hippo
from tests.support.processes import hippo as process

HOSTILE = (
    f"# Red \x1b[31malert\x07\n\n**evil \x1b]0;owned\x07 bold** at \x9b31m noon \u202e.\n{FILLER}\n"
)
CONTROLS = {0x1B, 0x07, 0x9B, 0x202E}
no_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")


def test_escape_sequences_reach_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    write(tmp_path, {"MEMORY.md": HOSTILE, "b.md": HOSTILE})
    monkeypatch.chdir(tmp_path)
    for words in (
        ("build",),
        ("build", "--json"),
        ("lookup", "evil alert"),
        ("lookup", "evil alert", "--json"),
        ("lookup", "evil", "--project", "\x1b[31m"),
        ("lookup", "\x1b[31m"),
    ):
        printed = "".join(hippo("anchors", *words, code=None))
        assert "Traceback" not in printed
        assert not CONTROLS & set(map(ord, printed)), words
    hippo("anchors", "lookup", "evil alert")


@no_links
def test_links_and_ignored_notes_are_not_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "ws", tmp_path / "secret.md"
    outside.write_text(f"# Zeppelin\n\nThe zeppelin zeppelin.\n{FILLER}\n")
    notes = {"a.md": "# A\n\nzeppelin\n", ".gitignore": "hidden/\n"}
    write(root, {**notes, "hidden/b.md": outside.read_text()})
    (root / "link.md").symlink_to(outside)
    assert places_of(root, "zeppelin") == ["a.md:1"]
    assert b"link.md" not in exported(root)["hippocampus-index.json"]


@no_links
@pytest.mark.parametrize("place", [".hippocampus", ".hippocampus/anchors"])
def test_own_folders_that_lead_outside_are_refused(place: str, tmp_path: Path) -> None:
    root, outside = write(tmp_path / "ws"), tmp_path / "outside"
    outside.mkdir()
    (root / place).parent.mkdir(exist_ok=True)
    (root / place).symlink_to(outside, target_is_directory=True)
    with Workspace(root, Config()) as workspace, pytest.raises(OutsideWorkspace):
        workspace.anchors.build()
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe# U\0T\0F\0",
        b"\0\1\2",
        b"# \xff\xfe bad\n\n**b\xc3**\n",
        b"#\r\n\r\r## A\r\n",
        b"\xef\xbb\xbf# Bom\n",
        b"```\n" * 999,
        b"**" * 20_000,
        b"# " + b"A b " * 20_000,
        b"<!--" * 9_999,
        b"A" * 200_000,
        b"[" * 9_999,
    ],
)
def test_odd_notes_are_looked_up_and_exported(data: bytes, tmp_path: Path) -> None:
    root = write(tmp_path)
    (root / "odd.md").write_bytes(data)
    assert places_of(root, "label printer")[0] == "TOOLS.md:8"
    assert json.loads(exported(root)["hippocampus-index.json"])


@pytest.mark.skipif(sys.platform != "linux", reason="names of any bytes")
def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    root = write(tmp_path)
    raw = os.fsencode(root) + b"/\xff\xfe.md"
    Path(os.fsdecode(raw)).write_text(f"# Zeppelin\n\nThe zeppelin.\n{FILLER}\n")
    assert places_of(root, "zeppelin") == ["\udcff\udcfe.md:1"]
    lists = json.loads(exported(root)["hippocampus-index.json"])
    assert lists["zeppelin"][0]["path"] == "\udcff\udcfe.md"
    done = process(root, "anchors", "lookup", "zeppelin", "--json")
    assert json.loads(done.stdout)["hits"]


@pytest.mark.parametrize("words", [(b"label \xff\xfe printer",), (b"label printer " * 9_000,)])
def test_odd_messages(words: tuple[bytes], tmp_path: Path) -> None:
    done = process(write(tmp_path), "anchors", "lookup", *words, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["hits"][0]["path"] == "TOOLS.md"


def test_a_pattern_that_is_none(tmp_path: Path) -> None:
    done = process(write(tmp_path), "anchors", "lookup", "printer", HIPPO_ANCHORS_ALLOW="[z-a]")
    assert b"Traceback" not in done.stderr
    assert done.returncode in (1, 2)


WORDS = st.sampled_from(
    [
        *(
            "walrus",
            "**canary cage**",
            "Torunn Hagen",
            "ledger",
            "## Label printer\n",
            "# 部署流程\n",
        ),
        *("probe", "```\ncode\n```\n", "\n", "the", "ESP32", "- item: x\n", "\x1b[31m", "a\ud800b"),
    ]
)
TEXTS = st.lists(WORDS, max_size=25).map(" ".join)
PATHS = st.sampled_from(["a.md", "projects/kelpie/P.md", "memory/2026-07-01.md", "c\udcff.md"])
NOTES = st.dictionaries(PATHS, TEXTS, max_size=4)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NOTES, NOTES, TEXTS.filter(str.strip))
def test_what_is_shown_stands_in_the_notes_as_they_are_now(
    before: dict[str, str], after: dict[str, str], message: str
) -> None:
    """Whatever changed since the last lookup; and an export of a store that has lived is that of a fresh one."""
    with tempfile.TemporaryDirectory() as lived, tempfile.TemporaryDirectory() as fresh:
        for root, notes in ((lived, before), (lived, after), (fresh, {**before, **after})):
            for path, text in notes.items():
                (Path(root) / path).parent.mkdir(parents=True, exist_ok=True)
                (Path(root) / path).write_bytes(text.encode("utf-8", "surrogatepass"))
            with Workspace(Path(root), Config()) as workspace:
                hits = workspace.anchors.lookup(message, project="kelpie").hits
            for hit in hits:
                lines = (Path(root) / hit.path).read_bytes().decode("utf-8", "surrogateescape")
                shown = "".join(hit.preview.rstrip("…").split())
                assert shown in "".join(lines.split()) and 0 < hit.score < 1
        lists = [exported(Path(root))["hippocampus-index.json"] for root in (lived, fresh)]
        assert lists[0] == lists[1]
