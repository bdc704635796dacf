"""Tasks as values: what is asked, on which evidence, what an answer looks like; and what became of them.

The kinds:

- *describe*: a section has no description by somebody who read it. The answer is a summary and phrases by which
  others would ask for it: this is how the index answers what the words of the notes do not.
- *state*: lines of a user in a session or a log may hold beyond the day. The answer quotes those that do, with what
  they speak of; they become beliefs.
- *conflict*: two beliefs of one address have other values. The answer names those that hold now and those that are
  outdated.
- *restate*: a belief was retrieved since it was last looked at. The answer is one sentence.
- *merge*: two entries have the same words as topics. The answer says whether they speak of the same.
- *promote*: a section of a daily log was asked for on several days.
  The answer is the line that MEMORY.md should have.
- *compare*: several places answered a question. The answer names those that do so now and those that are outdated.
  Most of them just speak of several things, so these tasks come last, and only of the questions asked last.
- *topic*: entries of new notes share a word that no other has. The answer is a title, which becomes a tag of theirs.

Tasks themselves are never stored: they follow from the state. A file that anybody can read has a line each time that
one was asked, answered, refused or left, and says which of them are closed:

- *applied* and *skipped* tasks are not asked again, until their evidence is another text and they are other tasks;
- a *refused* answer is told why once; the second refusal closes the task;
- an *asked* task that nobody answered for a month is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import EntryNotFound
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.episodes import digest
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.own_files import CURATION, PRIVATE
from hippocampus_cli.workspace.state import encoded, rows

DAYS = 30
"""Days that are looked back on; a task nobody answered for so long is dropped."""


class EvidencePlace(NamedTuple):
    """One quoted place: ``path:line`` or an id, its day and whose words it has."""

    place: str
    date: str
    origin: str
    text: str


class Task(NamedTuple):
    """One task. ``target`` is what it is about, so that it can be asked again: a pointer, a session, a belief;
    ``question`` is what is asked, ``answer`` the JSON schema of its answer."""

    kind: str
    target: str
    evidence: tuple[EvidencePlace, ...]
    question: str
    answer: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its kind, its target and a hash of its evidence: another text is another task, another order is not."""
        told = "\n".join(sorted(f"{part.place} {part.text}" for part in self.evidence))
        return f"{self.kind}:{self.target}:{digest(told)[:8]}"


class AnswerRefused(Exception):
    """An answer that is not applied; the message says why."""


class NothingThere(EntryNotFound, AnswerRefused):
    """What should be outdated or replaced is no place; nothing was written."""

    code = "no-place"
    exit_code = 27
    what = "no line of text stands at {place}"
    next = "name it as a query prints it: PATH:LINE, or the id of a belief (`hippo beliefs`)"


class PlaceIsPrivate(NothingThere):
    """It stands in the private tier, a workspace of its own."""

    what = f"{{place}} is in the private tier: add --workspace {PRIVATE}"
    next = "name it as a query there prints it: PATH:LINE"


class PlaceIsTable(NothingThere):
    """A heading over a table alone: no row of it is meant more than another."""

    what = "there is a table alone at {place}: name a row of the table"


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
    are not asked again: answered, skipped, refused twice, or ``asked`` for too long."""

    def __init__(self, root: Path, now: datetime) -> None:
        self.data = read_or_none(root, CURATION)
        self.reasons: dict[str, str] = {}
        self.asked, self.closed = set[str](), set[str]()
        first = str((now - timedelta(days=DAYS)).date())
        lines = (self.data or b"").splitlines()
        for task, day, outcome, _, why, _ in rows(
            lines, lambda row: [*map(str, AnswerOutcome(**row))]
        ):
            if outcome == "refused" and task not in self.reasons:
                self.reasons[task] = why
            elif outcome == "asked" and day >= first:
                self.asked.add(task)
            else:
                self.closed.add(task)

    def with_lines(self, lines: Iterable[AnswerOutcome]) -> bytes:
        """The file with more lines; what is gone has none."""
        rows = (encoded(line._asdict()) for line in lines if line.outcome != "gone")
        return b"".join((self.data or b"", *rows))
