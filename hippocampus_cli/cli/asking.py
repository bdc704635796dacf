"""What ``hippo query`` does once its words are understood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hippocampus_cli.cli.choices import KINDS, PRIORITIES, chosen, paths_of, tags_of
from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.dates import day
from hippocampus_cli.cli.stdin import text_of


def ask(
    session: Session,
    words: Sequence[str],
    *,
    mode: str | None = None,
    limit: int | None = None,
    tokens: int | None = None,
    tag: Sequence[str] | None = None,
    kind: Sequence[str] | None = None,
    path: Sequence[str] | None = None,
    since: str | None = None,
    until: str | None = None,
    pri: Sequence[str] | None = None,
    no_write: bool = False,
    explain: bool = False,
    fence: bool = False,
) -> int:
    """Ask, print the answer; the exit code. The arguments are the command's. Raises :class:`HippoError`."""
    from hippocampus_cli.cli.render import answer

    conditions: dict[str, Any] = {
        "mode": mode,
        "limit": limit,
        "tokens": tokens,
        "tags": tags_of(tag),
        "kinds": chosen(kind, KINDS, "--type"),
        "paths": paths_of(path),
        "priorities": chosen(pri, PRIORITIES, "--pri"),
        "since": day(since, "--since", session.now),
        "until": day(until, "--until", session.now),
    }
    text = text_of(words)
    with (
        session.output.progress("reading notes") as advance,
        session.open(advance) as opened,
    ):
        result = opened.query(text, **conditions, write=not no_write, now=session.now)
    if session.output.as_json:
        session.output.json(answer.as_document(result, explain=explain))
    elif fence:
        from hippocampus_cli.workspace.fence import fenced

        answer.print_notices(session.output, result)
        pieces = answer.fenced(result, explain=explain)
        session.output.text(fenced(pieces, session.random))
    else:
        answer.print_answer(session.output, result, explain=explain, filters=_filters(conditions))
    return 0 if result.results else 1


def _filters(conditions: dict[str, Any]) -> str:
    """The conditions on entries and notes, as options."""
    names = {"tags": "--tag", "kinds": "--type", "paths": "--path", "priorities": "--pri"}
    several = [f"{names[key]} {value}" for key in names for value in conditions[key]]
    days = [f"--{key} {conditions[key]}" for key in ("since", "until") if conditions[key]]
    return " ".join([*several, *days])
