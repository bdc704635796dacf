"""What a setting accepts: values of its default's type, in the range of its rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from hippocampus_cli.fast_types import NamedTuple

Value = bool | int | float | str | tuple[str, ...]

_TRUE = frozenset(("1", "true", "yes", "on"))
_FALSE = frozenset(("0", "false", "no", "off"))


class Refused(ValueError):
    """A value that a setting does not accept; its text completes "KEY must ..."."""


class Rule(NamedTuple):
    """A setting's explanation and range; ``low`` and ``high`` are both allowed values.

    ``check`` returns a text in its normal form or raises :class:`Refused`.
    """

    doc: str
    low: float = 0
    high: float = math.inf
    choices: tuple[str, ...] = ()
    check: Callable[[str], str] | None = None


Share = Annotated[float, Rule("", 0, 1)]
"""A setting from 0 to 1; its explanation is the other annotation."""


def rule_of(annotation: Any) -> Rule:
    """The rule of a setting that is annotated by one, or by :data:`Share` and an explanation."""
    first, *more = annotation.__metadata__
    return first._replace(doc=more[0]) if more else first  # type: ignore[no-any-return]


def accept(given: object, default: Value, of: Rule) -> Value:
    """``given`` as a value of ``default``'s type, in its normal form; raises :class:`Refused`."""
    if isinstance(default, bool):
        if not isinstance(given, bool):
            raise Refused("be true or false")
        return given
    if isinstance(default, (int, float)):
        return _number(given, default, of)
    if isinstance(default, str):
        if not isinstance(given, str):
            raise Refused("be text in quotes")
        return _word(given, of)
    if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
        raise Refused("be a list of texts")
    return tuple(dict.fromkeys(_word(item, of) for item in given))


def read(text: str, default: Value) -> object:
    """An environment variable's text as the kind of value ``default`` is; raises :class:`Refused`."""
    text = text.strip()
    if isinstance(default, bool):
        if text.lower() in _TRUE | _FALSE:
            return text.lower() in _TRUE
        raise Refused("be true or false")
    if isinstance(default, (int, float)):
        try:
            return type(default)(text)
        except ValueError:
            raise Refused(_kind(default)) from None
    if isinstance(default, str):
        return text
    return [item.strip() for item in text.split(",") if item.strip()]


def _number(given: object, default: int | float, of: Rule) -> int | float:
    whole = isinstance(default, int)
    if isinstance(given, bool) or not isinstance(given, int if whole else (int, float)):
        raise Refused(_kind(default))
    try:
        value = given if whole else float(given)
    except OverflowError:
        raise Refused(_range(of)) from None
    assert isinstance(value, (int, float))
    if not math.isfinite(value) or not of.low <= value <= of.high:
        raise Refused(_range(of))
    return value


def _word(given: str, of: Rule) -> str:
    if of.choices and given not in of.choices:
        raise Refused(f"be one of {', '.join(of.choices)}")
    return of.check(given) if of.check else given


def _kind(default: int | float) -> str:
    return "be a whole number" if isinstance(default, int) else "be a number"


def _range(of: Rule) -> str:
    if of.high == math.inf:
        return f"be at least {of.low:g}"
    return f"be from {of.low:.10g} to {of.high:.10g}"
