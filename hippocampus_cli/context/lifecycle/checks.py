"""What a value of a file must be: shared by sessions and policies."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple


class Check(NamedTuple):
    """Whether a value fits, and what it must be, in words."""

    fits: Callable[[Any], bool]
    words: str


def one_of(choices: tuple[str, ...]) -> Check:
    """One of these words."""
    return Check(
        lambda value: isinstance(value, str) and value in choices, f"one of {', '.join(choices)}"
    )


def list_of(check: Check) -> Check:
    """A list, each of its values so."""
    return Check(
        lambda value: isinstance(value, list) and all(map(check.fits, value)),
        f"a list, each {check.words}",
    )


def optional(check: Check) -> Check:
    """Null, or so."""
    return Check(lambda value: value is None or check.fits(value), f"{check.words} or null")


def number(most: float = inf) -> Check:
    """A number from 0 on."""
    words = "a number from 0" + (f" to {most:,}" if most < inf else "")
    return Check(lambda value: _is_number(value, int | float) and 0 <= value <= most, words)


def whole(most: float = inf) -> Check:
    """A whole number from 0 on."""
    words = "a whole number from 0" + (f" to {most:,}" if most < inf else "")
    return Check(lambda value: _is_number(value, int) and 0 <= value <= most, words)


def _is_number(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool) and abs(value) < inf


TEXT = Check(lambda value: isinstance(value, str), "text")
WORDS = Check(lambda value: isinstance(value, str) and bool(value.strip()), "text, and not empty")
FLAG = Check(lambda value: isinstance(value, bool), "true or false")
OBJECT = Check(lambda value: isinstance(value, dict), "an object")
