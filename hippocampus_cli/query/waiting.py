"""Memories that wait to be written into their logs, as places that answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.markdown.tokens import beginning, tokens
from hippocampus_cli.query.request import Query, Request
from hippocampus_cli.query.results import WAITING, Result
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import terms, terms_of

if TYPE_CHECKING:
    from hippocampus_cli.entries.kept import Kept
    from hippocampus_cli.query.ask import Answer

_LIKELY = 0.5  # of a memory that no search has compared with the notes: it is shown as not sure
_LEAST = 0.5  # of the words of a question


def with_waiting(answer: Answer, kept: Sequence[Kept], request: Request) -> Answer:
    """The answer with the memories that have half of the words of the question before its results."""
    anywhere = not (request.mode == "index" or request.tags or request.where)
    likely = [
        _result(memory, request.tokens)
        for memory in kept
        if anywhere and _share(memory, answer.query) >= _LEAST
    ]
    if not likely:
        return answer
    shown = request.first([*likely, *answer.results])
    most = max(answer.confidence, _LIKELY)
    return answer._replace(results=shown, confidence=most, closest="")


def _share(memory: Kept, query: Query) -> float:
    """How many of the words of a question a memory has."""
    there = frozenset(terms(f"{memory.title} {memory.text}"))
    asked = [not there.isdisjoint(terms_of(word)) for word in query.telling]
    return sum(asked) / max(1, len(asked))


def _result(memory: Kept, room: int) -> Result:
    text = shorten(memory.text, beginning(memory.text, room - 1) or 1)
    return Result(
        rank=0,
        path=memory.path,
        section=memory.heading,
        start_line=0,
        end_line=0,
        text=text,
        tokens=tokens(text),
        score=1.0,
        source=WAITING,
        cut=text != memory.text,
        date=memory.at.date(),
        dated_by="line",
    )
