"""``hippo status``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import takes
from hippocampus_cli.cli.output import (
    BAND_STYLES,
    Output,
    Part,
    Styled,
    count,
    label,
    named,
    plain,
    safe_line,
)

if TYPE_CHECKING:
    from hippocampus_cli.api import Status

INDEX = "HIPPOCAMPUS.md"
_LABEL = 13
_LONGEST_BAR = 40
_NAMED = 3  # unindexed and missing notes that are named
_LISTED = 12  # notes that cannot be read, or only in larger pieces
_SKIPPED = {
    "folder": "in folders that hold no notes",
    "kind": "of other kinds",
    "too-large": "too large",
    "link": "links",
    "link-outside": "links to outside",
}


@takes()
def command(session: CommandContext) -> None:
    """Show how the index and the notes stand, and what is due.

    Entries by strength, the size of the index against its budget, notes and what was not read.

    Examples:
      hippo status
      hippo status --json
    """
    output = session.output
    with session.open_as_is() as opened:
        status = opened.status(now=session.now)
    if output.as_json:
        output.json({**plain(status), "unread": [[*note] for note in status.unread]})
    else:
        print_status(output, status, session.now)


def print_status(output: Output, status: Status, now: datetime) -> None:
    """The index, its entries by strength, the notes, what is due."""
    _print_lines(output, "index", [[Styled(INDEX, "bold"), f", {_size(status)}"]])
    if status.lost:
        gone = f"{status.lost:,} of {count(status.known, 'entry', 'entries')} since hippo last wrote it"
        advice = " (hippo check says what to do)"
        _print_lines(output, "lost", [[Styled(gone, "bold red"), advice]])
    share = status.tokens / status.max_tokens
    full = "bold red" if share > 1 else "yellow" if share > 0.9 else ""
    used = Styled(f"{status.tokens:,} of {status.max_tokens:,} ({share:.0%})", full)
    _print_lines(output, "tokens", [[used]])
    _print_lines(output, "reindexed", [_when(status.reindexed, now)])
    output.line()
    _print_bands(output, status)
    output.line()
    _print_lines(
        output, "notes", [[f"{count(status.notes, 'file')}, {status.note_tokens:,} tokens"]]
    )
    skipped = (f"{number:,} {_SKIPPED.get(why, why)}" for why, number in status.skipped.items())
    _print_lines(output, "skipped", [[", ".join(skipped)]] if status.skipped else [])
    unread = [f"{note.path}: {note.reason}" for note in status.unread]
    _print_lines(output, "not read", _listed(unread))
    large = "so large that a part is searched in larger pieces; split it"
    _print_lines(output, "coarse", _listed([f"{path}: {large}" for path in status.coarse]))
    if status.mind:
        told = (f"{number:,} {name}" for name, number in status.mind.items())
        _print_lines(output, "mind", [[", ".join(told)]])
    output.line()
    _print_lines(output, "due", [[line] for line in _due(status, now)] or [["nothing"]])


def _print_lines(output: Output, name: str, lines: Sequence[Sequence[Part]]) -> None:
    """``lines`` beside ``name``, those after the first below it."""
    for number, parts in enumerate(lines):
        output.beside(label("" if number else name, _LABEL), *parts)


def _listed(texts: list[str]) -> list[list[Part]]:
    more = [f"and {len(texts) - _LISTED:,} more (--json)"] if len(texts) > _LISTED else []
    return [[Styled(safe_line(text), "yellow")] for text in texts[:_LISTED] + more]


def _size(status: Status) -> str:
    version = f", version {safe_line(status.version)}" if status.version else ""
    pinned = f", {status.pinned} pinned" if status.pinned else ""
    beyond = f", {status.in_topics:,} in topic files" if status.in_topics else ""
    return f"{count(status.entries, 'entry', 'entries')}{beyond}{pinned}{version}"


def _when(stamp: str | None, now: datetime) -> list[Part]:
    from hippocampus_cli.api.entries import read_date

    moment = read_date(stamp) if stamp else None
    if moment is None:
        return [f"{safe_line(stamp)} (not a date)" if stamp else "never"]
    if not isinstance(moment, datetime):
        return [str(moment), Styled(f", {_ago(moment, now)}", "dim")]
    local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
    return [f"{local:%Y-%m-%d %H:%M}", Styled(f", {_ago(local.date(), now)}", "dim")]


def _ago(day: date, now: datetime) -> str:
    days = (now.date() - day).days
    if days < 0:
        return "in the future"
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")


def _print_bands(output: Output, status: Status) -> None:
    most = max(1, *status.bands.values())
    room = min(_LONGEST_BAR, max(5, output.width - _LABEL - 10)) if output.terminal else 0
    for name, number in status.bands.items():
        length = max(1, round(number / most * room)) if number and room else 0
        bar = Styled("▇" * length + " " * bool(length), BAND_STYLES.get(name, ""))
        output.line(label(name, _LABEL), bar, f"{number:,}")


def _due(status: Status, now: datetime) -> Iterator[str]:
    if status.tokens > status.max_tokens:
        over = status.tokens - status.max_tokens
        yield f"the index is {over:,} tokens over its budget (hippo maintain --weekly)"
    yield from _upkeep(status, now)
    if status.waiting:
        verb = "waits" if len(status.waiting) == 1 else "wait"
        memories = count(len(status.waiting), "memory", "memories")
        waiting = named(status.waiting, _NAMED)
        yield f"{memories} {verb} to be written: {waiting} (hippo maintain)"
    if status.missing:
        gone = count(len(status.missing), "missing note")
        yield f"{gone} that entries point at: {named(status.missing, _NAMED)} (hippo check)"
    if status.unindexed:
        notes = count(len(status.unindexed), "note")
        yield f"{notes} that no entry points at: {named(status.unindexed, _NAMED)}"
    if status.bare:
        yield f"{count(status.bare, 'bullet')} without metadata (hippo check --fix)"
    if status.silent_waiting:
        waiting = count(status.silent_waiting, "silent entry", "silent entries")
        yield f"{waiting} to be moved into the Decay Queue (hippo maintain)"


def _upkeep(status: Status, now: datetime) -> Iterator[str]:
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
