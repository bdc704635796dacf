"""How the index and the notes stand, for a person to read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from hippocampus_cli.cli.render.layout import BAND_STYLES, count, print_beside, wrapped
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.entries.status import Status
from hippocampus_cli.index.metadata import read_date
from hippocampus_cli.workspace.own_files import INDEX

_LABEL = 13
_LONGEST_BAR = 40
_LEAST = 20  # columns of a text, however narrow the terminal
_NAMED = 3  # unindexed notes that are named
_LISTED = 12  # notes that cannot be read, likewise
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


def print_stock(output: Output, stock: Status, now: datetime) -> None:
    """The index, its entries by strength, the notes, what is due."""
    first, *more = _fitted(output, f"{INDEX}, {_size(stock)}")
    output.line(_label("index"), Styled(INDEX, "bold"), first.removeprefix(INDEX))
    _print_lines(output, "", more)
    for label, parts in _index(stock, now):
        print_beside(output, _label(label), *parts)
    output.line()
    _print_bands(output, stock)
    output.line()
    notes = f"{count(stock.notes, 'file')}, {stock.note_tokens:,} tokens"
    _print_lines(output, "notes", _fitted(output, notes))
    if stock.skipped:
        passed = ", ".join(f"{number:,} {_SKIPPED[why]}" for why, number in stock.skipped.items())
        _print_lines(output, "skipped", _fitted(output, passed))
    unread = [line for one in _unread(stock) for line in _fitted(output, one)]
    _print_lines(output, "not read", unread, "yellow")
    coarse = [line for one in _coarse(stock) for line in _fitted(output, one)]
    _print_lines(output, "coarse", coarse, "yellow")
    output.line()
    due = [line for one in _due(stock, now) for line in _fitted(output, one)]
    _print_lines(output, "due", due or ["nothing"])


def _print_lines(output: Output, label: str, lines: list[str], style: str = "") -> None:
    """``lines`` beside ``label``, those after the first below it."""
    for number, line in enumerate(lines):
        output.line(_label("" if number else label), Styled(line, style))


def _label(text: str) -> Styled:
    return Styled(f"{text:<{_LABEL}}", "dim")


def _unread(stock: Status) -> Iterator[str]:
    """The notes that cannot be read, and why."""
    for one in stock.unread[:_LISTED]:
        yield f"{safe_line(one.path)}: {safe_line(one.reason)}"
    if len(stock.unread) > _LISTED:
        yield f"and {len(stock.unread) - _LISTED:,} more (--json)"


def _coarse(stock: Status) -> Iterator[str]:
    """The notes that are searched in larger pieces."""
    for path in stock.coarse[:_LISTED]:
        yield f"{safe_line(path)}: so large that a part is searched in larger pieces; split it"
    if len(stock.coarse) > _LISTED:
        yield f"and {len(stock.coarse) - _LISTED:,} more (--json)"


def _fitted(output: Output, text: str) -> list[str]:
    """``text`` as lines, on a terminal within its own column."""
    bounded = output.terminal or output.narrow
    return wrapped(text, max(_LEAST, output.width - _LABEL)) if bounded else [text]


def _size(stock: Status) -> str:
    version = f", version {safe_line(stock.version)}" if stock.version else ""
    pinned = f", {stock.pinned} pinned" if stock.pinned else ""
    beyond = f", {stock.in_topics:,} in topic files" if stock.in_topics else ""
    return f"{count(stock.entries, 'entry', 'entries')}{beyond}{pinned}{version}"


def _index(stock: Status, now: datetime) -> Iterator[tuple[str, list[str | Styled]]]:
    if stock.lost:
        gone = (
            f"{stock.lost:,} of {count(stock.known, 'entry', 'entries')} since hippo last wrote it"
        )
        yield "lost", [Styled(gone, "bold red"), " (hippo check says what to do)"]
    share = stock.tokens / stock.max_tokens
    full = "bold red" if share > 1 else "yellow" if share > 0.9 else ""
    yield "tokens", [Styled(f"{stock.tokens:,} of {stock.max_tokens:,} ({share:.0%})", full)]
    yield "reindexed", [*_when(stock.reindexed, now)]


def _when(stamp: str | None, now: datetime) -> Iterator[str | Styled]:
    if stamp is None:
        yield "never"
        return
    moment = read_date(stamp)
    if moment is None:
        yield f"{safe_line(stamp)} (no date)"
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


def _print_bands(output: Output, stock: Status) -> None:
    most = max(1, *stock.bands.values())
    room = min(_LONGEST_BAR, max(5, output.width - _LABEL - 10))
    for name, number in stock.bands.items():
        bar = "▇" * (max(1, round(number / most * room)) if number else 0)
        drawn = (
            [Styled(bar + " " if bar else "", BAND_STYLES.get(name, ""))] if output.terminal else []
        )
        output.line(_label(name), *drawn, f"{number:,}")


def _due(stock: Status, now: datetime) -> Iterator[str]:
    if stock.tokens > stock.max_tokens:
        over = stock.tokens - stock.max_tokens
        yield f"the index is {over:,} tokens over its budget (hippo maintain --weekly)"
    yield from _upkeep(stock, now)
    if stock.unindexed:
        named = ", ".join(map(safe_line, stock.unindexed[:_NAMED]))
        rest = ", …" if len(stock.unindexed) > _NAMED else ""
        yield f"{count(len(stock.unindexed), 'note')} that no entry points at: {named}{rest}"
    if stock.bare:
        yield f"{count(stock.bare, 'bullet')} without metadata (hippo adopt)"
    if stock.silent_waiting:
        waiting = count(stock.silent_waiting, "silent entry", "silent entries")
        yield f"{waiting} to be moved into the Decay Queue (hippo maintain)"


def _upkeep(stock: Status, now: datetime) -> Iterator[str]:
    """The alarm: upkeep that does not run any more, or never has."""
    if not any(stock.cycles.values()):
        yield (
            "upkeep has never run (hippo maintain), and runs by itself only once it is scheduled"
            " (hippo schedule install)"
        )
        return
    for cycle in stock.overdue:
        last = stock.cycles[cycle]
        when = f"last ran {_ago(last.astimezone(now.tzinfo).date(), now)}" if last else "never ran"
        yield f"{cycle} upkeep {when} (hippo maintain --due)"
