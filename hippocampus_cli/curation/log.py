"""What became of tasks: one line each time one was asked, answered, refused or left, in a file anybody can read.

Tasks themselves are never stored: they follow from the state. The file says only which of them are closed:

- *applied* and *skipped* tasks are not asked again, until their evidence is another text and they are other tasks;
- a *refused* answer is told why once; the second refusal closes the task;
- an *asked* task that nobody answered for a month is dropped.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import CURATION
from hippocampus_cli.workspace.state import IF_SENSIBLE

DAYS = 30
"""Days that are looked back on; a task nobody answered for so long is dropped."""
_REFUSALS = 2  # the reason goes back once, then the task is closed


class AnswerOutcome(NamedTuple):
    """What became of a task, ``by`` whom, on which ``day``: ``asked``, ``applied``, ``refused`` with the reason,
    ``skipped``; ``gone`` where it is not asked any more. ``did`` says what was written; of a description it is the
    summary: the entry that still says it is hippo's to change."""

    task: str
    day: str
    outcome: str
    by: str = ""
    why: str = ""
    did: str = ""


class TaskLog:
    """The lines of a workspace."""

    def __init__(self, root: Path, now: datetime) -> None:
        self.data = read_or_none(root, CURATION) or b""
        self.today = now.date()
        self.lines = [*_read(self.data)]

    def closed(self) -> frozenset[str]:
        """The tasks that are not asked again: answered, skipped, refused twice, or asked for too long."""
        first = (self.today - timedelta(days=DAYS)).isoformat()
        refused = Counter(line.task for line in self.lines if line.outcome == "refused")
        done = {line.task for line in self.lines if line.outcome in ("applied", "skipped")}
        old = {line.task for line in self.lines if line.outcome == "asked" and line.day < first}
        return frozenset(done | old | {task for task, n in refused.items() if n >= _REFUSALS})

    def reasons(self) -> Mapping[str, str]:
        """Why the last answer to a task was refused."""
        return {line.task: line.why for line in self.lines if line.outcome == "refused"}

    def asked(self, tasks: Iterable[str]) -> bytes:
        """The file with these tasks as asked today, each once."""
        known = {line.task for line in self.lines if line.outcome == "asked"}
        day = self.today.isoformat()
        return self.with_lines(
            AnswerOutcome(task, day, "asked") for task in tasks if task not in known
        )

    def with_lines(self, lines: Iterable[AnswerOutcome]) -> bytes:
        """The file with more lines, without what is empty in them."""
        rows = ({name: text for name, text in line._asdict().items() if text} for line in lines)
        more = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
        return self.data + more.encode("utf-8", "backslashreplace")


def _read(data: bytes) -> Iterator[AnswerOutcome]:
    """The lines of the file; what is none is skipped."""
    for row in data.splitlines():
        with IF_SENSIBLE:
            fields = json.loads(row.replace(b'"wrote"', b'"did"'))
            yield AnswerOutcome(**{name: str(text) for name, text in fields.items()})
