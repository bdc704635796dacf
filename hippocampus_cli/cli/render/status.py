"""The state of the index and the notes, for a person to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from hippocampus_cli.cli.render.layout import (
    BAND_STYLES,
    LONGEST_BAR,
    bar,
    count,
    label,
    print_beside,
    wrapped,
)
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.entries.status import Status
from hippocampus_cli.index.metadata import read_date
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.workspace.own_files import INDEX

_LABEL = 13
_LEAST = 20  # columns of a text, however narrow the terminal
_NAMED = 3  # unindexed and missing notes that are named
_LISTED = 12  # notes that cannot be read, or only in larger pieces
_SKIPPED = {
    "ignored": "ignored",
    "forgotten": "forgotten",
    "hidden": "hidden",
    "folder": "in folders that hold no notes",
    "kind": "of other kinds",
    "too-large": "too large",
    "link": "links",
    "link-outside": "links to outside",
    "unreadable": "unreadable",
}


def print_status(output: Output, status: Status, now: datetime) -> None:
    """The index, its entries by strength, the notes, what is due."""
    first, *more = _fitted(output, f"{INDEX}, {_size(status)}")
    output.line(label("index", _LABEL), Styled(INDEX, "bold"), first.removeprefix(INDEX))
    _print_lines(output, "", more)
    for name, parts in _index(status, now):
        print_beside(output, label(name, _LABEL), *parts)
    output.line()
    _print_bands(output, status)
    output.line()
    _print_texts(output, "notes", [f"{count(status.notes, 'file')}, {status.note_tokens:,} tokens"])
    skipped = ", ".join(f"{number:,} {_SKIPPED[why]}" for why, number in status.skipped.items())
    _print_texts(output, "skipped", [skipped] if skipped else [])
    unread = [f"{safe_line(one.path)}: {safe_line(one.reason)}" for one in status.unread]
    _print_texts(output, "not read", _listed(unread), "yellow")
    coarse = [
        f"{safe_line(path)}: so large that a part is searched in larger pieces; split it"
        for path in status.coarse
    ]
    _print_texts(output, "coarse", _listed(coarse), "yellow")
    output.line()
    _print_texts(output, "due", list(_due(status, now)) or ["nothing"])


def _listed(texts: list[str]) -> list[str]:
    more = [f"and {len(texts) - _LISTED:,} more (--json)"] if len(texts) > _LISTED else []
    return texts[:_LISTED] + more


def _print_texts(output: Output, name: str, texts: list[str], style: str = "") -> None:
    _print_lines(output, name, [line for one in texts for line in _fitted(output, one)], style)


def _print_lines(output: Output, name: str, lines: list[str], style: str = "") -> None:
    """``lines`` beside ``name``, those after the first below it."""
    for number, line in enumerate(lines):
        output.line(label("" if number else name, _LABEL), Styled(line, style))


def _fitted(output: Output, text: str) -> list[str]:
    """``text`` as lines, on a terminal within its own column."""
    bounded = output.terminal or output.narrow
    return wrapped(text, max(_LEAST, output.width - _LABEL)) if bounded else [text]


def _size(status: Status) -> str:
    version = f", version {safe_line(status.version)}" if status.version else ""
    pinned = f", {status.pinned} pinned" if status.pinned else ""
    beyond = f", {status.in_topics:,} in topic files" if status.in_topics else ""
    return f"{count(status.entries, 'entry', 'entries')}{beyond}{pinned}{version}"


def _index(status: Status, now: datetime) -> Iterator[tuple[str, list[str | Styled]]]:
    if status.lost:
        gone = f"{status.lost:,} of {count(status.known, 'entry', 'entries')} since hippo last wrote it"
        yield "lost", [Styled(gone, "bold red"), " (hippo check says what to do)"]
    share = status.tokens / status.max_tokens
    full = "bold red" if share > 1 else "yellow" if share > 0.9 else ""
    yield "tokens", [Styled(f"{status.tokens:,} of {status.max_tokens:,} ({share:.0%})", full)]
    yield "reindexed", [*_when(status.reindexed, now)]


def _when(stamp: str | None, now: datetime) -> Iterator[str | Styled]:
    if stamp is None:
        yield "never"
        return
    moment = read_date(stamp)
    if moment is None:
        yield f"{safe_line(stamp)} (not a date)"
        return
    if isinstance(moment, datetime):
        local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
        yield f"{local:%Y-%m-%d %H:%M}"
        moment = local.date()
    else:
        yield str(moment)
    yield Styled(f", {_ago(moment, now)}", "dim")


def _ago(day: date, now: datetime) -> str:
    days = (now.date() - day).days
    if days < 0:
        return "in the future"
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")


def _print_bands(output: Output, status: Status) -> None:
    most = max(1, *status.bands.values())
    room = min(LONGEST_BAR, max(5, output.width - _LABEL - 10))
    for name, number in status.bands.items():
        drawn = bar(number, most, room) + " " if number and output.terminal else ""
        style = BAND_STYLES.get(name, "")
        output.line(label(name, _LABEL), Styled(drawn, style), f"{number:,}")


def _due(status: Status, now: datetime) -> Iterator[str]:
    if status.tokens > status.max_tokens:
        over = status.tokens - status.max_tokens
        yield f"the index is {over:,} tokens over its budget (hippo maintain --weekly)"
    yield from _upkeep(status, now)
    if status.waiting:
        verb = "waits" if len(status.waiting) == 1 else "wait"
        memories = count(len(status.waiting), "memory", "memories")
        yield f"{memories} {verb} to be written: {_named(status.waiting)} (hippo maintain)"
    if status.missing:
        gone = count(len(status.missing), "missing note")
        yield f"{gone} that entries point at: {_named(status.missing)} (hippo check)"
    if status.unindexed:
        notes = count(len(status.unindexed), "note")
        yield f"{notes} that no entry points at: {_named(status.unindexed)}"
    if status.bare:
        yield f"{count(status.bare, 'bullet')} without metadata (hippo check --fix)"
    if status.silent_waiting:
        waiting = count(status.silent_waiting, "silent entry", "silent entries")
        yield f"{waiting} to be moved into the Decay Queue (hippo maintain)"


def _named(paths: Sequence[str]) -> str:
    rest = ", …" if len(paths) > _NAMED else ""
    return ", ".join(map(safe_line, paths[:_NAMED])) + rest


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
