"""``hippo status``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import takes
from hippocampus_cli.cli.output import (
    BAND_STYLES,
    Output,
    Part,
    Styled,
    bold,
    count,
    dim,
    named,
    plain,
    yellow,
)

INDEX = "HIPPOCAMPUS.md"
_LABEL = 13
_LONGEST_BAR = 40
_NAMED = 3  # unindexed and missing notes that are named
_LISTED = 12  # notes that cannot be read, or not in full
_SKIPPED = {
    "folder": "in folders that hold no notes",
    "kind": "of other kinds",
    "too-large": "too large",
    "link": "links",
    "link-outside": "links to outside",
}
_COARSE = "so many headings that the last ones open no section; split it"


@takes()
def command(session: CommandContext) -> None:
    """Show how the index and the notes stand, and what is due.

    Entries by strength, the size of the index against its budget, notes and what was not read.

    Examples:
      hippo status
      hippo status --json
    """
    with session.open_as_is() as opened:
        status = opened.status()
    if session.output.as_json:
        session.output.json({**plain(status), "unread": [[*note] for note in status.unread]})
    else:
        print_status(session.output, status, session.now)


def print_status(output: Output, status: api.Status, now: datetime) -> None:
    """The index, its entries by strength, the notes, what is due."""
    output.facts(_about_index(status, now), _LABEL)
    output.line()
    output.facts(_bands(output, status), _LABEL)
    output.line()
    notes = f"{count(status.notes, 'file')}, {status.note_tokens:,} tokens"
    skipped = (f"{number:,} {_SKIPPED.get(why, why)}" for why, number in status.skipped.items())
    unread = [yellow(f"{note.path}: {note.reason}") for note in status.unread]
    coarse = [yellow(f"{path}: {_COARSE}") for path in status.coarse]
    output.facts([("notes", notes), ("skipped", ", ".join(skipped))], _LABEL)
    output.facts([*_below("not read", unread), *_below("coarse", coarse)], _LABEL)
    mind = ", ".join(f"{number:,} {name}" for name, number in status.mind.items())
    output.facts([("mind", mind)] if mind else [], _LABEL)
    output.line()
    output.facts(_below("due", [*_due(status, now)] or ["nothing"]), _LABEL)


def _below(title: str, lines: Sequence[Part]) -> list[tuple[str, Part]]:
    """So many lines under one name."""
    more = [f"and {len(lines) - _LISTED:,} more (--json)"] if len(lines) > _LISTED else []
    return [
        ("" if number else title, line) for number, line in enumerate([*lines[:_LISTED], *more])
    ]


def _about_index(status: api.Status, now: datetime) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    version = f", version {status.version}" if status.version else ""
    pinned = f", {status.pinned} pinned" if status.pinned else ""
    beyond = f", {status.in_topics:,} in topic files" if status.in_topics else ""
    yield "index", bold(INDEX), f", {count(status.entries, 'entry')}{beyond}{pinned}{version}"
    if status.lost:
        gone = f"{status.lost:,} of {count(status.known, 'entry')} since hippo last wrote it"
        yield "lost", Styled(gone, "bold red"), " (hippo check says what to do)"
    share = status.tokens / status.max_tokens
    full = "bold red" if share > 1 else "yellow" if share > 0.9 else ""
    yield "tokens", Styled(f"{status.tokens:,} of {status.max_tokens:,} ({share:.0%})", full)
    yield "reindexed", *_when(status.reindexed, now)


def _when(stamp: str | None, now: datetime) -> list[Part]:
    moment = api.entries.read_date(stamp) if stamp else None
    if moment is None:
        return [f"{stamp} (not a date)" if stamp else "never"]
    if not isinstance(moment, datetime):
        return [str(moment), dim(f", {_ago(moment, now)}")]
    local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
    return [f"{local:%Y-%m-%d %H:%M}", dim(f", {_ago(local.date(), now)}")]


def _ago(day: date, now: datetime) -> str:
    days = (now.date() - day).days
    if days < 0:
        return "in the future"
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")


def _bands(output: Output, status: api.Status) -> Iterator[tuple[str, *tuple[Part, ...]]]:
    most = max(1, *status.bands.values())
    room = min(_LONGEST_BAR, max(5, output.width - _LABEL - 10)) if output.terminal else 0
    for band, number in status.bands.items():
        length = max(1, round(number / most * room)) if number and room else 0
        bar = Styled("▇" * length + " " * bool(length), BAND_STYLES.get(band, ""))
        yield band, bar, f"{number:,}"


def _due(status: api.Status, now: datetime) -> Iterator[str]:
    if status.tokens > status.max_tokens:
        over = status.tokens - status.max_tokens
        yield f"the index is {over:,} tokens over its budget (hippo maintain --weekly)"
    yield from _upkeep(status, now)
    if status.waiting:
        verb = "waits" if len(status.waiting) == 1 else "wait"
        memories = count(len(status.waiting), "memory")
        yield f"{memories} {verb} to be written: {named(status.waiting, _NAMED)} (hippo maintain)"
    if status.missing:
        gone = count(len(status.missing), "missing note")
        yield f"{gone} that entries point at: {named(status.missing, _NAMED)} (hippo check)"
    if status.unindexed:
        notes = count(len(status.unindexed), "note")
        yield f"{notes} that no entry points at: {named(status.unindexed, _NAMED)}"
    if status.bare:
        yield f"{count(status.bare, 'bullet')} without metadata (hippo check --fix)"
    if status.silent_waiting:
        waiting = count(status.silent_waiting, "silent entry")
        yield f"{waiting} to be moved into the Decay Queue (hippo maintain)"


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
