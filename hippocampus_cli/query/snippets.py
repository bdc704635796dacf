"""Sections cut to the lines that answer, near-duplicates shown once, within a budget of tokens. Pure.

A section that is short is shown whole. Of a long one the units that answer best are shown, and all places share
the budget: a unit is worth what it scores, wherever it stands.

Two texts are nearly the same if they share most runs of three words and have the same numbers: yesterday's report
is not today's, however alike the two are. The better one is shown and names the others. Very short texts are never
folded together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.fusion import Candidate
from hippocampus_cli.search.hits import UnitHit
from hippocampus_cli.text.tokenizer import forms
from hippocampus_cli.workspace.note import Note, Section

GAP = "…\n"
"""Stands in a text where lines are left out."""
_ELLIPSIS = "…"
_WORD = pattern(r"\w+")
_LONGER = 2  # times what is shown whole may be shown in pieces: they are the best there is
_GLIMPSE = 0.3  # of that, of a line that is longer than a place may be
_REACH = 6.0


class Passage(NamedTuple):
    """Lines of a note, 1-based and inclusive, with their score: what compares all passages of one query."""

    start_line: int
    end_line: int
    score: float


class Place(NamedTuple):
    """A section that answers, with its units, best first; those in ``also`` touch it and are shown with it."""

    note: Note
    section: Section
    units: Sequence[UnitHit] = ()
    also: Sequence[Section] = ()

    @property
    def whole(self) -> tuple[int, int]:
        """Its first and last line. A heading without text of its own stands for what is below it."""
        end = self.section.end if has_text(self.note, self.section) else self.section.tree_end
        first = min([self.section.start, *(one.start for one in self.also)])
        return first, max([end, *(one.end for one in self.also)])

    @property
    def score(self) -> float:
        """That of its best unit."""
        return self.units[0].score if self.units else 0.0


class Excerpt(NamedTuple):
    """Lines of a note from ``start`` to ``end``, with :data:`GAP` where some are left out.

    ``passages`` are the units among them, best first. ``cut``: the section has more.
    """

    start: int
    end: int
    text: str
    passages: tuple[Passage, ...]
    cut: bool


def excerpts(
    places: Sequence[Place], budget: int, long: int, stems: AbstractSet[str] = frozenset()
) -> list[Excerpt | None]:
    """For each of ``places``, best first, what is shown of it; ``None`` where nothing fits any more.

    A place is shown whole up to ``long`` tokens, of a longer one up to twice as much. Where not even a line of the
    first one fits, the line is shortened around the first word with one of the ``stems``; so it is, to a part of
    ``long``, where a line of another one would never fit.
    """
    shares = _shares(places, budget, long)
    left = budget - sum(
        _cost(one, *unit[:2]) for one, share in zip(places, shares, strict=True) for unit in share
    )
    found: list[Excerpt | None] = []
    for one, share in zip(places, shares, strict=True):
        used = sum(_cost(one, *unit[:2]) for unit in share)
        room = left + used
        shown = _shown(one, share, long, room)
        if shown is None and not any(found):
            shown = _shortened(one, min(long, room), stems)
        elif shown is None and room > long and _is_too_long(one, long):
            shown = _shortened(one, int(long * _GLIMPSE), stems)
        found.append(shown)
        left += used - (tokens(shown.text) if shown else 0)
    return found


def _is_too_long(place: Place, long: int) -> bool:
    return all(_cost(place, *unit[:2]) > _LONGER * long for unit in place.units)


def has_text(note: Note, section: Section) -> bool:
    """Whether there is anything under the heading before the next one."""
    return section.level == 0 or section.end > section.start + section.heading_lines - 1


def _cost(place: Place, start: int, end: int) -> int:
    return tokens(place.note.text_of(start, end))


def _shares(places: Sequence[Place], budget: int, long: int) -> list[list[UnitHit]]:
    """The units of each place that the budget goes to: the best of all places first."""
    ranked = sorted(
        (
            (-unit.score, at, unit)
            for at, place in enumerate(places)
            for unit in place.units
            if unit.score >= place.units[0].score - _REACH
        ),
        key=lambda row: (row[0], row[1], row[2].start),
    )
    shares: list[list[UnitHit]] = [[] for _ in places]
    used = [0] * len(places)
    for _, at, unit in ranked:
        cost = _cost(places[at], unit.start, unit.end)
        if cost <= budget and used[at] + cost <= _LONGER * long:
            shares[at].append(unit)
            used[at] += cost
            budget -= cost
    return shares


def _shown(place: Place, share: Sequence[UnitHit], long: int, room: int) -> Excerpt | None:
    start, end = place.whole
    text = place.note.text_of(start, end)
    if tokens(text) <= min(long, room):
        passages = tuple(Passage(*unit) for unit in place.units)
        return Excerpt(start, end, text, passages or (Passage(start, end, place.score),), cut=False)
    cuts = (_cut(place, share[:count]) for count in range(len(share), 0, -1))
    longest = min(_LONGER * long, room)
    return next((cut for cut in cuts if tokens(cut.text) <= longest), None)


def _cut(place: Place, share: Sequence[UnitHit]) -> Excerpt:
    """The units ``share`` as one text; gaps and what is between lines may make it longer than they are alone."""
    runs = list(_runs(place.note, sorted((unit.start, unit.end) for unit in share)))
    parts = [place.note.text_of(*run) for run in runs]
    text = GAP.join([*map(_ended, parts[:-1]), parts[-1]])
    return Excerpt(runs[0][0], runs[-1][1], text, tuple(Passage(*unit) for unit in share), cut=True)


def _ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) else text + "\n"


def _runs(note: Note, units: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """``units``, in the order of their lines, those that touch made one."""
    first, last = units[0]
    for start, end in units[1:]:
        if start > last + 1 and note.text_of(last + 1, start - 1).strip():
            yield first, last
            first = start
        last = max(last, end)
    yield first, last


def _shortened(place: Place, room: int, stems: AbstractSet[str]) -> Excerpt:
    """As much of the best unit as ``room`` tokens hold, its line shortened if need be."""
    characters = max(0, room * 4)
    found = _in_characters(place, characters, stems)
    while tokens(found.text) > room:
        characters = characters * 3 // 4
        found = _in_characters(place, characters, stems)
    return found


def _in_characters(place: Place, characters: int, stems: AbstractSet[str]) -> Excerpt:
    first, last = place.units[0][:2] if place.units else place.whole
    for line in range(first, last + 1):
        shortened = _around(place.note.text_of(line, line), stems, characters)
        if shortened is not None:
            return Excerpt(line, line, shortened, (Passage(line, line, place.score),), cut=True)
    end = first
    while end < last and len(place.note.text_of(first, end + 1)) <= characters:
        end += 1
    text = place.note.text_of(first, end)
    if len(text) > characters:
        text = text[: max(0, characters - 1)] + _ELLIPSIS if characters else ""
    return Excerpt(first, end, text, (Passage(first, end, place.score),), cut=True)


def _around(line: str, stems: AbstractSet[str], room: int) -> str | None:
    """The part of a long line around the first word with one of ``stems``; ``None`` where it has none."""
    starts = {stem[0] for stem in stems}
    for found in _WORD.finditer(line):
        word = found.group()
        if word[0].lower() in starts and not stems.isdisjoint(forms(word)):
            start = max(0, found.start() - max(0, room - len(word)) // 2)
            part = line[start : start + max(0, room - 2)].strip()
            lead = _ELLIPSIS if start else ""
            return f"{lead}{part}{_ELLIPSIS}"[:room]
    return None


ALIKE = 0.8  # share of the runs of words of both texts together
_SHORTEST = 8  # words
_RUN = 3
_LONGEST = 1_500  # characters: of a longer text the beginning is compared


def told_once(candidates: Sequence[Candidate], texts: Sequence[str]) -> list[Candidate]:
    """``candidates``, best first, without those whose text a better one has; they become its ``twins``.

    ``texts`` are the first candidates' own, without headings; what has none is kept.
    """
    kept: list[Candidate] = []
    known: list[tuple[Candidate, _Shape]] = []
    for at, one in enumerate(candidates):
        words = _WORD.findall(texts[at][:_LONGEST].lower()) if at < len(texts) else []
        shape = _Shape(words) if len(words) >= _SHORTEST else None
        better = next((other for other, its in known if shape and _alike(shape, its)), None)
        if better is not None:
            better.twins.append(one)
            continue
        kept.append(one)
        if shape:
            known.append((one, shape))
    return kept


class _Shape:
    """What a text of these words is compared by; its runs of words are made when they are first needed."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.known = frozenset(words)
        self.numbers = frozenset(word for word in self.known if word[0].isdigit())

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        return frozenset(zip(*(self.words[at:] for at in range(_RUN)), strict=False))


def _alike(one: _Shape, other: _Shape) -> bool:
    if one.numbers != other.numbers or _of_other_words(one, other):
        return False
    fewer, more = sorted((len(one.runs), len(other.runs)))
    if fewer < ALIKE * more:
        return False
    shared = len(one.runs & other.runs)
    return shared >= ALIKE * (fewer + more - shared)


def _of_other_words(one: _Shape, other: _Shape) -> bool:
    """Whether so many words stand in one of the texts only that too few runs can be shared, whatever their order.

    A run holds at most as many of those words as it is long, and is itself in one text only.
    """
    alone = len(one.known) + len(other.known) - 2 * len(one.known & other.known)
    most_runs = min(len(one.words), len(other.words)) - _RUN + 1
    return alone > _RUN * (1 / ALIKE - 1) * most_runs + 1
