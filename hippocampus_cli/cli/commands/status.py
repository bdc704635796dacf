"""``hippo status``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import takes
from hippocampus_cli.cli.output import (
    Output,
    Part,
    Styled,
    bold,
    count,
    counts,
    named,
    plain,
    yellow,
)

_LABEL = 13
_NAMED = 3  # unindexed and missing notes that are named


@takes()
def command(session: CommandContext) -> None:
    """Show how the index and the notes stand, and what is due.

    Entries by strength, the size of the index against its budget, notes and what was not read.

    Examples:
      hippo status
      hippo status --json
    """
    status = session.open().status()
    session.output.json({**plain(status), "unread": [[*note] for note in status.unread]})
    print_status(session.output, status, session.now)


def print_status(output: Output, status: api.Status, now: datetime) -> None:
    """The index, its entries by strength, the notes, what is due."""
    due = (("due", line) for line in [*_due(status, now)] or ["nothing"])
    output.facts([*_about_index(status, now), *_about_notes(status), *due], _LABEL)


def _about_index(status: api.Status, now: datetime) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    pinned = f", {status.pinned} pinned" if status.pinned else ""
    beyond = f", {status.in_topics:,} in topic files" if status.in_topics else ""
    markers = f", markers of a merge at {named(status.conflicts, 1)}" if status.conflicts else ""
    yield (
        "index",
        bold("HIPPOCAMPUS.md"),
        f", {count(status.entries, 'entry')}{beyond}{pinned}",
        Styled(markers, "bold red"),
    )
    if status.lost:
        gone = f"{status.lost:,} of {count(status.known, 'entry')} since hippo last wrote it"
        yield "lost", Styled(gone, "bold red"), " (hippo check says what to do)"
    share = status.tokens / status.max_tokens
    yield "tokens", f"{status.tokens:,} of {status.max_tokens:,} ({share:.0%})"
    yield "reindexed", _when(status.reindexed, now)
    yield "strength", counts(status.bands)
    yield "fading", status.fading


def _about_notes(status: api.Status) -> Iterator[tuple[str, Part]]:
    yield "notes", f"{count(status.notes, 'file')}, {count(status.note_tokens, 'token')}"
    yield "skipped", counts(status.skipped)
    for note in status.unread:
        yield "not read", yellow(f"{note.path}: {note.reason}")
    yield "mind", counts(status.mind)


def _when(stamp: str | None, now: datetime) -> str:
    moment = api.entries.read_date(stamp) if stamp else None
    if moment is None:
        return f"{stamp} (not a date)" if stamp else "never"
    if isinstance(moment, datetime):
        moment = (moment.astimezone(now.tzinfo) if moment.tzinfo else moment).date()
    return f"{stamp}, {_ago(moment, now)}"


def _ago(day: date, now: datetime) -> str:
    days = (now.date() - day).days
    if days < 0:
        return "in the future"
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")


def _due(status: api.Status, now: datetime) -> Iterator[str]:
    if status.tokens > status.max_tokens:
        over = f"{status.tokens - status.max_tokens:,} tokens over its budget"
        yield f"the index is {over} (hippo maintain --weekly)"
    yield from _upkeep(status, now)
    if status.waiting:
        memories = count(len(status.waiting), "memory")
        yield f"{memories} to be written: {named(status.waiting, _NAMED)} (hippo maintain; or forget TEXT)"
    if status.missing:
        gone = count(len(status.missing), "missing note")
        yield f"{gone} that entries point at: {named(status.missing, _NAMED)} (hippo check)"
    if status.unindexed:
        yield f"{count(len(status.unindexed), 'note')} that no entry points at: {named(status.unindexed, _NAMED)}"
    if status.bare:
        yield f"{count(status.bare, 'bullet')} without metadata (hippo check --fix)"


def _upkeep(status: api.Status, now: datetime) -> Iterator[str]:
    """The alarm: upkeep that does not run any more, or never has."""
    if not any(status.cycles.values()):
        yield (
            "upkeep has never run (hippo maintain), and runs automatically only when it is scheduled"
            " (hippo schedule install)"
        )
        return
    for cycle in status.overdue:
        last = status.cycles[cycle]
        when = f"last ran {_ago(last.astimezone(now.tzinfo).date(), now)}" if last else "never ran"
        yield f"{cycle} upkeep {when} (hippo maintain --due)"
