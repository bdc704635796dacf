"""What a program gives as text, looked at before anything is written with it."""

from __future__ import annotations

from collections.abc import Iterable

from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.metadata import Priority


def require_text(*values: str, errors: str = "strict") -> None:
    """Raises :class:`UsageError` for what no file can keep as it is: halves of characters, and what is no str.

    With ``errors="surrogateescape"`` bytes that are no UTF-8 may stand in it, as Python escapes them.
    """
    for value in values:
        try:
            value.encode("utf-8", errors)
        except (UnicodeEncodeError, AttributeError):
            reason = f"{ascii(value)[:60]} is not UTF-8 text"
            raise UsageError(reason=reason, advice="give it as a str of whole characters") from None


def texts(values: Iterable[str], errors: str = "strict") -> tuple[str, ...]:
    """Several texts. Raises :class:`UsageError` for a single str, whose letters would be taken, and as above."""
    if isinstance(values, str):
        reason = f"{values[:60]!r} is one text where a list of them is wanted"
        raise UsageError(reason=reason, advice=f"write it as [{values[:60]!r}]")
    several = tuple(values)
    require_text(*several, errors=errors)
    return several


def require_priority(pri: str) -> Priority:
    """The priority of this name. Raises :class:`UsageError` for a word that is none."""
    try:
        return Priority(pri)
    except ValueError:
        advice = f"use one of {', '.join(Priority)}"
        raise UsageError(reason=f"{pri!r} is not a priority", advice=advice) from None
