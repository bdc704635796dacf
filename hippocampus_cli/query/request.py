"""A request as it is meant: its wordings checked, and the words and days of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.query.results import Result
from hippocampus_cli.search.filters import Filter
from hippocampus_cli.search.question import MOST_CHARACTERS
from hippocampus_cli.text.dates import DayRange, Reading, ago, days_in
from hippocampus_cli.text.terms import telling_words

MOST_PHRASINGS = 4  # other wordings of a question
HYBRID = "hybrid"
MODES = ("index", "search", HYBRID)


class Request(NamedTuple):
    """A question with its conditions; empty ones let everything pass. ``where`` are those of files, ``phrasings``
    other wordings of the same question, ``tokens`` bounds all returned text; ``odds`` says that it is a prompt, and
    the log of the odds that it asks anything. With ``tags`` only places that an entry with one of them points at may
    answer."""

    text: str
    phrasings: tuple[str, ...] = ()
    mode: str = HYBRID
    limit: int = 5
    tokens: int = 400
    tags: frozenset[str] = frozenset()
    where: Filter = Filter()
    odds: float | None = None

    def first(self, places: Sequence[Result]) -> tuple[Result, ...]:
        """The first places that there is room for, ranked anew."""
        rows: list[Result] = []
        room = self.tokens
        for place in places[: self.limit]:
            if not rows or place.tokens <= room:
                rows.append(place._replace(rank=len(rows) + 1))
                room -= place.tokens
        return tuple(rows)


def whole_characters(text: str) -> str:
    """``text`` without what is no character: bytes of a command line that were no UTF-8, and halves of pairs."""
    return text.encode("utf-8", "replace").decode().strip()


def read_request(request: Request) -> Request:
    """The request as it is searched for. Raises :class:`UsageError` where it asks for nothing, or not sensibly."""
    text = whole_characters(request.text)
    others = map(whole_characters, request.phrasings)
    phrasings = dict.fromkeys(other for other in others if any(map(str.isalnum, other)))
    phrasings.pop(text, None)
    request = request._replace(text=text, phrasings=tuple(phrasings))
    _check(request)
    return request


def unused_tags(tags: frozenset[str], index: Hierarchy) -> Iterator[str]:
    """Which of the tags no entry has, and the closest that one has."""
    entries = index.entries if tags else ()  # most questions have none, and need not look
    known = {tag.casefold() for located in entries for tag in located.entry.tags}
    for tag in sorted(tags - known):
        from difflib import get_close_matches  # only who mistypes waits for it

        close = ", ".join(get_close_matches(tag, known, 1)) or "none"
        yield f"no entry has the tag {tag!r}; the closest: {close}"


def _check(request: Request) -> None:
    if not request.text:
        raise UsageError(
            reason="the query is empty", advice='ask for something: hippo query "deploy command"'
        )
    if len(request.phrasings) > MOST_PHRASINGS:
        raise UsageError(
            reason=f"{len(request.phrasings)} other wordings are too many",
            advice=f"give at most {MOST_PHRASINGS}",
        )
    if request.mode not in MODES:
        raise UsageError(
            reason=f"unknown mode {str(request.mode)[:40]!r}",
            advice=f"use one of {', '.join(MODES)}",
        )
    if any(not isinstance(most, int) or most < 1 for most in (request.limit, request.tokens)):
        raise UsageError(
            reason="limit and tokens must be whole numbers from 1 up",
            advice="leave them out for the defaults",
        )


def days_of(name: str, value: str, today: date) -> DayRange:
    """The days that the value of an option names. Raises :class:`UsageError`."""
    if day := ago(value.lower(), today):
        return day, day
    for reading in days_in(f"in {value}", today):  # alone, "june" may be anybody
        if reading.words.strip() == value.strip():
            return reading.days
    raise UsageError(
        reason=f"{name}: {value[:40]!r} is not a valid date",
        advice='write it as 2026-05-31, april, 30d or "last week"',
    )


class Query(NamedTuple):
    """A question as it is matched with entries, any text at all. ``readings`` say which words of it were taken for
    which days."""

    text: str
    readings: tuple[Reading, ...]

    @property
    def days(self) -> tuple[DayRange, ...]:
        """The days that are asked for, first and last."""
        return tuple(dict.fromkeys(reading.days for reading in self.readings))

    @property
    def dated(self) -> frozenset[str]:
        """The words of days, in lower case: they need not stand in any note."""
        return frozenset(word for one in self.readings for word in one.words.lower().split())

    @property
    def numbered(self) -> str:
        """The text, with each single day also as names of notes have it, ``2026-01-31``."""
        days = (first.isoformat() for first, last in self.days if first == last)
        return " ".join((self.text, *(day for day in days if day not in self.text)))

    @property
    def telling(self) -> list[str]:
        """The words that an answer should have."""
        return [word for word in telling_words(self.text) if word.lower() not in self.dated]


def parse(text: str, today: date) -> Query:
    """Read ``text``. Nothing in it is an operator."""
    return Query(text[:MOST_CHARACTERS], days_in(text, today))
