"""On a whole workspace, and on a year of alike days, nothing is merged that is not the same."""

from __future__ import annotations

from datetime import date, timedelta
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


def test_days_that_are_all_alike_stay_days() -> None:
    def day(at: int) -> str:
        said = f"Hey {'John' if at % 2 else 'Tim'}! Long time no see, so good to hear from you again at last!"
        texts = {
            "Standup": f"Grace ships release 4.{at % 7} of Kelpie to bittern and checks the alarms.",
            "Heartbeat": f"All queues were empty, {'no' if at % 3 else 'two'} alarms in the night.",
            "The usual talk with the agents": said,
        }
        own = "".join(
            chr(97 + int(digit)) for digit in f"{at:05}"
        )  # or bootstrap takes one of them
        return "\n".join(
            f"## {title}\n\n{text}\n\nIt was {own}, {own[::-1]} perhaps.\n"
            for title, text in texts.items()
        )

    first = date(2025, 12, 1)
    notes = {f"memory/{first + timedelta(days=at)}.md": day(at) for at in range(60)}
    assert merges(notes) == []
