"""An answer as a person reads it, and as a program does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from hippocampus_cli.cli.output import (
    BAND_STYLES,
    Output,
    Styled,
    bold,
    columns_of,
    count,
    dim,
    fit,
    strength_bar,
    text_of,
    yellow,
)
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import chomp, split_lines
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.query.results import WAITING, QueryResult, Result, held_line
from hippocampus_cli.search.confidence import UNSURE
from hippocampus_cli.text.dates import Reading
from hippocampus_cli.text.tokenizer import MONTH_NAMES

if TYPE_CHECKING:
    from hippocampus_cli.workspace.fence import Piece
    from hippocampus_cli.workspace.note import Note

_LEAST_SECTION = 8  # columns, or the name of a section says nothing
_NOT_SURE = "not sure: this may not be what was asked for"
_YEAR = pattern(r"\d{4}")


def taken_as(reading: Reading) -> str:
    """``interpreted 'last week' as 4 to 10 May 2026``."""
    return f"interpreted {reading.words!r} as {spelled(reading.first, reading.last)}"


def spelled(first: date, last: date) -> str:
    """``4 to 10 May 2026``; what the ends share is said once, and a start of all time not at all."""
    end = f"{last.day} {MONTH_NAMES[last.month - 1]} {last.year}"
    if first == last:
        return end
    if first == date.min:
        return f"until {end}"
    start = str(first.day)
    if (first.year, first.month) != (last.year, last.month):
        start += f" {MONTH_NAMES[first.month - 1]}"
    if first.year != last.year:
        start += f" {first.year}"
    return f"{start} to {end}"


_ALWAYS = frozenset(
    ("query", "sure", "confidence", "results", "notices", "path", "start_line", "text")
)
_PLAIN = {"source": "search", "origin": "file"}
"""What a place has unless it says otherwise."""


def as_document(result: QueryResult, *, explain: bool) -> dict[str, object]:
    """The JSON document of ``hippo query --json``: stable names, described in docs/reference/json.md. What is empty
    is left out."""
    first = ("query", "sure", "confidence", "missing")
    values = {
        **{name: getattr(result, name) for name in first},
        **result._asdict(),
        "results": [_result_row(place, explain) for place in result.results],
        "suppressed": [entry._asdict() for entry in result.suppressed],
        "written": [change._asdict() for change in result.written],
        "days": [_days_row(reading) for reading in result.days],
        "beliefs": [belief._asdict() for belief in result.beliefs],
    }
    return _without_empty(values)


def _result_row(place: Result, explain: bool) -> dict[str, object]:
    values = place._asdict() | {"earlier": [older._asdict() for older in place.earlier]}
    hidden = ("rank", "tokens", "passage", *(() if explain else ("reasons",)))
    return _without_empty({name: values[name] for name in values if name not in hidden})


def _without_empty(values: dict[str, object]) -> dict[str, object]:
    shown = {}
    for name, value in values.items():
        if name in _ALWAYS or (value and value != _PLAIN.get(name)):
            shown[name] = value.isoformat() if isinstance(value, date) else value
    return shown


def _days_row(reading: Reading) -> dict[str, object]:
    first = None if reading.first == date.min else reading.first.isoformat()
    return {"words": reading.words, "first": first, "last": reading.last.isoformat()}


def as_lean_document(result: QueryResult) -> dict[str, object]:
    """The JSON document of ``hippo query --json --lean``: the places with their days and texts."""
    document: dict[str, object] = {"sure": result.sure, "confidence": result.confidence}
    document["places"] = [_lean_row(place) for place in result.results]
    more = {
        "closest": result.closest,
        "notices": [*_preface(result), *result.notices],
        "held": [held_line(belief) for belief in result.beliefs],
    }
    return document | {name: value for name, value in more.items() if value}


def _lean_row(place: Result) -> dict[str, object]:
    remarks = list(_remarks(place))
    remarks += [f"also {older.date} {older.place}: {older.text}" for older in place.earlier]
    row: dict[str, object] = {"at": f"{place.path}:{place.start_line}"}
    row |= {"date": _dated(place)} if place.date else {}
    return row | {"text": place.text} | ({"remarks": remarks} if remarks else {})


def print_answer(output: Output, result: QueryResult, *, explain: bool, filters: str = "") -> None:
    """The places, best first, and what was written back in one dim line.

    ``filters`` are the conditions of the query as they were typed.
    """
    for line in _preface(result):
        output.line(dim(line))
    if not result.results:
        _print_nothing(output, result, " ".join(filter(None, (filters, *result.conditions))))
    elif result.sure == UNSURE and not result.missing:
        _print_wrapped(output, yellow(_NOT_SURE))
    for place in result.results:
        if place.rank > 1:
            output.line()
        _print_place(output, place)
    if explain:
        _print_reasons(output, result)
    _print_footer(output, result, explain=explain)


def fenced(result: QueryResult, *, explain: bool) -> list[Piece]:
    """The same for an agent."""
    from hippocampus_cli.workspace.fence import Piece, quoted

    pieces = [Piece(line) for line in _preface(result)]
    if not result.results:
        pieces.append(Piece("nothing found"))
        if result.closest:
            pieces.append(Piece("closest", result.closest))
        if result.nearest:
            pieces.append(Piece("nearest topics", ", ".join(map(safe_line, result.nearest))))
    elif result.sure == UNSURE and not result.missing:
        pieces.append(Piece(_NOT_SURE))
    pieces += (Piece(f"held, {belief.origin}", held_line(belief)) for belief in result.beliefs)
    for place in result.results:
        where = f"{place.path}:{place.start_line}"
        pieces.append(quoted(place.origin, _dated(place), where, place.text))
        pieces += map(Piece, (*_remarks(place), *_cut_to(place)))
        pieces += (Piece(f"also {older.date} {older.place}", older.text) for older in place.earlier)
    if explain:
        pieces += (Piece("".join(line)) for line in _reasons(result))
    return [*pieces, Piece(_days_of(result))] if result.results and result.today else pieces


def recalled(result: QueryResult) -> list[Piece]:
    """The same with what an agent should know beside it, which no standard error tells it."""
    from hippocampus_cli.workspace.fence import Piece

    return [*fenced(result, explain=False), *map(Piece, result.notices)]


def recalled_elsewhere(name: str, result: QueryResult) -> list[Piece]:
    """The answer of another workspace, which is called ``name``; nothing where it is not sure."""
    from hippocampus_cli.search.confidence import SURE
    from hippocampus_cli.workspace.fence import Piece

    if result.sure != SURE:
        return []
    return [Piece(f"in the workspace {name}: read it as {name}:PATH"), *recalled(result)]


def quoted_lines(note: Note, line: int, most: int) -> list[Piece]:
    """So many lines of a note from ``line`` on, and where it goes on."""
    from hippocampus_cli.workspace.fence import Piece, quoted

    end = min(line + most - 1, len(note.lines))
    if line > end:
        return [Piece(f"{note.path} has {count(len(note.lines), 'line')}")]
    shown = quoted("file", None, f"{note.path}:{line}", note.text_of(line, end))
    rest = len(note.lines) - end
    more = [Piece(f"{count(rest, 'more line')}; read from line {end + 1}")] if rest else []
    return [shown, *more]


def _preface(result: QueryResult) -> Iterator[str]:
    """What a person should know before the answer."""
    for word, near in result.corrections.items():
        yield f"corrected {word!r} to {' or '.join(map(repr, near))}"
    for reading in result.days:
        if not _YEAR.search(reading.words):  # else it says what day that is
            yield taken_as(reading)
    if result.missing:
        closest = "; closest:" if result.results else ""
        yield f"nothing on {', '.join(result.missing)}{closest}"


def _print_nothing(output: Output, result: QueryResult, filters: str) -> None:
    where = " in the notes" if result.beliefs else ""
    passing = f" that passes {filters}" if filters else ""
    output.line(f"nothing found{where}{passing}")
    if result.closest:
        output.line(dim("closest:"))
        output.quote(result.closest, "dim")
    if result.nearest and not filters:
        output.line(dim("nearest topics: "), ", ".join(map(safe_line, result.nearest)))


def _print_place(output: Output, place: Result) -> None:
    """Where a place is, of which day it is, its words, and what is to be known of it."""
    output.line(*_located(output, place))
    lines = split_lines(place.text)
    kinds = scan(lines).kinds
    for line, kind in zip(lines, kinds, strict=True):
        for part in _wrapped(output, chomp(line), kind):
            output.quote(part)
    for older in place.earlier:
        output.line(dim(f"also {older.date} {older.place}"))
        output.quote(older.text, "dim")
    for remark in (*_remarks(place), *_cut_to(place)):
        _print_wrapped(output, dim(remark))


def _dated(place: Result) -> str:
    """The day of a place, and that it is only that of the file's last change."""
    if place.date is None:
        return ""
    return f"{'changed ' if place.dated_by == 'changed' else ''}{place.date.isoformat()}"


def _days_of(result: QueryResult) -> str:
    """Which day it is, and of which the newest note is."""
    newest = f", newest note {result.newest}" if result.newest else ""
    return f"today {result.today}{newest}"


def _remarks(place: Result) -> Iterator[str]:
    """What is to be known of a place."""
    if place.stale:
        yield "stale"
    if place.superseded:
        yield f"superseded: {place.superseded}"
    if place.source == WAITING:
        yield f"waits to be written into {place.path}"
    if place.copies:
        yield f"+{count(len(place.copies), 'copy')}: {place.copies[0]}"


def _cut_to(place: Result) -> Iterator[str]:
    """What of their section is shown, where a line is cut."""
    if place.cut and place.text.endswith("…"):
        waiting = place.source == WAITING
        yield "… cut" if waiting else f"… cut to part of line {place.start_line}"


def _wrapped(output: Output, line: str, kind: int) -> list[str]:
    """Prose that is too wide for the terminal, broken at spaces; code and tables stay as they are."""
    if (
        not (output.terminal or output.narrow)
        or kind != Kind.TEXT
        or len(line) <= output.quote_width
        or "|" in line[:3]
    ):
        return [line]
    from textwrap import wrap

    lead = " " * (len(line) - len(line.lstrip(" -*+")))
    broken = wrap(line, output.quote_width, subsequent_indent=lead, break_on_hyphens=False)
    return broken or [line]


def _located(output: Output, place: Result) -> list[str | Styled]:
    """Where a place is, its day, how strong its entry is, and its section, as much as fits on a terminal.

    The path and the line are never cut, for they are to be copied. The section, the note's own words, is last.
    """
    state: list[str | Styled] = [
        Styled(f"{place.path}:{place.start_line}", "bold cyan"),
        *([dim(f"  {_dated(place)}")] if place.date else []),
    ]
    section = f"  § {place.section}" if place.section else ""
    if not output.terminal:
        return [*state, section] if section else state
    room = output.width - _columns(state)
    section = fit(section, room) if room > _LEAST_SECTION else ""
    strength = _strength(place) if place.rank == 1 else []
    if _columns([section, *strength]) > room:
        strength = []
    return [*state, *strength, *([section] if section else [])]


def _columns(parts: Sequence[str | Styled]) -> int:
    text = text_of(parts)
    return len(text) if text.isascii() else columns_of(text)


def _print_wrapped(output: Output, part: Styled) -> None:
    """One line, on a terminal or where it is narrow several where it is too long, broken at spaces."""
    lines = [part.text]
    if (output.terminal or output.narrow) and _columns(lines) > output.width:
        from textwrap import wrap

        width = max(output.width, 1)
        lines = wrap(part.text, width, break_on_hyphens=False, break_long_words=False)
    for line in lines:
        output.line(Styled(line, part.style))


def _strength(place: Result) -> list[str | Styled]:
    """The strength of the entry of a result."""
    if place.strength is None or place.band is None:
        return []
    bar = Styled(f"  {strength_bar(place.strength)}", BAND_STYLES.get(place.band, ""))
    return [bar, dim(f" {place.strength:.2f}")]


def _print_reasons(output: Output, result: QueryResult) -> None:
    output.line()
    for label, because in _reasons(result):
        output.beside("", dim(label), because)


def _reasons(result: QueryResult) -> Iterator[tuple[str, str]]:
    for place in result.results:
        because = "; ".join(place.reasons) or "no reason kept"
        where = f"{place.path}:{place.start_line}"
        yield f"{place.rank}. {where} ({place.score:.2f}): ", because
    for kept in result.suppressed:
        label = "broken pointer: " if kept.cause == "gone" else "not shown: "
        yield label, f"{kept.entry}, {kept.reason}"


def _print_footer(output: Output, result: QueryResult, *, explain: bool) -> None:
    print_notices(output, result)
    if result.beliefs:
        output.line()
        for belief in result.beliefs:
            output.beside("", bold("held: "), held_line(belief))
    parts = [_written(result)] if result.written else []
    if result.suppressed and not explain:
        parts += _suppressed(result)
    if result.results:
        parts += [_days_of(result)] if result.today else []
        parts.append(f"{result.tokens:,} of {result.full_scan_tokens:,} tokens")
        parts += [f"{result.elapsed_ms:.0f} ms"] if output.terminal else []
    if parts:
        output.line()
        _print_wrapped(output, dim(" · ".join(parts)))


def print_notices(output: Output, result: QueryResult) -> None:
    """What a person should know, beside the answer."""
    for notice in result.notices:
        output.note(f"hippo: {notice}", dim=True)


def _suppressed(result: QueryResult) -> Iterator[str]:
    gone = [entry for entry in result.suppressed if entry.cause == "gone"]
    faded = len(result.suppressed) - len(gone)
    if faded:
        yield f"{count(faded, 'faded entry')} not shown (--explain)"
    if len(gone) == 1:
        yield f"{gone[0].entry} {gone[0].reason}"
    elif gone:
        yield f"{len(gone)} entries have broken pointers (--explain)"


def _written(result: QueryResult) -> str:
    lead = {"hit": "", "created": "new entry ", "tagged": "tags added to "}
    return ", ".join(
        f"{lead.get(change.change, '')}{change.entry}: {change.detail}" for change in result.written
    )
