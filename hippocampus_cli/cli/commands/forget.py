"""``hippo forget``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.consent import explain_refusal, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import (
    DRY_RUN,
    NUMBER,
    PATH,
    SHARED,
    YES,
    argument,
    flag,
    option,
    takes,
)
from hippocampus_cli.cli.values import day, text_of

if TYPE_CHECKING:
    from hippocampus_cli.api import Forgot
    from hippocampus_cli.api.workspace import Workspace

_UNNAMED = "$TEXT"
"""What stands in commands for a text that was read from standard input."""


@takes(
    argument(
        "words", "TEXT", "A text; - reads it from standard input.", required=False, several=True
    ),
    option("--path -p", "A note, or a folder of notes.", metavar="NOTE", kind=PATH),
    option("--session -s", "A session.", name="session_id", metavar="ID", complete="session_ids"),
    option("--since", "All of this day and later (2026-05-01, 30d).", metavar="DAY"),
    option("--until", "All of this day and before.", metavar="DAY"),
    flag("--notes", "Out of the notes too; a path goes as a whole."),
    flag("--list", "List what was forgotten.", name="listed"),
    option("--undo", "Let it be derived again.", metavar="NUMBER", kind=NUMBER, low=1),
    YES,
    DRY_RUN,
    *SHARED,
)
def command(
    session: CommandContext,
    words: list[str],
    path: Path | None,
    session_id: str | None,
    since: str | None,
    until: str | None,
    notes: bool,
    listed: bool,
    undo: int | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Forget a text, a note, a session or some days: out of all that hippo keeps.

    Shows what holds it, asks, and removes it from the index, topic files, archive, journal, history, snapshots,
    sessions, compactions, reports, anchors, caches and vectors. A tombstone without content keeps it from coming
    back while a note still holds it. What hippo cannot reach is named, with the command for each.

    Examples:
      hippo forget "4815-1623" --dry-run
      hippo forget - --notes < secret.txt
      hippo forget --path memory/2026-05-01.md
      hippo forget --since 2026-05-01 --until 2026-05-07
      hippo forget --list
    """
    if listed or undo is not None:
        return _tombstones(session, undo)
    text = text_of(words).strip("\r\n")
    first, last = day(since, "--since", session.now), day(until, "--until", session.now)
    shown = _UNNAMED if words == ["-"] else ""
    with session.open() as opened:
        forget = partial(
            opened.upkeep.forget,
            text,
            path=_relative(opened, path),
            session=session_id or "",
            since=first,
            until=last,
            notes=notes,
            shown=shown,
            now=session.now,
        )
        return _carry_out(session, forget, yes=yes, dry_run=dry_run)


def _tombstones(session: CommandContext, undo: int | None) -> int:
    from hippocampus_cli.cli.render import forget as render

    with session.open() as opened:
        if undo is None:
            stones, finished = opened.upkeep.forgotten(), opened.upkeep.is_forgetting_done()
            render.print_tombstones(session.output, stones, finished=finished)
        else:
            render.print_unforgotten(session.output, opened.upkeep.unforget(undo))
    return 0


def _carry_out(
    session: CommandContext, forget: partial[Forgot], *, yes: bool, dry_run: bool
) -> int:
    from hippocampus_cli.cli.render import forget as render
    from hippocampus_cli.errors import NothingToForget

    output = session.output
    plan = forget(dry_run=True)
    if not (plan.found.holders or plan.found.notes or plan.found.paths):
        render.print_beyond(output, plan.found)
        raise NothingToForget
    done = [plan]

    def show() -> None:
        if not output.as_json:
            render.print_found(output, plan.found)

    def act() -> None:
        done.append(forget())

    question = "forget it, out of the notes too?" if plan.found.target.notes else "forget it?"
    code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run)
    if output.as_json:
        output.json(render.document(done[-1]))
    else:
        render.print_forgot(output, done[-1])
        explain_refusal(output, code)
    return code


def _relative(opened: Workspace, path: Path | None) -> str:
    """A note's path from the root; one given relatively is meant from there, or else from here."""
    if path is None:
        return ""
    if path.is_absolute() or (not (opened.root / path).exists() and path.exists()):
        return opened.path_of(path) or path.as_posix()
    return path.as_posix().rstrip("/")
