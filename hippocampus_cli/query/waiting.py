"""Memories that wait to be written into their logs, as places that answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.request import Request
from hippocampus_cli.query.results import WAITING, Result
from hippocampus_cli.search.query_parser import Query
from hippocampus_cli.text.terms import terms, terms_of

if TYPE_CHECKING:
    from hippocampus_cli.entries.kept import Kept

LIKELY = 0.5
"""The confidence in a memory that no search has compared with the notes: it is shown as not sure."""
_LEAST = 0.5  # of the words of a question
_LONGEST = 2000  # characters


def with_waiting(
    results: Sequence[Result], kept: Sequence[Kept], query: Query, request: Request
) -> tuple[Result, ...]:
    """The results with the memories that have words of the question: first those that have all of them."""
    if request.mode == "index" or request.by_entry or request.kinds or request.paths:
        return tuple(results)
    shares = {one.identity: _share(one, query) for one in kept if _is_in_time(one, request)}
    likely = [one for one in kept if shares.get(one.identity, 0.0) >= _LEAST]
    first = [_result(one) for one in likely if shares[one.identity] == 1.0]
    last = [_result(one) for one in likely if shares[one.identity] < 1.0]
    return tuple(_within(request, [*first, *results, *last]))


def _share(one: Kept, query: Query) -> float:
    """How many of the words of a question a memory has."""
    there = set(terms(f"{one.title} {one.text}"))
    asked = [any(term in there for term in terms_of(word)) for word in query.telling]
    return sum(asked) / len(asked) if asked else 0.0


def _is_in_time(one: Kept, request: Request) -> bool:
    day = one.at.date()
    return not ((request.since and day < request.since) or (request.until and day > request.until))


def _result(one: Kept) -> Result:
    text = one.text if len(one.text) <= _LONGEST else f"{one.text[:_LONGEST].rstrip()}…"
    return Result(
        rank=0,
        path=one.path,
        section=one.memory.heading,
        start_line=0,
        end_line=0,
        text=text,
        tokens=tokens(text),
        score=1.0,
        source=WAITING,
        cut=text != one.text,
        date=one.at.date(),
        dated_by="line",
    )


def _within(request: Request, results: Sequence[Result]) -> Iterator[Result]:
    """As many as were asked for; the first one whatever its size."""
    used = 0
    for rank, one in enumerate(results[: request.limit], 1):
        used += one.tokens
        if rank > 1 and used > request.tokens:
            return
        yield one._replace(rank=rank)
