"""Tasks as values: what is asked, on which evidence, and what an answer looks like.

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
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hippocampus_cli.errors import EntryNotFound
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.episodes import digest


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


class NothingThere(EntryNotFound):
    """What should be replaced is no place; nothing was written."""

    code = "no-place"
    exit_code = 27
    what = "nothing is replaced: {reason}"
    next = "name it as a query prints it: PATH:LINE, or the id of a belief (`hippo beliefs`)"
