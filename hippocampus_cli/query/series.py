"""Places that say the same: copies are one place, and near-identical ones of several days a series, newest first.

Nothing is marked as superseded for being older: only what a person struck through, or somebody who read it called
outdated. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.query.places import Place
from hippocampus_cli.query.results import Earlier, Result
from hippocampus_cli.text.terms import telling_terms, terms

if TYPE_CHECKING:
    from hippocampus_cli.query.outdated import Marks

_WORD = pattern(r"\d+(?:[.:,]\d+)*|\w+")  # a time or an amount is one word
_STRUCK = pattern(r"[\s\-*+>\[\]x]*~~[^~]+~~[\s.;,]*")
_SHARED = 0.8  # of the words of the longer text
_FEWEST = 3  # words that two texts share at least
_LONGEST = 1_500  # characters that are compared
_COMPARED = 20  # places
_TERMS = 3  # that two texts share at most, to speak of the same
_NEAR = 0.5  # of the score of the first place


def fold_series(
    places: Sequence[Place],
    text_of: Callable[[Place], str],
    day_of: Callable[[Place], date | None],
    marks: Marks | None = None,
) -> list[Place]:
    """``places``, best first, with copies and older ones of a series folded into one place; what is struck through,
    or outdated by the ``marks``, comes last."""
    found: list[tuple[Place, frozenset[str], str]] = []
    for place in places[:_COMPARED]:
        text = text_of(place)
        words = _WORD.findall(text[:_LONGEST].lower())
        known, joined = frozenset(words), " ".join(words)
        superseded = "struck through" if is_struck(text) else ""
        if marks and not superseded:
            superseded = marks.reason(text)
        place = place._replace(superseded=superseded)
        for number, (other, its, same) in enumerate(found):
            if joined and joined == same:
                found[number] = _with_copy(other, place, day_of), its, same
                break
            if _is_series(known, its) and (head := _with_earlier(other, place, day_of)):
                newer = head.path == place.path and head.start == place.start
                found[number] = (head, known, joined) if newer else (head, its, same)
                break
        else:
            found.append((place, known, joined))
    folded = [place for place, *_ in found] + list(places[_COMPARED:])
    if marks:
        return marks.ordered(folded, text_of)
    return sorted(folded, key=lambda place: bool(place.superseded))


def speaking_of(text: str, results: Sequence[Result], own: Container[str]) -> Iterator[Earlier]:
    """The places that may speak of the same as a text: those near the best one that share half of its terms. The
    text itself stands in ``own`` places."""
    told = {*telling_terms(text)}
    least = max(1, min(_TERMS, len(told) / 2))
    best = 0.0
    for result in results:
        place = f"{result.path}:{result.start_line}"
        if place not in own:
            best = best or result.score
            shared = told.intersection(terms(f"{result.section or ''} {result.text}"))
            if result.superseded or result.score < _NEAR * best or len(shared) < least:
                continue
            yield Earlier(place, result.date or date.min, result.text)
        yield from result.earlier


def is_struck(text: str) -> bool:
    """Whether every line of a text is struck through, its heading aside."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return bool(lines) and all(map(_STRUCK.fullmatch, lines))


def _is_series(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts have nearly the same words: all but one, or most of them."""
    longer, shared = max(len(words), len(other)), len(words & other)
    return shared >= _FEWEST and (shared >= longer - 1 or shared >= _SHARED * longer)


def _with_copy(place: Place, copy: Place, day_of: Callable[[Place], date | None]) -> Place:
    """The newer of two places with the same text, at the rank of the better one."""
    head, other = _newest(place, copy, day_of)
    copies = (*place.copies, other._replace(copies=()))
    return _at_rank_of(place, head)._replace(copies=copies, earlier=place.earlier)


def _with_earlier(
    place: Place, other: Place, day_of: Callable[[Place], date | None]
) -> Place | None:
    """The newer of two places of a series, at the rank of the better one; ``None`` where they are of one day."""
    first, second = day_of(place), day_of(other)
    if first is None or second is None or first == second:
        return None
    head, old = _newest(place, other, day_of)
    earlier = (*place.earlier, old._replace(copies=(), earlier=()))
    return _at_rank_of(place, head)._replace(earlier=earlier)


def _newest(
    place: Place, other: Place, day_of: Callable[[Place], date | None]
) -> tuple[Place, Place]:
    newer = (day_of(other) or date.min) > (day_of(place) or date.min)
    return (other, place) if newer else (place, other)


def _at_rank_of(better: Place, head: Place) -> Place:
    return head._replace(
        search=better.search,
        coverage=max(better.coverage, head.coverage),
        score=better.score,
        lead=head.lead or better.lead,
    )
