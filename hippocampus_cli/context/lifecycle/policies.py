"""Lifecycle policies (CONTEXT §10): what is done with an entry by what it is. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from hippocampus_cli.context.lifecycle.session import Compression, EntryType, Priority

_UNSPACED = "\u2e80"  # from here on scripts are written without spaces


class Match(NamedTuple):
    """What a policy is for; every matcher that is given must fit, any one of its values.

    ``source_type`` may hold ``*`` and ``?``; ``contains`` are words or phrases, in any case.
    """

    type: tuple[str, ...] = ()
    priority: tuple[str, ...] = ()
    source_type: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()


class Action(NamedTuple):
    """What a policy does; ``None`` leaves a value as it is. ``decay_rate`` is per turn."""

    decay_rate: float | None = None
    priority: Priority | None = None
    persist: bool | None = None
    expires_after_turns: int | None = None
    indexed: bool | None = None
    compression: Compression | None = None

    def then(self, later: Action) -> Action:
        """Both actions, the ``later`` one having the last word."""
        given = {name: value for name, value in later._asdict().items() if value is not None}
        return self._replace(**given)


class Policy(NamedTuple):
    """One policy; ``line`` is where it stands in the policies' file, ``None`` for one that is built in."""

    match: Match
    action: Action
    line: int | None = None


class Candidate(NamedTuple):
    """What a policy may look at."""

    type: EntryType
    source_type: str
    priority: Priority
    text: str


class Judged(NamedTuple):
    """What all fitting policies want together, and which they are."""

    action: Action
    policies: tuple[Policy, ...] = ()


def judge(candidate: Candidate, policies: Sequence[Policy], given: Priority | None) -> Judged:
    """The policies that fit, one after another: a later one sees the priority that an earlier one set.

    A priority that was ``given`` by hand is not up to policies.
    """
    action, fitting = Action(), []
    for policy in policies:
        priority = given or action.priority or candidate.priority
        if fits(candidate._replace(priority=priority), policy.match):
            action = action.then(policy.action)
            fitting.append(policy)
    return Judged(action, tuple(fitting))


def fits(candidate: Candidate, match: Match) -> bool:
    """Whether the candidate meets every matcher that is given."""
    if match.type and candidate.type not in match.type:
        return False
    if match.priority and candidate.priority not in match.priority:
        return False
    kinds = match.source_type
    if kinds and not any(fnmatchcase(candidate.source_type, kind) for kind in kinds):
        return False
    return not match.contains or contains(candidate.text, match.contains)


def contains(text: str, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases stands in ``text`` as whole words, in any case."""
    return bool(_pattern(tuple(phrases)).search(text))


def built_in(instruction_words: tuple[str, ...]) -> tuple[Policy, ...]:
    """The policies of CONTEXT §10, which hold where a workspace has none of its own.

    The first of them, for tool results, says what the settings say anyway.
    """
    return (
        Policy(
            Match(type=("message",), source_type=("user",), contains=instruction_words),
            Action(priority="high", persist=True),
        ),
        Policy(
            Match(type=("tool_result",), source_type=("error",)), Action(expires_after_turns=50)
        ),
        Policy(
            Match(source_type=("browser.snapshot",)),
            Action(0.2, indexed=True, compression="aggressive"),
        ),
        Policy(Match(source_type=("config.schema", "config.get")), Action(0.3, persist=False)),
    )


@cache
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    parts = (_whole(phrase) for phrase in phrases if phrase.strip())
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _whole(phrase: str) -> str:
    words = r"\s+".join(map(re.escape, phrase.split()))
    before = r"(?<!\w)" if _bounded(phrase.strip()[0]) else ""
    after = r"(?!\w)" if _bounded(phrase.strip()[-1]) else ""
    return before + words + after


def _bounded(char: str) -> bool:
    return char.isalnum() and char < _UNSPACED
