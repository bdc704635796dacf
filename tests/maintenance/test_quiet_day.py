"""A daily cycle on a day on which nothing happened: the folder is scanned once, the index parsed once."""

from __future__ import annotations

import os
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace import store
from tests.support.upkept import NOW, write

NOTES = {f"notes/{n}.md": f"# {n}\n\n## A\n\nWords of {n} that say enough.\n" for n in range(9)}


@pytest.mark.parametrize("anchors", [False, True])
def test_a_quiet_day_scans_once_opens_no_note_twice_and_parses_the_index_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anchors: bool
) -> None:
    write(tmp_path, NOTES)
    for path in NOTES:
        os.utime(tmp_path / path, (1.7e9, 1.7e9))
    with Workspace(tmp_path, Config()) as ws:
        ws.bootstrap(now=NOW)
        if anchors:
            ws.anchors.build(now=NOW)
        for day in range(2):
            ws.upkeep.run("daily", now=NOW + timedelta(days=day))
        files = set(ws.store.read(archive=True).files)
    opened: Counter[str] = Counter()
    scanned: Counter[str] = Counter()
    parsed: list[str] = []

    def open_(path: str, *rest: int, open_: object = os.open, **more: object) -> int:
        opened[os.path.relpath(path, tmp_path)] += 1
        return open_(path, *rest, **more)  # type: ignore[operator, no-any-return]

    def scandir(path: str, scandir: object = os.scandir) -> object:
        scanned[os.path.relpath(path, tmp_path)] += 1
        return scandir(path)  # type: ignore[operator]

    def parse_(text: str) -> Document:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(store, "parse", parse_)
    with Workspace(tmp_path, Config()) as ws:
        outcome = ws.upkeep.run("daily", now=NOW + timedelta(days=2))
    assert not outcome.plan.changes
    assert scanned["notes"] == 1
    assert all(opened[path] <= 1 for path in NOTES)
    assert len(parsed) == len(set(parsed)) <= len(files)
