"""Questions with their right places: ``queries.toml`` beside a workspace."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hippocampus_cli.errors import DatasetInvalid, FileUnreadable
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.sections import find_section

_LINE = re.compile(r"at line (\d+)")


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
    """The questions of ``file``: ``[[query]]`` tables with ``id``, ``text``, ``kind`` and ``gold``, a list of
    ``{path, section}``.

    Raises :class:`FileUnreadable` where a gold place does not exist, :class:`DatasetInvalid`.
    """
    rows = _tables(file).get("query")
    if not isinstance(rows, list) or not rows:
        raise _refusal(file, "it holds no [[query]]")
    return [_question(row, f"query {at}", file, read) for at, row in enumerate(rows, 1)]


def _tables(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileUnreadable(path=str(file), reason=error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise _refusal(file, "it is no UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        found = _LINE.search(str(error))
        raise _refusal(file, str(error), int(found[1]) if found else None) from error


def _question(row: object, name: str, file: Path, read: Callable[[str], Note]) -> Question:
    match row:
        case {"text": str(text), "kind": str(kind), "gold": list(gold), **more} if text.strip():
            id = str(more.get("id", name))
            places = tuple(_gold(one, id, file, read) for one in gold)
            if bool(places) != (kind != "absent"):
                raise _refusal(file, f"{id}: kind {kind!r} with {len(places)} gold places")
            return Question(id, text, kind, places)
    raise _refusal(file, f"{name} has no text, no kind or no gold")


def _gold(row: object, query: str, file: Path, read: Callable[[str], Note]) -> Gold:
    if not isinstance(row, dict) or not isinstance(row.get("path"), str):
        raise _refusal(file, f"{query}: a gold place without a path")
    note = read(row["path"])
    if "section" not in row:
        lead = [section for section in note.sections if section.level == 0]
        whole = Gold(row["path"], 1, len(note.lines))
        return (
            Gold(row["path"], lead[0].start, lead[0].end)
            if lead and len(note.sections) > 1
            else whole
        )
    found = find_section(note.sections, str(row["section"]))
    if found is None:
        raise FileUnreadable(path=row["path"], reason=f"{query}: no section {row['section']!r}")
    return Gold(row["path"], found.section.start, found.section.tree_end)


def _refusal(file: Path, reason: str, line: int | None = None) -> DatasetInvalid:
    advice = "correct it; `hippo bench workspace --help` shows what a question looks like"
    return DatasetInvalid(path=str(file), line=line, reason=reason, advice=advice)


def answered(question: Question, returned: Sequence[Returned]) -> bool:
    """Whether the places returned answer the question."""
    met = [any(_meets(one, gold) for one in returned) for gold in question.gold]
    return all(met) if question.kind == "multi" else any(met)


def touches(question: Question, returned: Sequence[Returned]) -> bool:
    """Whether any right place is among those returned."""
    return any(_meets(one, gold) for one in returned for gold in question.gold)


def _meets(one: Returned, gold: Gold) -> bool:
    return one.path == gold.path and one.start <= gold.end and gold.start <= one.end
