"""On a whole workspace nothing is merged."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.maintenance.bootstrap import apply, plan_bootstrap
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.steps.merging import merge_duplicates
from hippocampus_cli.workspace.note import Note
from tests.maintenance.steps.made import snapshot
from tests.maintenance.workspace import CLOCK, config

FIXTURE = Path(__file__).parents[3] / "fixtures" / "workspace"


def merges(notes: dict[str, str]) -> list[str]:
    files = [NoteFile(Note(path, text), CLOCK.now.date()) for path, text in notes.items()]
    settings = config(60_000, recent_days=36_500)
    whole = apply(None, plan_bootstrap(None, files, settings, CLOCK), settings, CLOCK)
    assert len(whole.entries) > 60
    return [str(action) for action in merge_duplicates(whole, snapshot(notes)).actions]


def test_nothing_of_the_example_workspace_is_merged() -> None:
    paths = [path for path in sorted(FIXTURE.rglob("*.md")) if path.is_file()]
    notes = {
        path.relative_to(FIXTURE).as_posix(): path.read_text("utf-8", "replace") for path in paths
    }
    assert merges(notes) == []
