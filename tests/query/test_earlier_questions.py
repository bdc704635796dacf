"""What answered such questions before comes first where several places match; never elsewhere (INDEX §6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace, open_workspace
from tests.support.upkept import NOW, write

SUBJECTS = ("kelpie", "gannet", "heron", "bittern")
NOTES = {
    f"projects/{name}.md": (
        f"# {name.title()}\n\n## Deploy\n\nThe {name} goes out by make {name}-release on Tuesdays.\n\n"
        f"## Stack\n\nThe {name} runs on Postgres and is looked after by team {name}.\n"
    )
    for name in SUBJECTS
}


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    write(tmp_path, NOTES)
    with open_workspace(tmp_path) as opened:
        opened.bootstrap(now=NOW)
        yield opened


def first(ws: Workspace, text: str, mode: str = "hybrid") -> str:
    return ws.query(text, mode=mode, write=False, now=NOW + timedelta(days=3)).results[0].path


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_place_that_was_asked_for_before_comes_first(ws: Workspace, name: str) -> None:
    before = first(ws, "deploy")
    for day in range(3):
        ws.query(f"how do we deploy {name}", now=NOW + timedelta(days=day))
    assert first(ws, "deploy") == f"projects/{name}.md"
    assert first(ws, "deploy", "search") == before
    for other in SUBJECTS:
        assert first(ws, f"deploy {other}") == f"projects/{other}.md"
        assert first(ws, f"who looks after {other}") == f"projects/{other}.md"


def test_what_was_asked_long_ago_no_longer_counts(ws: Workspace) -> None:
    before = first(ws, "deploy")
    for day in (100, 101, 102):
        ws.query("how do we deploy heron", now=NOW - timedelta(days=day))
    assert first(ws, "deploy") == before


@pytest.mark.parametrize(
    "damage", [b"", b"\0\xff\n", b"[]\n{}\n", b'{"query": "deploy"', b"{" * 5000]
)
def test_a_damaged_journal_is_none(ws: Workspace, damage: bytes) -> None:
    ws.query("how do we deploy heron", now=NOW)
    (path,) = (ws.root / ".hippocampus/journal").glob("*.jsonl")
    path.unlink()
    without = first(ws, "deploy")
    path.write_bytes(damage)
    assert first(ws, "deploy") == without


def test_a_journal_that_leads_outside_is_not_read(ws: Workspace, tmp_path: Path) -> None:
    journal = ws.root / ".hippocampus/journal"
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    for day in range(3):
        ws.query("what does team gannet look after", now=NOW + timedelta(days=day))
    journal.rename(outside)
    without = first(ws, "team")
    journal.symlink_to(outside)
    assert first(ws, "team") == without


def test_words_in_other_scripts_are_met_as_the_journal_writes_them(ws: Workspace) -> None:
    write(ws.root, {"a.md": "# 甲\n\n部署命令是甲。\n", "b.md": "# 乙\n\n部署命令是乙。\n"}, NOW)
    ws.upkeep.run("daily", now=NOW)
    for name in ("甲", "乙"):
        for day in range(6 if name == "乙" else 3):
            ws.query(f"部署命令 {name}", now=NOW + timedelta(days=day))
    assert first(ws, "部署命令") == "b.md"


@pytest.mark.parametrize("words", ["Ersatzschlüssel Büro", "ЗАПАСНОЙ Ключ", "clé réserve"])
def test_so_are_words_with_accents_and_capitals(ws: Workspace, words: str) -> None:
    text = "# {0}\n\n" + words + " {0}.\n"
    write(ws.root, {"a.md": text.format("anna"), "b.md": text.format("berta")}, NOW)
    ws.upkeep.run("daily", now=NOW)
    for day in range(6):
        ws.query(f"{words} berta", now=NOW + timedelta(days=day))
    assert first(ws, words) == "b.md"
