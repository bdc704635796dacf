"""Questions with their right places: ``queries.toml`` beside a workspace."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.sections import find_section


@dataclass(frozen=True, slots=True)
class Gold:
    """A right place: lines of a file, 1-based and inclusive, subsections included."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question. Any gold place answers it; kind ``multi`` needs all of them, ``absent`` has none."""

    id: str
    text: str
    kind: str
    gold: tuple[Gold, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """Lines of a file that a method returned."""

    path: str
    start: int
    end: int


def load_questions(file: Path, read: Callable[[str], Note]) -> list[Question]:
    """The questions of ``file``. Raises :class:`FileUnreadable` where a gold place does not exist."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["query"]
    return [
        Question(
            row["id"],
            row["text"],
            row["kind"],
            tuple(_gold(g, row["id"], read) for g in row["gold"]),
        )
        for row in rows
    ]


def _gold(row: dict[str, str], query: str, read: Callable[[str], Note]) -> Gold:
    note = read(row["path"])
    if "section" not in row:
        lead = [section for section in note.sections if section.level == 0]
        whole = Gold(row["path"], 1, len(note.lines))
        return (
            Gold(row["path"], lead[0].start, lead[0].end)
            if lead and len(note.sections) > 1
            else whole
        )
    found = find_section(note.sections, row["section"])
    if found is None:
        raise FileUnreadable(path=row["path"], reason=f"{query}: no section {row['section']!r}")
    return Gold(row["path"], found.section.start, found.section.tree_end)


def answered(question: Question, returned: Sequence[Returned]) -> bool:
    """Whether the places returned answer the question."""
    met = [any(_meets(one, gold) for one in returned) for gold in question.gold]
    return all(met) if question.kind == "multi" else any(met)


def touches(question: Question, returned: Sequence[Returned]) -> bool:
    """Whether any right place is among those returned."""
    return any(_meets(one, gold) for one in returned for gold in question.gold)


def _meets(one: Returned, gold: Gold) -> bool:
    return one.path == gold.path and one.start <= gold.end and gold.start <= one.end
