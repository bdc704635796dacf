"""The files of the anchors, which other programs read."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.anchors import export
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config, load
from hippocampus_cli.errors import Busy, FileUnwritable
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX, ANCHOR_META, ANCHORS_LOCK
from tests.support.anchor_notes import (
    LATER,
    NOTES,
    NOW,
    configured,
    exported,
    files_of,
    hits_of,
    write,
)

INDEX, META = "hippocampus-index.json", "hippocampus-meta.json"


def lists_of(files: dict[str, bytes]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(files[INDEX])
    return found


def test_the_index_is_what_the_specification_says(tmp_path: Path) -> None:
    files = exported(write(tmp_path))
    assert list(files) == [INDEX, META]
    lists = lists_of(files)
    assert list(lists) == sorted(lists)
    keys = ["path", "line", "end_line", "score", "source", "preview"]
    for text, entries in lists.items():
        assert 0 < len(entries) <= 20 and all(list(entry) == keys for entry in entries), text
        scores = [entry["score"] for entry in entries]
        assert scores == sorted(scores, reverse=True) and all(0 < score <= 1 for score in scores)
    meta = json.loads(files[META])
    assert meta["built_at"] == NOW.isoformat() and meta["embedder"] == "none"
    assert (meta["n_files"], meta["n_anchors"]) == (len(NOTES), len(lists))
    assert meta["multi_word_anchors"] == sum(" " in text for text in lists)
    assert meta["index_sha256"] == hashlib.sha256(files[INDEX]).hexdigest()
    assert meta["embeds_sha256"] is None
    lines = sum(len(entries) + 2 for entries in lists.values()) + 2
    assert files[INDEX].count(b"\n") == lines  # an entry a line
    ignored = (tmp_path / ".hippocampus/.gitignore").read_text().splitlines()
    assert "anchors/" in ignored


def test_a_list_is_what_a_lookup_of_the_anchor_begins_with(tmp_path: Path) -> None:
    lists = lists_of(exported(write(tmp_path)))
    for text in ("label printer", "kelpie", "canary", "torunn"):
        hit = hits_of(tmp_path, text)[0]
        assert {"path": hit.path, "line": hit.start_line}.items() <= lists[text][0].items()
    assert [entry["line"] for entry in lists["label printer"]] == [8]


def test_two_exports_of_the_same_notes_are_one_but_for_the_time(tmp_path: Path) -> None:
    once = exported(write(tmp_path))
    with Workspace(tmp_path, Config()) as workspace:
        assert not workspace.at(LATER).anchors.build().changed
    again = files_of(tmp_path)
    assert again[INDEX] == once[INDEX] and again[META] != once[META]


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path)
    with Workspace(tmp_path, Config()) as workspace:
        assert workspace.anchors.build(check=True).changed
        assert not (tmp_path / ANCHOR_INDEX).exists()
        workspace.at(NOW).anchors.build()
        once = files_of(tmp_path)
        assert not workspace.anchors.build(check=True).changed
        (tmp_path / "TOOLS.md").write_text("# Other\n\nSomething else.\n")
        assert workspace.anchors.build(check=True).changed
    assert files_of(tmp_path) == once


def test_progress_is_told(tmp_path: Path) -> None:
    write(tmp_path, {f"{n}.md": f"# Topic{n} alpha\n\n## Other{n} beta\n" for n in range(60)})
    steps: list[tuple[int, int]] = []
    with Workspace(tmp_path, Config()) as workspace:
        workspace.library.refresh()  # which tells how many notes are read
        workspace.progress = lambda done, total: steps.append((done, total))
        workspace.anchors.build()
    assert len(steps) > 1 and steps == sorted(steps)
    assert all(done <= total for done, total in steps)


def test_an_empty_workspace_has_no_anchors(tmp_path: Path) -> None:
    assert lists_of(exported(tmp_path)) == {}


def test_settings_bound_it(tmp_path: Path) -> None:
    write(tmp_path)
    lists = lists_of(exported(tmp_path, 'deny = ["Label Printers"]\nsources = ["/*.md"]', k=1))
    assert "label printer" not in lists and "tools" in lists
    assert {entry["path"] for entries in lists.values() for entry in entries} == {"TOOLS.md"}
    assert {len(entries) for entries in lists.values()} == {1}
    assert len(lists_of(exported(tmp_path, max_anchors=5))) <= 5


def test_topics_and_tags_of_the_index_are_anchors(tmp_path: Path) -> None:
    entry = (
        "# HIPPOCAMPUS.md\n\n## Ocean chemistry\n→ projects/kelpie/PROJECT.md §Sensors\n"
        "<!-- hx: id=x | tags=membrane-oxygen -->\n"
    )
    files = exported(write(tmp_path, {**NOTES, "HIPPOCAMPUS.md": entry}))
    assert "ocean chemistry" not in lists_of(files)  # no note says it
    assert "membrane-oxygen" in lists_of(files)
    write(tmp_path, {"sea.md": "# Sea\n\nThe ocean has a chemistry.\n"})
    assert "ocean chemistry" in lists_of(exported(tmp_path))


def test_vectors_are_those_of_the_passages(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy", reason="numpy is not installed")
    from tests.support.concepts import Concepts

    config = configured()
    config = config.replaced(embedding=config.embedding._replace(embedder="use-multilingual"))
    embedder = Concepts()
    with Workspace(write(tmp_path), config, opener=lambda _: embedder) as workspace:
        assert workspace.at(NOW).anchors.build().embedder == "none"  # no passage has one yet
        workspace.upkeep.embed()
        asked = len(embedder.asked)
        assert workspace.at(NOW).anchors.build().embedder == "concepts-1"
        assert not workspace.at(NOW).anchors.build().changed
        assert len(embedder.asked) == asked
    files = files_of(tmp_path)
    with np.load(io.BytesIO(files["hippocampus-embeds.npz"]), allow_pickle=False) as arrays:
        texts, rows = list(arrays["anchor_texts"]), arrays["anchor_embeds"]
    assert texts == list(lists_of(files)) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-3)
    printer = embedder.embed(["the label printer hates humid days"])[0]
    best = texts[int(np.argmax(rows @ printer))]
    assert any(entry["line"] == 8 for entry in lists_of(files)[best])
    exported(tmp_path)  # without an embedder
    assert list(files_of(tmp_path)) == [INDEX, META]


@pytest.mark.parametrize("point", range(2))
def test_a_kill_between_the_files_shows_by_their_hashes(
    point: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported(write(tmp_path))
    (tmp_path / "new.md").write_text("# Zeppelin\n\nThe zeppelin hangar.\n")
    written: list[str] = []

    def replace_bytes(path: Path, data: bytes, name: str, real: Any = export.replace_bytes) -> None:
        if len(written) == point:
            raise FileUnwritable(path=name, reason="No space left on device")
        written.append(name)
        real(path, data, name)

    with Workspace(tmp_path, Config()) as workspace:
        with monkeypatch.context() as patched, pytest.raises(FileUnwritable):
            patched.setattr(export, "replace_bytes", replace_bytes)
            workspace.at(LATER).anchors.build()
        files = files_of(tmp_path)
        whole = hashlib.sha256(files[INDEX]).hexdigest() == json.loads(files[META])["index_sha256"]
        assert whole == (point == 0)
        assert workspace.anchors.build(check=True).changed
        assert workspace.at(LATER).anchors.build().changed


def test_somebody_else_is_writing(tmp_path: Path) -> None:
    config = load("[lock]\ntimeout_seconds = 0.05\n", {})
    with Workspace(write(tmp_path), config) as workspace, locked(tmp_path, 1.0, ANCHORS_LOCK):
        with pytest.raises(Busy):
            workspace.anchors.build()
        assert workspace.anchors.lookup("label printer").hits


def test_the_weekly_cycle_exports_again_what_somebody_has_exported(tmp_path: Path) -> None:
    with Workspace(write(tmp_path), Config()) as workspace:
        workspace.at(NOW).bootstrap()
        workspace.at(NOW).upkeep.run("weekly")
        assert not (tmp_path / ANCHOR_INDEX).exists()
        workspace.at(NOW).anchors.build()
        (tmp_path / "new.md").write_text("# Zeppelin\n\nThe zeppelin hangar.\n")
        workspace.at(NOW).remember("The zeppelin is afloat.")
        assert "zeppelin" not in lists_of(files_of(tmp_path))
        (tmp_path / ANCHOR_META).write_bytes(b"{")
        workspace.at(LATER).upkeep.run("weekly")
    assert "zeppelin" in lists_of(files_of(tmp_path))
    assert json.loads(files_of(tmp_path)[META])["built_at"] == LATER.isoformat()
