"""Which questions are asked, and what is left out and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from bench.locomo.conversation import CATEGORIES, Conversation, Question

T = TypeVar("T")


class Skipped(NamedTuple):
    """What was left out: questions that have no answer (category 5), questions none of whose evidence exists,
    those beyond a limit, and references to turns that do not exist in the questions that are asked."""

    without_answer: int
    without_evidence: int
    beyond_limit: int
    references: int


class Chosen(NamedTuple):
    """The questions of each conversation that are asked."""

    questions: tuple[tuple[Question, ...], ...]
    skipped: Skipped


def choose(conversations: Sequence[Conversation], limit: int | None = None) -> Chosen:
    """The questions with an answer whose evidence exists; ``limit`` of them at most, spread evenly."""
    everything = [
        (at, question)
        for at, conversation in enumerate(conversations)
        for question in conversation.questions
    ]
    answerable = [row for row in everything if row[1].category in CATEGORIES]
    resolved = [row for row in answerable if row[1].evidence]
    asked = spread(resolved, limit)
    skipped = Skipped(
        without_answer=len(everything) - len(answerable),
        without_evidence=len(answerable) - len(resolved),
        beyond_limit=len(resolved) - len(asked),
        references=sum(question.unresolved for _, question in asked),
    )
    each = (
        tuple(question for at, question in asked if at == number)
        for number in range(len(conversations))
    )
    return Chosen(tuple(each), skipped)


def spread(rows: Sequence[T], limit: int | None) -> Sequence[T]:
    """``limit`` of the rows, at even distances; all of them where there are no more."""
    if limit is None or limit >= len(rows):
        return rows
    return [rows[at * len(rows) // limit] for at in range(limit)]
