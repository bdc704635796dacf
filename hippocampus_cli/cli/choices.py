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


def filled(values: Sequence[str] | None, option: str, advice: str) -> list[str]:
    """The values of a repeatable option; raises :class:`UsageError` for one of blanks alone: nothing passes it."""
    if not all(value.strip() for value in values or ()):
        raise UsageError(reason=f"{option} has no value", advice=advice)
    return list(values or ())


def tags_of(values: Sequence[str] | None) -> list[str]:
    """The values of ``--tag``; raises as :func:`filled`."""
    return filled(values, "--tag", "name a tag, as in --tag deploy, or leave it out")


def paths_of(values: Sequence[str] | None) -> list[str]:
    """The values of ``--path``; raises as :func:`filled`."""
    return filled(
        values, "--path", "name files as in .gitignore, as in --path memory/, or leave it out"
    )
