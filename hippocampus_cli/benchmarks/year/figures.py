"""The figures of the year: what is measured at the end of a month, and what adds up along it."""

from __future__ import annotations

from typing import NamedTuple

ARMS = ("upkeep", "no upkeep", "keep everything")


class Plan(NamedTuple):
    """How a year is made: ``asked`` questions a day, ``held_out`` to measure a month with, ``last`` at the end."""

    days: int = 365
    seed: int = 1
    asked: int = 6
    held_out: int = 50
    last: int = 300


class Month(NamedTuple):
    """How an arm stands on a day. Shares from 0 to 1; ``index5`` is hit@5 of the index alone.

    ``hits`` is hit@5 by kind of question; ``tokens`` a question; ``master`` the master's tokens now;
    ``suppressed`` entries a question that matched and were kept back. ``broken``: pointers that lead
    nowhere; ``marked`` of them stand in an entry that says so, ``lost`` of them mean what is elsewhere now;
    ``oldest``: days that one has been broken without its entry saying so.
    """

    day: str
    notes: int
    hit1: float
    hit5: float
    index5: float
    hits: dict[str, float]
    tokens: float
    suppressed: float
    master: int
    entries: int
    topics: int
    queue: int
    archive: int
    broken: int
    marked: int
    lost: int
    oldest: int


class Course(NamedTuple):
    """A year of one arm. ``most`` is the largest master in tokens, ``oldest`` the oldest unmarked broken pointer.

    ``right`` and ``wrong`` are re-pointed pointers by whether they lead to what they meant; ``refused`` are
    cycles that stopped at the loss limit; ``slowest`` is the slowest cycle in seconds. ``mistakes`` names
    wrong repairs and refusals.
    """

    arm: str
    months: tuple[Month, ...]
    most: int
    budget: int
    oldest: int
    right: int
    wrong: int
    proposed: int
    cycles: int
    refused: int
    slowest: float
    mistakes: tuple[str, ...]

    @property
    def end(self) -> Month:
        """How it stands on the last day."""
        return self.months[-1]


class Report(NamedTuple):
    """All that was measured: the plan, the first day, how much was written, the arms."""

    plan: Plan
    first: str
    written: int
    facts: int
    seconds: float
    courses: tuple[Course, ...]
