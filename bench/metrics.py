"""How much of what answers a question stands how early in what was returned; means with 95 % intervals; quantiles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import NamedTuple, TypeVar


class Span(NamedTuple):
    """Lines of a file, 1-based and inclusive; ``score`` compares passages of one answer, where there is one."""

    path: str
    start: int
    end: int
    score: float | None = None


Line = tuple[str, int]
"""A path and a line of it, from 1."""


class Corpus(NamedTuple):
    """``files`` are paths and their lines, without line ends; ``units`` the lines that can be evidence;
    ``sections`` the parts between headings; ``messages`` what is said in one go, where that is several lines."""

    files: Mapping[str, Sequence[str]]
    units: frozenset[Line]
    sections: tuple[Span, ...]
    messages: tuple[Span, ...] = ()

    def text(self, span: Span) -> str:
        """The lines of a span, each with its line end."""
        return "".join(f"{line}\n" for line in self.files[span.path][span.start - 1 : span.end])

    def whole(self) -> Iterator[Span]:
        """Every file as a span, by path."""
        return (Span(path, 1, len(self.files[path])) for path in sorted(self.files))


T = TypeVar("T")

FILES_AT = (1, 5, 10)
UNITS_AT = (5, 10, 20)
BUDGETS = (500, 1000, 2000)  # tokens
METRICS = {
    **{f"files_at_{k}": f"F@{k}" for k in FILES_AT},
    "any_at_5": "any@5",
    "all_at_5": "all@5",
    **{f"turns_at_{k}": f"T@{k}" for k in UNITS_AT},
    **{f"cov_{n}": f"cov{n}" if n < 1000 else f"cov{n // 1000}k" for n in BUDGETS},
}
"""The names of the figures, in their order, and what tables call them."""


class Shown(NamedTuple):
    """One result as it is read: its ``text``, the lines that it shows, whether it is marked as superseded."""

    path: str
    text: str
    spans: tuple[Span, ...]
    superseded: bool = False


class Ranked(NamedTuple):
    """What a method gave for a question.

    ``shown`` in the order it is printed; ``tokens`` are those of its first five places, or of all that it
    always returns. ``ask_within`` asks once more, for an answer of so many tokens; a method without it is read
    from the beginning until they are used up. ``results`` are the places as they are read, at least the first
    five; ``confidence`` is the word for how sure the answer is, None where a method has none.
    """

    shown: tuple[Span, ...]
    tokens: int
    ask_within: Callable[[int], tuple[Span, ...]] | None = None
    results: tuple[Shown, ...] = ()
    confidence: str | None = None

    @property
    def best(self) -> tuple[Span, ...]:
        """The spans by score where all have one, else as shown."""
        if any(span.score is None for span in self.shown):
            return self.shown
        return tuple(sorted(self.shown, key=lambda span: -(span.score or 0.0)))

    def within(self, budget: int) -> tuple[Span, ...]:
        """What is read by somebody who has ``budget`` tokens."""
        return self.ask_within(budget) if self.ask_within else self.shown


def figures(ranked: Ranked, gold: AbstractSet[Line], corpus: Corpus) -> tuple[float, ...]:
    """The values of :data:`METRICS` for one question, whose right lines are ``gold`` (not empty)."""
    wanted = {path for path, _ in gold}
    files = list(dict.fromkeys(span.path for span in ranked.shown))
    units = list(islice(_units(ranked.best, corpus), max(UNITS_AT)))
    five = _share(wanted, files[:5])
    return (
        *(_share(wanted, files[:k]) for k in FILES_AT),
        float(five > 0),
        float(five == 1),
        *(_share(gold, units[:k]) for k in UNITS_AT),
        *(covered(ranked.within(n), gold, corpus, n * 4) for n in BUDGETS),
    )


def _share(wanted: AbstractSet[T], given: Sequence[T]) -> float:
    return len(wanted & set(given)) / len(wanted)


def _units(spans: Iterable[Span], corpus: Corpus) -> Iterator[Line]:
    """The distinct units of the spans, in order."""
    seen: set[Line] = set()
    for line in _lines(spans):
        if line in corpus.units and line not in seen:
            seen.add(line)
            yield line


def covered(
    spans: Iterable[Span], gold: AbstractSet[Line], corpus: Corpus, characters: int
) -> float:
    """The share of the right lines that end within so many characters; a line counts once."""
    seen: set[Line] = set()
    for path, number in _lines(spans):
        if (path, number) in seen:
            continue
        characters -= len(corpus.files[path][number - 1]) + 1
        if characters < 0:
            break
        seen.add((path, number))
    return len(gold & seen) / len(gold)


def _lines(spans: Iterable[Span]) -> Iterator[Line]:
    return ((span.path, number) for span in spans for number in range(span.start, span.end + 1))


RESAMPLES = 1000
SEED = 1
Value = float | None
"""A figure of one question; None where the question says nothing about it."""


class Interval(NamedTuple):
    """A mean, and the bounds between which 95 % of the means of resampled questions lie."""

    value: float
    low: float
    high: float


def intervals(
    columns: Sequence[Sequence[Value]], resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Interval | None, ...]:
    """One for each column of equally many values, one a question; the same for the same seed.

    All columns are resampled alike, so methods that are compared meet the same draws. None counts for nothing; a
    column of nothing else has no interval.
    """
    count = len(columns[0]) if columns else 0
    if not count:
        return tuple(Interval(0.0, 0.0, 0.0) for _ in columns)
    dice = random.Random(seed)
    means: list[list[float]] = [[] for _ in columns]
    add_up = [_adder(column) for column in columns]
    for _ in range(resamples):
        drawn = dice.choices(range(count), k=count)
        for mean, found in zip(add_up, means, strict=True):
            value = mean(drawn)
            if value is not None:
                found.append(value)
    return tuple(
        _interval(mean_of(column), sorted(found))
        for column, found in zip(columns, means, strict=True)
    )


def _adder(column: Sequence[Value]) -> Callable[[list[int]], Value]:
    """What gives the mean of drawn rows; a column that has all its values is quicker."""
    if None in column:
        return lambda drawn: mean_of([column[at] for at in drawn])
    whole: Sequence[float] = column  # type: ignore[assignment]
    return lambda drawn: sum(map(whole.__getitem__, drawn)) / len(drawn)


def mean_of(values: Sequence[Value]) -> Value:
    """The mean of those that are there; None where none is."""
    there = [one for one in values if one is not None]
    return sum(there) / len(there) if there else None


def _interval(value: Value, means: list[float]) -> Interval | None:
    if value is None:
        return None
    tail = int(len(means) * 0.025)
    return (
        Interval(value, means[tail], means[-1 - tail]) if means else Interval(value, value, value)
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the ordered values lie; 0 where there are none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
