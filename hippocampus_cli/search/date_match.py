"""How well units fit the days that a query asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.search import ranking_weights
from hippocampus_cli.search.candidates import mentions
from hippocampus_cli.search.term_statistics import Passage, units_with
from hippocampus_cli.text.dates import DayRange, Reading
from hippocampus_cli.text.tokenizer import ALL_MONTHS, is_stop, stems

_DATE = pattern(rf"\d|\b(?:{'|'.join(ALL_MONTHS)})\b")


def bonus(first: int, last: int, days: Sequence[DayRange]) -> float:
    """What a file of these ordinals gains; less if of other days too, as a month's file is."""
    gained = 0.0
    for since, until in days:
        if since.toordinal() <= first and last <= until.toordinal():
            return ranking_weights.DAYS
        if first <= until.toordinal() and since.toordinal() <= last:
            gained = ranking_weights.NAMED_DAYS
        elif (
            first <= until.toordinal() + ranking_weights.NOTED_WITHIN and since.toordinal() <= last
        ):
            gained = max(gained, ranking_weights.NOTED_AFTER)
    return gained


def fitting(passage: Passage, gained: float, days: Sequence[DayRange]) -> dict[int, float]:
    """How well each unit fits, 0 to 1, by the day of its file or by one that it names.

    ``gained`` is the :func:`bonus` of the file.
    """
    if not days:
        return {}
    found = dict.fromkeys(range(max(1, len(passage.offsets))), gained)
    if gained < ranking_weights.NAMED_DAYS:
        found |= dict.fromkeys(_naming(passage, days), ranking_weights.NAMED_DAYS)
    return found


def says_so(passage: Passage, readings: Iterable[Reading]) -> bool:
    """Whether a section has all words of one of ``readings`` that names a date: "July" in a note of no known day."""
    there = frozenset(f"{passage.title} {passage.place} {passage.body}".split())
    return any(
        there.issuperset(stem for stem in stems(one.words) if not is_stop(stem))
        for one in readings
        if _DATE.search(one.words.lower())
    )


def _naming(passage: Passage, days: Sequence[DayRange]) -> set[int]:
    """The units that name one of the days asked for."""
    return units_with(passage, (run for one in days for run in mentions(one)))
