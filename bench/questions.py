"""Questions with their right places: written by hand as TOML, or derived from the notes."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from bench.errors import DatasetInvalid
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.text.terms import terms
from hippocampus_cli.text.tokenizer import words_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.sections import find_section

_LINE = re.compile(r"at line (\d+)")


class Place(NamedTuple):
    """Lines of a file, 1-based and inclusive: where an answer is, or what a method returned."""

    path: str
    start: int
    end: int

    def meets(self, other: Place) -> bool:
        """Whether both have a line in common."""
        return self.path == other.path and self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class Question:
    """A question. Any gold place answers it; kind ``multi`` needs all of them, ``absent`` has none."""

    id: str
    text: str
    kind: str
    gold: tuple[Place, ...]


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
        raise _refusal(file, "it is not UTF-8 text") from error
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


def _gold(row: object, query: str, file: Path, read: Callable[[str], Note]) -> Place:
    if not isinstance(row, dict) or not isinstance(row.get("path"), str):
        raise _refusal(file, f"{query}: a gold place without a path")
    note = read(row["path"])
    if "section" not in row:
        lead = [section for section in note.sections if section.level == 0]
        whole = Place(row["path"], 1, len(note.lines))
        return (
            Place(row["path"], lead[0].start, lead[0].end)
            if lead and len(note.sections) > 1
            else whole
        )
    found = find_section(note.sections, str(row["section"]))
    if found is None:
        raise FileUnreadable(path=row["path"], reason=f"{query}: no section {row['section']!r}")
    return Place(row["path"], found.start, found.tree_end)


def _refusal(file: Path, reason: str, line: int | None = None) -> DatasetInvalid:
    advice = "correct it; `python -m bench workspace --help` shows what a question looks like"
    return DatasetInvalid(path=str(file), line=line, reason=reason, advice=advice)


def answered(question: Question, returned: Sequence[Place]) -> bool:
    """Whether the places returned answer the question."""
    met = [any(one.meets(gold) for one in returned) for gold in question.gold]
    return all(met) if question.kind == "multi" else any(met)


def touches(question: Question, returned: Sequence[Place]) -> bool:
    """Whether any right place is among those returned."""
    return any(one.meets(gold) for one in returned for gold in question.gold)


T = TypeVar("T")

MOST = 100  # questions of each kind
WARNING = (
    "No questions were given, so the notes were asked for their own headings and for four words of single lines. "
    "This shows whether that text is found, and at what price. It does not show whether a question "
    "in other words is understood, nor whether the answer is right: for that, write questions of your own "
    "(--questions)."
)
_WORDS = 4
_LONGEST = 400  # characters of a line that counts as one fact


class Fact(NamedTuple):
    """A line of a note with enough words to be distinct from others: its significant words, and its terms."""

    path: str
    line: int
    words: tuple[str, ...]
    terms: frozenset[str]


def derived(notes: Sequence[Note]) -> list[Question]:
    """At most :data:`MOST` of each kind, spread over the notes; the same ones for the same notes."""
    return [*_spread(list(_headings(notes))), *_facts(notes)]


def _spread(rows: Sequence[T]) -> Sequence[T]:
    if len(rows) <= MOST:
        return rows
    return [rows[at * len(rows) // MOST] for at in range(MOST)]


def _headings(notes: Sequence[Note]) -> Iterator[Question]:
    """Every heading once; each section of that name answers."""
    found: dict[str, tuple[str, list[Place]]] = {}
    for note in notes:
        for section in note.sections:
            if section.level and len(section.title) > 3 and terms(section.title):
                gold = Place(note.path, section.start, section.tree_end)
                found.setdefault(section.title.lower(), (section.title, []))[1].append(gold)
    for key, (title, places) in found.items():
        yield Question(key, title, "heading", tuple(places))


def _facts(notes: Sequence[Note]) -> Iterator[Question]:
    """The four words of a line that are in the fewest other lines; each line that has them all answers."""
    facts = [fact for note in notes for fact in facts_in(note)]
    known = Counter(stem for fact in facts for stem in fact.terms)
    where: dict[str, list[Fact]] = {}
    for fact in facts:
        for stem in fact.terms:
            where.setdefault(stem, []).append(fact)
    for fact in _spread(facts):
        rare = sorted(fact.words, key=lambda word: min(known[stem] for stem in terms(word)))
        chosen = sorted(rare[:_WORDS], key=fact.words.index)
        wanted = frozenset(stem for word in chosen for stem in terms(word))
        rarest = min(wanted, key=lambda stem: known[stem])
        gold = [Place(one.path, one.line, one.line) for one in where[rarest] if wanted <= one.terms]
        yield Question(f"{fact.path}:{fact.line}", " ".join(chosen), "fact", tuple(gold))


def facts_in(note: Note) -> Iterator[Fact]:
    """The lines of text that have enough words to be distinct from others."""
    for number, (line, kind) in enumerate(zip(note.lines, note.blocks.kinds, strict=True), 1):
        if kind != Kind.TEXT or len(line) > _LONGEST:
            continue
        significant = tuple(dict.fromkeys(word for word in words_of(line) if _is_significant(word)))
        if len(significant) >= _WORDS + 2:
            yield Fact(note.path, number, significant, frozenset(terms(line)))


def _is_significant(word: str) -> bool:
    return len(word) > 2 and word.isalpha() and word.lower() not in STOP_WORDS
