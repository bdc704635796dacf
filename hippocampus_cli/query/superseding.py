"""Answers that a later note retracts or supersedes: ``03:15``, once somebody wrote ``01:40 (was 03:15)``. Pure.

Two signs count, and both need a later date. A later text says of a value in the earlier one that it no longer holds
(``values.retracted_in``). Or it is about the same matter (it has all words of the earlier one's label, and of the
question), says that something changes, and gives another value of the same kind. Rather none than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from hippocampus_cli.dates.expressions import day_of_heading
from hippocampus_cli.markdown.safe import inline_text
from hippocampus_cli.query.changes import (
    ReadStatement,
    Sentence,
    Statement,
    is_instead,
    other_value,
    signs_of,
    speaks_of,
)
from hippocampus_cli.query.fusion import Candidate, NoteReader
from hippocampus_cli.query.results import Result, SupersededBy
from hippocampus_cli.query.values import (
    VALUES,
    spelled_out,
    worth_reading,
)
from hippocampus_cli.search.hits import UnitHit
from hippocampus_cli.search.query_parser import Query
from hippocampus_cli.workspace.note import Note

_UNITS = 5
_CLOSEST = 3
CLOSE = 1.0  # what may be worse than the best unit of its place and still answers
_LONGEST_SECTION = 4_000
_LONGEST = 600  # characters of a unit that are compared
_FIRST = 5  # places of which one may come first for what it says has changed
_CUE = 3  # words that are a cue, not a question
_MOST_OF_IT = 0.8


class PlaceText(NamedTuple):
    """What one place says to the query: unit by unit, best first, and all of it without the heading."""

    statements: tuple[Statement, ...] = ()
    text: str = ""


def what_is_said(
    candidates: Iterable[Candidate], notes: NoteReader, today: date
) -> list[PlaceText]:
    """For each place what it says; nothing for a note that is gone."""
    found = []
    for one in candidates:
        note = notes.get(one.path)
        found.append(_said(one, note, today) if note else PlaceText())
    return found


def _said(one: Candidate, note: Note, today: date) -> PlaceText:
    section = one.section
    text = note.text_of(section.start + section.heading_lines, section.end)[:_LONGEST_SECTION]
    return PlaceText(tuple(_of(one, note, today)), text)


def _of(one: Candidate, note: Note, today: date) -> Iterator[Statement]:
    title = one.section.title
    base = day_of_heading(title, today) or _day_of_path(one.path)
    best = one.units[0].score if one.units else 0.0
    for rank, unit in enumerate(one.units[:_UNITS]):
        text = spelled_out(note.text_of(unit.start, unit.end)[:_LONGEST])
        close = rank < _CLOSEST and unit.score >= best - CLOSE
        yield Statement(one.path, unit.start, title, text, base, close)


def _day_of_path(path: str) -> date | None:
    from hippocampus_cli.workspace.kinds import period_of

    period = period_of(path)
    return period[1] if period else None


_TOLD = 90  # characters of a reason
_STRONG = 2  # words of code, or of a label, that tell a thing for themselves
_WEAK = frozenset(("weekday", "time", "quantity"))  # many things have one


class Superseding:
    """What the places found say, to ask of each whether another one takes it back."""

    def __init__(
        self,
        statements: Iterable[Statement],
        asked: AbstractSet[str],
        today: date,
        cue: bool = False,
    ) -> None:
        reads = [ReadStatement(one, today) for one in statements]
        worth = worth_reading([read.text for read in reads])
        self._telling = [read for read in compress(reads, worth) if read.changing or read.over]
        self._dated = [read for read in reads if read.said.day is not None]
        self._reads = {read.said: read for read in reads}
        self._today = today
        self._asked = asked
        self._cue = cue
        self._newer: dict[Statement, Statement | None] = {}

    @property
    def tells(self) -> bool:
        """Whether anything is said that may take something back."""
        return bool(self._telling) or len(self._dated) > 1

    def newer(self, told: Statement) -> Statement | None:
        """The latest statement of the same shape with another value, which is later than this one."""
        if told not in self._newer:
            self._newer[told] = self._found_newer(told)
        return self._newer[told]

    def _found_newer(self, told: Statement) -> Statement | None:
        old = self._reads.get(told)
        if old is None or told.day is None or not old.frame.words:
            return None
        words = old.frame.words
        alike = {*self._by_end.get((0, words[0]), ()), *self._by_end.get((-1, words[-1]), ())}
        found = [
            new.said
            for new in alike
            if _is_later(new.said, told) and other_value(old.frame, new.frame, self._asked)
        ]
        return max(found, key=_moment, default=None)

    def _changed_by(self, told: Statement) -> Statement | None:
        """The latest statement with a sentence that tells what came instead of one of these."""
        old = self._reads.get(told) or ReadStatement(told, self._today)
        if not speaks_of(old.around, self._asked):
            return None
        found = [
            new
            for new, changes in self._changing
            if new.said is not told and self._is_changed(old, changes)
        ]
        days = {
            new.said: new.day for new in found if new.day and (old.day is None or new.day > old.day)
        }
        return max(days, key=days.__getitem__, default=None)

    def _is_changed(self, old: ReadStatement, changes: Sequence[Sentence]) -> bool:
        """Whether one of these sentences tells what came instead; who has both values knows it already."""
        kept = old.said.day is None
        return any(
            (signs := signs_of(before, old.around, after, self._asked, kept)) and is_instead(signs)
            for after in changes
            if not any(map(old.has_both, after.over))
            for before in old.sentences
        )

    @cached_property
    def _changing(self) -> list[tuple[ReadStatement, list[Sentence]]]:
        """The statements that have sentences with a word of change about what is asked, and these."""
        found = []
        for read in self._reads.values():
            about = [one for one in read.changes if speaks_of(one.stems, self._asked)]
            if about:
                found.append((read, about))
        return found

    @cached_property
    def _by_end(self) -> dict[tuple[int, str], list[ReadStatement]]:
        """The dated statements by their first word, and by their last: two of one shape share one of them."""
        found: dict[tuple[int, str], list[ReadStatement]] = {}
        for read in self._dated:
            for end in (0, -1) if read.frame.words else ():
                found.setdefault((end, read.frame.words[end]), []).append(read)
        return found

    def changed_since(self, places: Sequence[PlaceText]) -> int | None:
        """Of ``places`` the one with the latest change in what a cue is about, said after what the first one says.

        Two words do not say which value they are after, so that something changed is sign enough to come first, and
        too little to mark the other. Of questions it moved as many right answers away as to the front.
        """
        told = places[0].statements[:1]
        if not self._cue or not told or not self._asked:
            return None
        old = self._reads[told[0]]
        least = max(_MOST_OF_IT * len(self._asked & old.around), len(self._asked) / 2)
        about = {
            new.said: new.day
            for new, changes in self._changing
            if new.day and (old.day is None or new.day > old.day)
            if any(len(self._asked & one.stems) >= least and one.values for one in changes)
        }
        days = {
            at: max((about[one] for one in place.statements[:2] if one in about), default=None)
            for at, place in enumerate(places)
        }
        later = {at: day for at, day in days.items() if at and day}
        return max(later, key=later.__getitem__, default=None)

    def by(self, told: Sequence[Statement]) -> SupersededBy | None:
        """The latest place that retracts something of what ``told`` says."""
        found: list[tuple[date, Statement]] = []
        for one in told:
            if not one.close:
                continue
            if changed := self._changed_by(one):
                found.append((changed.day or date.max, changed))
            if one.day is None:
                continue
            if newer := self.newer(one):
                found.append((newer.day or one.day, newer))
            old = self._reads.get(one) or ReadStatement(one, self._today)
            for new in self._telling:
                if _may_follow(new, old) and _takes_back(old, new, self._asked):
                    found.append((new.day or one.day, new.said))
        if not found:
            return None
        _, best = max(found, key=lambda pair: pair[0])
        return SupersededBy(best.path, best.line, _reason(best))


def _moment(said: Statement) -> tuple[date, int]:
    return said.day or date.min, said.line


def _is_later(new: Statement, old: Statement) -> bool:
    """Whether it was said later: on a later day, or further down in the same note."""
    if new.day != old.day:
        return _moment(new) > _moment(old)
    return new.path == old.path and new.line > old.line


def _may_follow(new: ReadStatement, old: ReadStatement) -> bool:
    """Whether the one may be later: its note is, or it is kept current."""
    if new.said.day is None or old.said.day is None:
        return new.said.path != old.said.path
    return new.said.day > old.said.day


def _takes_back(old: ReadStatement, new: ReadStatement, asked: AbstractSet[str]) -> bool:
    """Whether the later one says that something in the earlier one is over, or says otherwise."""
    if not any(old.has(one.thing) for one in new.over):
        return _says_otherwise(old, new, asked)
    if new.day and old.day and new.day <= old.day:
        return False
    own = {one.thing.key for one in old.over}
    told = [one for one in new.over if new.day or one.thing.kind != "word"]
    for thing, now in told:
        alike = [one.thing for one in told if one.thing.kind == thing.kind and thing.kind in _WEAK]
        if thing.key in own or not all(map(old.has, alike or [thing])):
            continue
        if now is not None and old.has(now):
            continue  # it knows already what is new
        alone = thing.kind == "code" and thing.key.count(" ") + 1 >= _STRONG
        common = (old.around & new.around) - set(thing.key.split())
        if alone or (asked & old.around & new.around and len(common) >= _STRONG):
            return True
    return _says_otherwise(old, new, asked)


def _says_otherwise(old: ReadStatement, new: ReadStatement, asked: AbstractSet[str]) -> bool:
    """Whether the later one has the same label, a word of change, and another value of one kind."""
    if not new.changing or len(old.label) < _STRONG or not old.label <= new.words:
        return False
    if not asked & old.words & new.words or not new.day or not old.day or new.day <= old.day:
        return False
    pairs = [(old.keys(kind), new.keys(kind)) for kind in VALUES - {"code", "number", "day"}]
    pairs.append((old.title_days, new.title_days))  # of all days of a text few are its answer
    return any(before and after and not before & after for before, after in pairs)


def _reason(new: Statement) -> str:
    """The beginning of what the later one says, on one line."""
    text = " ".join(inline_text(new.text.lstrip("-+* ")).split())
    return text if len(text) <= _TOLD else text[: _TOLD - 1].rstrip() + "…"


def marked(
    results: Iterable[Result],
    candidates: Sequence[Candidate],
    said: Sequence[PlaceText],
    superseding: Superseding | None,
) -> Iterator[Result]:
    """``results`` of the first ``candidates``, marked; ``said`` is what all places found say, shown or not."""
    results = list(results)
    statements = (one for place in said for one in place.statements)
    told = {(one.path, one.line): one for one in statements} if superseding else {}
    for result, candidate in zip(results, candidates, strict=False):
        own = [
            told[key]
            for unit in (_answering(candidate) if superseding else ())
            if (key := (candidate.path, unit.start)) in told
        ]
        later = superseding.by(own) if superseding else None
        also = tuple(f"{twin.path}:{twin.section.start}" for twin in candidate.twins)
        yield result._replace(superseded_by=later, also=also)


def superseding_of(said: Sequence[PlaceText], query: Query, today: date) -> Superseding | None:
    """What is said, to ask it what it retracts; ``None`` where that is nothing."""
    if sum(len(place.statements) for place in said) < 2:
        return None  # nothing is later
    statements = (one for place in said for one in place.statements)
    cue = len(query.text.split()) <= _CUE and not query.text.rstrip().endswith(("?", "？"))
    found = Superseding(statements, query.stems, today, cue)
    return found if found.tells else None


def _answering(candidate: Candidate) -> Iterator[UnitHit]:
    """The units that answer nearly as well as the best one of the place, of all sections that are shown as one.

    What only stands beside the answer, as what was decided before, is retracted by it and by nobody else.
    """
    best = max((unit.score for unit in candidate.units), default=0.0)
    return (unit for unit in candidate.units if unit.score >= best - CLOSE)


def current_first(
    candidates: Sequence[Candidate], said: Sequence[PlaceText], superseding: Superseding | None
) -> tuple[list[Candidate], list[PlaceText]]:
    """The candidates, each behind the one that says the same with a newer value, and what they say.

    A unit that another one of the same place replaces answers no longer.
    """
    if superseding is None:
        return list(candidates), list(said)
    pairs = list(zip(candidates, said, strict=False))
    for candidate, place in pairs:
        candidate.units = _present(candidate.units, place, superseding)
    for at in range(len(pairs)):
        later = superseding.by(pairs[at][1].statements[:1])
        behind = (
            place
            for place in range(at + 1, len(pairs))
            if later
            and any(
                (one.path, one.line) == (later.path, later.line)
                for one in pairs[place][1].statements
            )
        )
        found = next(behind, None)
        if found is None and at == 0:
            found = superseding.changed_since([place for _, place in pairs[:_FIRST]])
        if found is not None:
            pairs.insert(at, pairs.pop(found))
    ordered = [candidate for candidate, _ in pairs]
    return [*ordered, *candidates[len(pairs) :]], [place for _, place in pairs]


def _present(
    units: tuple[UnitHit, ...], place: PlaceText, superseding: Superseding
) -> tuple[UnitHit, ...]:
    """The units without those for which the place itself has a newer value."""
    told = {one.line: one for one in place.statements}
    return tuple(
        unit
        for unit in units
        if unit.start not in told or superseding.newer(told[unit.start]) not in place.statements
    )
