"""Questions from the notes themselves, where nobody wrote any: their headings, and words of single facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from hippocampus_cli.benchmark.questions import Gold, Question
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.search.tokens import is_stop, stems, words_of
from hippocampus_cli.workspace.note import Note

T = TypeVar("T")

MOST = 100  # questions of each kind
WARNING = (
    "No questions were given, so the notes were asked for their own headings and for four words of single lines. "
    "This shows whether what stands there is found again, and at what price. It does not show whether a question "
    "in other words is understood, nor whether the answer is right: for that, write questions of your own "
    "(--questions)."
)
_WORDS = 4
_LONGEST = 400  # characters of a line that counts as one fact


class Fact(NamedTuple):
    """A line of a note that has enough words to be told from others: those that say something, and its stems."""

    path: str
    line: int
    words: tuple[str, ...]
    stems: frozenset[str]


def derived(notes: Sequence[Note]) -> list[Question]:
    """At most :data:`MOST` of each kind, spread over the notes; the same ones for the same notes."""
    return [*_spread(list(_headings(notes))), *_facts(notes)]


def _spread(rows: Sequence[T]) -> Sequence[T]:
    if len(rows) <= MOST:
        return rows
    return [rows[at * len(rows) // MOST] for at in range(MOST)]


def _headings(notes: Sequence[Note]) -> Iterator[Question]:
    """Every heading once; each section of that name answers."""
    found: dict[str, tuple[str, list[Gold]]] = {}
    for note in notes:
        for section in note.sections:
            if section.level and len(section.title) > 3 and stems(section.title):
                gold = Gold(note.path, section.start, section.tree_end)
                found.setdefault(section.title.lower(), (section.title, []))[1].append(gold)
    for key, (title, places) in found.items():
        yield Question(key, title, "heading", tuple(places))


def _facts(notes: Sequence[Note]) -> Iterator[Question]:
    """The four words of a line that stand in the fewest other lines; each line that has them all answers."""
    facts = [fact for note in notes for fact in facts_in(note)]
    known = Counter(stem for fact in facts for stem in fact.stems)
    where: dict[str, list[Fact]] = {}
    for fact in facts:
        for stem in fact.stems:
            where.setdefault(stem, []).append(fact)
    for fact in _spread(facts):
        rare = sorted(fact.words, key=lambda word: min(known[stem] for stem in stems(word)))
        chosen = sorted(rare[:_WORDS], key=fact.words.index)
        wanted = frozenset(stem for word in chosen for stem in stems(word))
        rarest = min(wanted, key=lambda stem: known[stem])
        gold = [Gold(one.path, one.line, one.line) for one in where[rarest] if wanted <= one.stems]
        yield Question(f"{fact.path}:{fact.line}", " ".join(chosen), "fact", tuple(gold))


def facts_in(note: Note) -> Iterator[Fact]:
    """The lines of text that have enough words to be told from others."""
    for number, (line, kind) in enumerate(zip(note.lines, note.blocks.kinds, strict=True), 1):
        if kind != Kind.TEXT or len(line) > _LONGEST:
            continue
        telling = tuple(dict.fromkeys(word for word in words_of(line) if _telling(word)))
        if len(telling) >= _WORDS + 2:
            yield Fact(note.path, number, telling, frozenset(stems(line)))


def _telling(word: str) -> bool:
    found = stems(word)
    return len(word) > 2 and word.isalpha() and bool(found) and not any(map(is_stop, found))
