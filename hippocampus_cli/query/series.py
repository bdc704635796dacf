"""Places that say the same: near-identical ones of several days are a series, the newest first.

Nothing is marked as superseded for being older: only what a person struck through, or somebody who read it called
outdated. Pure.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.query.places import Place, Snapshot
from hippocampus_cli.query.results import Earlier, Result
from hippocampus_cli.text.terms import telling_terms, terms

WORD = pattern(r"\d+(?:[.:,]\d+)*|\w+")  # a time or an amount is one word
_STRUCK = pattern(r"[\s\-*+>\[\]x]*~~[^~]+~~[\s.;,]*")
_SHARED = 0.8  # of the words of the longer text
_FEWEST = 3  # words that two texts share at least
_LONGEST = 1_500  # characters that are compared
_COMPARED = 12  # places
_TERMS = 3  # that two texts share at most, to speak of the same
_NEAR = 0.5  # of the score of the first place


def fold_series(
    places: Sequence[Place], snapshot: Snapshot, starts: tuple[str, ...]
) -> list[Place]:
    """``places``, best first, with older ones of a series folded into the newest; those that are struck through, or
    marked as outdated, say so. Two that differ in a word that is asked for (its start) are of two things."""
    series: list[tuple[bool, frozenset[str], dict[date, Place]]] = []
    for place in places[:_COMPARED]:
        text, day = snapshot.text_of(place), snapshot.dated(place).day
        words = frozenset(WORD.findall(text[:_LONGEST].lower()))
        superseded = _taken_back(text, snapshot)
        copies = tuple(  # one that was taken back says nothing for a place that was not
            copy
            for copy in place.copies
            if superseded or not _taken_back(snapshot.text_of(copy), snapshot)
        )
        place = place._replace(superseded=superseded, copies=copies)
        for ended, its, members in series:  # what was taken back says so itself
            if day not in members and ended == bool(superseded) and _is_series(words, its, starts):
                members[day] = place
                break
        else:
            series.append((bool(superseded), words, {day: place}))
    return [_newest(members) for *_, members in series] + list(places[_COMPARED:])


def _newest(members: Mapping[date, Place]) -> Place:
    """The newest place of a series by their days, at the rank of the best."""
    newest, *earlier = (members[day] for day in sorted(members, reverse=True))
    best = max(place.score for place in members.values())
    return newest._replace(score=best, earlier=tuple(earlier))


def newest_first(places: Sequence[Place], snapshot: Snapshot, starts: Sequence[str]) -> list[Place]:
    """``places`` with those in the order of their days, the newest first, whose lines answer in the same words: each
    takes the rank of another, and none is left out. ``starts`` are those of the question's terms."""
    series: dict[str, list[tuple[date, int, int]]] = {}
    for rank, place in enumerate(places[:_COMPARED]):
        words, (day, by) = _asked_in(snapshot.text_of(place), starts), snapshot.dated(place)
        if words and not place.superseded:
            line = 0 if by == "changed" else place.start  # in what is of one day, the later one
            series.setdefault(words, []).append((day, line, -rank))
    ordered = list(places)
    for members in series.values():
        ranks = sorted(-rank for *_, rank in members)
        for rank, (*_, newest) in zip(ranks, sorted(members, reverse=True), strict=True):
            ordered[rank] = places[-newest]._replace(score=places[rank].score)
    return ordered


def _asked_in(text: str, starts: Sequence[str]) -> str:
    """What is asked for as a text says it before the value: the line that has most of the question, up to its last
    word of it; empty where that is no more than one word."""
    # not the terms of every line: to cut rare scripts into words takes longer than all else
    best, most = "", 1
    for line in text[:_LONGEST].lower().splitlines():
        here = [start for start in starts if start in line]
        if len(here) > most:
            last = max(line.rindex(start) + len(start) - 1 for start in here)
            word = WORD.match(line, last)  # "Mario" is not "Maria"
            best, most = line[: word.end() if word else last + 1], len(here)
    return " ".join(WORD.findall(best))


def speaking_of(text: str, results: Sequence[Result], own: Container[str]) -> Iterator[Earlier]:
    """The lines that may speak of the same as a text: those of places near the best one of which a sentence, with its
    heading, shares half of the text's terms. The text itself stands in ``own`` places."""
    from hippocampus_cli.text.sentences import sentences_of  # no question needs them

    told = {*telling_terms(text)}
    least = max(1, min(_TERMS, len(told) / 2))
    best = 0.0
    for result in results:
        head, lines = told.intersection(terms(result.section or "")), split_lines(result.text)
        said = (
            (len(head | told.intersection(terms(each))), row)
            for row, line in enumerate(lines)
            for each in sentences_of(line)
        )
        shared, row = max(said, default=(0, 0))  # what stands below a heading, not the heading
        place = f"{result.path}:{result.start_line + row}"
        if place not in own:
            best = best or result.score
            if result.superseded or result.score < _NEAR * best or shared < least:
                continue
            yield Earlier(place, result.date or date.min, lines[row].strip())
        yield from result.earlier


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text that say something, headings aside."""
    for line in text.splitlines():
        if not line.lstrip().startswith("#") and any(map(str.isalnum, line)):
            yield line


def _taken_back(text: str, snapshot: Snapshot) -> str:
    """What took a text back; empty for nothing."""
    if is_struck(text):
        return "struck through"
    return snapshot.marks.reason(text) if snapshot.marks else ""


def is_struck(text: str) -> bool:
    """Whether every line of a text is struck through, its heading aside."""
    lines = [*lines_of(text)]
    return bool(lines) and all(map(_STRUCK.fullmatch, lines))


def _is_series(words: frozenset[str], other: frozenset[str], asked: tuple[str, ...]) -> bool:
    """Whether two texts have nearly the same words, all but one or most of them, and all of those asked for."""
    longer, shared = max(len(words), len(other)), len(words & other)
    if shared < max(_FEWEST, min(longer - 1, _SHARED * longer)):
        return False
    return not any(word.startswith(asked) for word in words ^ other)
