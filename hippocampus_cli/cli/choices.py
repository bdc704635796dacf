"""The words that options choose among; no typer, so that a query can check them without it."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.errors import UsageError

KINDS = ("config", "daily", "state", "project", "doc", "research", "skill", "agent", "temp")
PRIORITIES = ("amygdala", "normal", "low")
BANDS = ("strong", "moderate", "weak", "decaying", "silent")


def chosen(values: Sequence[str] | None, allowed: Sequence[str], option: str) -> list[str]:
    """The values of a repeatable option; raises :class:`UsageError` for one that is not ``allowed``.

    typer has choices for a single value only.
    """
    for value in values or ():
        if value not in allowed:
            raise UsageError(
                reason=f"{option}: there is no {value[:40]!r}",
                advice=f"use one of {', '.join(allowed)}",
            )
    return list(values or ())
