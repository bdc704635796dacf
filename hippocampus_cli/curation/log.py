"""What became of tasks: one line each time one was asked, answered, refused or left, in a file anybody can read.

Tasks themselves are never stored: they follow from the state. The file says only which of them are closed:

- *applied* and *skipped* tasks are not asked again, until their evidence is another text and they are other tasks;
- a *refused* answer is told why once; the second refusal closes the task;
- an *asked* task that nobody answered for a month is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import CURATION
from hippocampus_cli.workspace.state import rows

DAYS = 30
"""Days that are looked back on; a task nobody answered for so long is dropped."""


class AnswerOutcome(NamedTuple):
    """What became of a task, ``by`` whom, on which ``day``: ``asked``, ``applied``, ``refused`` with the reason,
    ``skipped``; ``gone`` where it is not asked any more. ``did`` says what was written."""

    task: str
    day: str
    outcome: str
    by: str = ""
    why: str = ""
    did: str = ""


class TaskLog:
    """The lines of a workspace. ``reasons`` are why the last answer to a task was refused; tasks that are ``closed``
    are not asked again: answered, skipped, refused twice, or asked for too long."""

    def __init__(self, root: Path, now: datetime) -> None:
        self.data = read_or_none(root, CURATION) or b""
        self.lines = [*rows(self.data.splitlines(), _outcome)]
        self.reasons: dict[str, str] = {}
        self.closed: set[str] = set()
        first = str((now - timedelta(days=DAYS)).date())
        for task, day, outcome, _, why, _ in self.lines:
            if outcome == "refused":
                if task in self.reasons:
                    self.closed.add(task)
                self.reasons[task] = why
            elif outcome != "asked" or day < first:
                self.closed.add(task)

    def with_lines(self, lines: Iterable[AnswerOutcome]) -> bytes:
        """The file with more lines, without what is empty in them."""
        rows = ({name: text for name, text in line._asdict().items() if text} for line in lines)
        more = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        return self.data + more.encode("utf-8", "backslashreplace")


def _outcome(row: Mapping[str, object]) -> AnswerOutcome:
    """A line of the file."""
    return AnswerOutcome(**{name: str(text) for name, text in row.items()})
