"""``hippo forget``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.consent import with_consent
from hippocampus_cli.cli.context import CommandContext, path_of
from hippocampus_cli.cli.options import DRY_RUN, YES, argument, option, takes, text_of
from hippocampus_cli.cli.output import Output, bold, count, cyan, dim, named, row
from hippocampus_cli.errors import NothingToForget

_UNNAMED = "$TEXT"
"""What stands in commands for a text that was read from standard input."""


@takes(
    argument("words", "TEXT", "A text; - reads it from standard input.", required=False),
    option("--path -p", "A note, or a folder of notes.", metavar="NOTE"),
    option("--session -s", "A session.", name="session_id", metavar="ID"),
    option("--notes", "Out of the notes too; a path goes as a whole."),
    option("--list", "List what was forgotten.", name="listed"),
    option("--undo", "Let it be derived again.", metavar="NUMBER", low=1),
    YES,
    DRY_RUN,
)
def command(
    session: CommandContext,
    *,
    words: list[str],
    path: Path | None,
    session_id: str = "",
    notes: bool,
    listed: bool,
    undo: int | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Forget a text, a note or a session: out of all that hippo keeps.

    Shows what holds it, asks, and removes it from the index, topic files, archive, journal, history, snapshots,
    sessions, compactions, reports, anchors, caches and vectors. A tombstone without content keeps it from coming
    back while a note still holds it. What hippo cannot reach is named, with the command for each.

    Examples:
      hippo forget "4815-1623" --dry-run
      hippo forget - --notes < secret.txt
      hippo forget --path memory/2026-05-01.md
      hippo forget --list
    """
    opened, output = session.open(), session.output
    if listed:
        _print_forgotten(output, opened.upkeep)
        return 0
    if undo:
        stone = opened.upkeep.unforget(undo)
        output.json({"undone": _tombstone(stone)})
        output.line(bold("undone"), _said(stone))
        return 0
    forget = partial(
        opened.upkeep.forget,
        text_of(words).strip("\r\n"),
        path=path_of(opened.root, path) or path.as_posix() if path else "",
        session=session_id,
        notes=notes,
        shown=_UNNAMED if words == ["-"] else "",
    )
    return _carry_out(output, opened.mind, forget, yes=yes, dry_run=dry_run)


def _carry_out(
    output: Output, mind: api.types.Mind, forget: partial[api.Forgot], *, yes: bool, dry_run: bool
) -> int:
    done = forget(dry_run=True)
    found = done.found
    if not (found.holders or found.notes):
        _print_beyond(output, found)
        raise NothingToForget(reason="no file of hippo and no note contains it")

    def act() -> None:
        nonlocal done
        done = forget()

    code = with_consent(
        output,
        "forget it, out of the notes too?" if found.target.notes else "forget it?",
        partial(_print_found, output, mind, found),
        act,
        yes=yes,
        dry_run=dry_run,
    )
    found = done.found
    output.json(
        row(
            found,
            "places removed beyond",
            sort=found.target.sort,
            tombstone=done.number,
            held=found.holders,
            notes=[row(note, "path lines") for note in found.notes],
            damaged=done.damaged,
            anchors_gone=done.anchors,
        )
    )
    if done.number:
        output.line(bold("forgotten"), dim(f"  tombstone {done.number}"))
    if done.anchors:
        output.line("the anchors were removed: hippo anchors build rebuilds them")
    for name in done.damaged:
        output.line(f"damaged, so not searched: rm -- {name}")
    _print_beyond(output, found)
    return code


def _print_found(output: Output, mind: api.types.Mind, found: api.ToForget) -> None:
    """The files that contain it, and the beliefs that go."""
    output.line(bold("found in") if found.holders else "no file of hippo contains it")
    rows = [
        (holder.name, cyan(count(holder.places, "place")), dim(f"in {count(holder.files, 'file')}"))
        for holder in found.holders
    ]
    output.table(rows, indent=2)
    if found.removed:
        output.line(f"  {count(found.removed, 'entry')} removed with hits, tags and priority")
    for held in mind.beliefs(every=True):
        if held.belief.id in found.gone:
            output.line(f"  the belief of {held.belief.since} is removed")
    for note in found.notes if found.target.notes else ():
        if not note.lines:
            output.line("  ", cyan(note.path), "  the whole file is removed")
        for line, after in zip(note.lines, note.after, strict=True):
            left = after or "the line is removed"
            output.line("  ", cyan(f"{note.path}:{line}"), f"  {left}")


def _print_beyond(output: Output, found: api.ToForget) -> None:
    """The places where hippo cannot remove it, with a command for each."""
    output.line(bold("where hippo cannot remove it"))
    for copies in found.beyond:
        output.line(f"  {copies.what}")
        if copies.files:
            output.line(dim(f"    {named(copies.files)}"))
        for command in copies.commands:
            output.line(f"    $ {command}")


def _print_forgotten(output: Output, upkeep: api.types.Upkeep) -> None:
    """The tombstones."""
    stones = upkeep.forgotten()
    output.json({"tombstones": [*map(_tombstone, stones)]})
    for stone in stones:
        output.line(cyan(f"{stone.number:>4}"), _said(stone))
    if not stones:
        output.line("nothing was forgotten")


def _said(stone: api.Tombstone) -> str:
    """When what was forgotten, for a person."""
    return f"  {stone.at:%Y-%m-%d %H:%M}  a {stone.sort}, out of {count(stone.places, 'place')}"


def _tombstone(stone: api.Tombstone) -> dict[str, object]:
    return row(stone, "at sort places", id=stone.number, session=stone.session or None)
