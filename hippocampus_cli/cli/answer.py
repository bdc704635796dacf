"""An answer as a person reads it, and as a program does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hippocampus_cli.cli.output import (
    Output,
    Part,
    Styled,
    bold,
    count,
    dim,
    fit,
    row,
    safe_line,
    text_of,
    visible,
)
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.query.results import GONE, QueryResult, Result, held_line
from hippocampus_cli.search.confidence import SURE, UNSURE
from hippocampus_cli.text.tokenizer import words_of

if TYPE_CHECKING:
    from hippocampus_cli.text.dates import Reading
    from hippocampus_cli.workspace.fence import Piece
    from hippocampus_cli.workspace.note import Note

_ALWAYS = ("query", "sure", "confidence", "results", "notices", "path", "start_line", "text")
_PLAIN = {"source": "search", "origin": "file"}
"""What a place has unless it says otherwise."""


def require_words(*wordings: str) -> None:
    """Raises :class:`UsageError` where no wording of a question has a word to look for."""
    if not any(map(words_of, wordings)):
        advice = 'ask for something: hippo query "deploy command"'
        raise UsageError(reason="the query has no words", advice=advice)


def as_document(result: QueryResult, *, explain: bool) -> dict[str, object]:
    """The JSON document of ``hippo query --json``: stable names, described in docs/reference/json.md. What is empty
    is left out."""
    rows = [_result_row(place, explain) for place in result.results]
    days = [row(reading, "words first last") for reading in result.days]
    first = row(result, "query sure confidence missing")
    return _without_empty(first | result._asdict() | {"results": rows, "days": days})


def _result_row(place: Result, explain: bool) -> dict[str, object]:
    hidden = ("rank", "tokens", *(() if explain else ("reasons",)))
    values = place._asdict()
    return _without_empty({name: values[name] for name in values if name not in hidden})


def _without_empty(values: dict[str, object]) -> dict[str, object]:
    return {
        name: value
        for name, value in values.items()
        if name in _ALWAYS or (value and value != _PLAIN.get(name))
    }


def as_lean_document(result: QueryResult) -> dict[str, object]:
    """The JSON document of ``hippo query --json --lean``: the places with their days and texts."""
    more = {
        "closest": result.closest,
        "notices": [*_preface(result), *result.notices],
        "held": [held_line(belief) for belief in result.beliefs],
        "waiting": result.waiting,
    }
    return {
        "sure": result.sure,
        "confidence": result.confidence,
        "places": [_lean_row(place) for place in result.results],
        **{name: value for name, value in more.items() if value},
    }


def _lean_row(place: Result) -> dict[str, object]:
    remarks = list(_remarks(place))
    remarks += [f"also {older.date} {older.place}: {older.text}" for older in place.earlier]
    row: dict[str, object] = {"at": _where(place)}
    row |= {"date": _dated(place)} if place.date else {}
    return row | {"text": place.text} | ({"remarks": remarks} if remarks else {})


def print_answer(output: Output, result: QueryResult, *, explain: bool) -> None:
    """The places, best first, and what was written back in one dim line."""
    for line in (*_preface(result), *_doubt(result)):
        output.line(dim(line))
    for place in result.results:
        if place.rank > 1:
            output.line()
        output.line(*_located(output, place))
        output.quote("".join(split_lines(place.text)[place.heading_lines :]))
        for head, text in _beside(place):
            output.line(dim(head))
            if text:
                output.quote(text, "dim")
    if result.closest:
        output.line(dim("closest:"))
        output.quote(result.closest, "dim")
    if explain:
        output.line()
        for reason in _reasons(result):
            output.line(dim(reason))
    _print_footer(output, result, explain=explain)


def fenced(result: QueryResult, *, explain: bool) -> list[Piece]:
    """The same for an agent."""
    from hippocampus_cli.workspace.fence import Piece, quoted

    pieces = [Piece(line) for line in (*_preface(result), *_doubt(result))]
    if result.closest:
        pieces.append(Piece("closest", result.closest))
    pieces += (Piece(f"held, {belief.origin}", held_line(belief)) for belief in result.beliefs)
    for place in result.results:
        pieces.append(quoted(place.origin, _dated(place), _where(place), place.text))
        pieces += (Piece(*each) for each in _beside(place))
    pieces += (
        Piece("not in its log yet (hippo forget TEXT lets go of it)", line)
        for line in result.waiting
    )
    if explain:
        pieces += map(Piece, _reasons(result))
    return [*pieces, Piece(_days_of(result))] if result.results and result.today else pieces


def recalled(result: QueryResult) -> list[Piece]:
    """The same with what an agent should know beside it, which no standard error tells it."""
    from hippocampus_cli.workspace.fence import Piece

    return [*fenced(result, explain=False), *map(Piece, result.notices)]


def recalled_elsewhere(name: str, result: QueryResult) -> list[Piece]:
    """The answer of another workspace, which is called ``name``; nothing where it is not sure."""
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


def _doubt(result: QueryResult) -> Iterator[str]:
    """That nothing was found, or something else perhaps."""
    if not result.results:
        yield "nothing found in the notes" if result.beliefs else "nothing found"
    elif result.sure == UNSURE and not result.missing:
        yield "not sure: this may not be what was asked for"


def _preface(result: QueryResult) -> Iterator[str]:
    """What a person should know before the answer."""
    for word, near in result.corrections.items():
        yield f"corrected {word!r} to {' or '.join(map(repr, near))}"
    for reading in result.days:
        if f"{reading.last.year}" in reading.words:
            continue  # they say themselves what day that is
        yield f"interpreted {reading.words!r} as {_span(reading)}"
    if result.missing:
        closest = "; closest:" if result.results else ""
        yield f"nothing on {', '.join(result.missing)}{closest}"


def _span(reading: Reading) -> str:
    if reading.first == reading.last:
        return f"{reading.last}"
    return f"{reading.first} to {reading.last}"


def _dated(place: Result) -> str:
    """The day of a place, and that it is only that of the file's last change."""
    if place.date is None:
        return ""
    return f"{'changed ' if place.dated_by == 'changed' else ''}{place.date}"


def _days_of(result: QueryResult) -> str:
    """Which day it is, and of which the newest note is."""
    newest = f", newest note {result.newest}" if result.newest else ""
    return f"today {result.today}{newest}"


def _beside(place: Result) -> Iterator[tuple[str, str]]:
    """Older places that say nearly the same, each with its text, and what else is to be known of this one."""
    for older in place.earlier:
        yield f"also {older.date} {older.place}", older.text
    for remark in _remarks(place):
        yield remark, ""
    if place.cut and place.text.endswith("…"):
        yield f"… cut to part of line {place.start_line}", ""


def _where(place: Result) -> str:
    """The place as it is to be copied."""
    return f"{place.path}:{place.start_line}"


def _remarks(place: Result) -> Iterator[str]:
    if place.stale:
        yield "stale"
    if place.superseded:
        yield f"superseded: {place.superseded}"
    if place.copies:
        yield f"+{count(len(place.copies), 'copy')}: {place.copies[0]}"


def _located(output: Output, place: Result) -> list[Part]:
    """Where a place is, its day, on a terminal how strong the first one's entry is, and its section.

    The path and the line are never cut, for they are to be copied. The section, the note's own words, is last.
    """
    where = Styled(visible(_where(place)), "bold cyan")
    state: list[Part] = [where, dim(f"  {_dated(place)}" if place.date else "")]
    if output.terminal and place.rank == 1 and place.strength is not None:
        state += ["  ", output.strength(place.strength, place.band or "")]
    section = f"  § {place.section}" if place.section else ""
    if output.terminal:
        lead = safe_line(text_of(state))
        section = fit(lead + section, output.width)[len(lead) :]
    return [*state, section]


def _reasons(result: QueryResult) -> Iterator[str]:
    for place in result.results:
        because = "; ".join(place.reasons) or "no reason kept"
        yield f"{place.rank}. {_where(place)} ({place.score:.2f}): {because}"
    for kept in result.suppressed:
        yield f"not shown: {kept.entry}, {kept.reason}"


def _print_footer(output: Output, result: QueryResult, *, explain: bool) -> None:
    output.notices(result.notices)
    if result.beliefs:
        output.line()
        for belief in result.beliefs:
            output.line(bold("held: "), held_line(belief))
    for line in result.waiting:
        output.line(bold("not in its log yet (hippo forget TEXT lets go of it): "), line)
    parts = [_written(result)] if result.written else []
    if not explain:
        parts += _suppressed(result)
    if result.results:
        parts += [_days_of(result)] if result.today else []
        parts.append(f"{result.tokens:,} of {max(result.tokens, result.full_scan_tokens):,} tokens")
    if parts:
        output.line()
        output.wrapped(dim(" · ".join(parts)))


def _suppressed(result: QueryResult) -> Iterator[str]:
    gone = [f"{kept.entry} {kept.reason}" for kept in result.suppressed if kept.cause == GONE]
    if faded := len(result.suppressed) - len(gone):
        yield f"{count(faded, 'faded entry')} not shown (--explain)"
    if gone[1:]:
        yield f"{len(gone)} entries point at what is gone (--explain)"
    else:
        yield from gone


def _written(result: QueryResult) -> str:
    lead = {"hit": "", "created": "new entry ", "tagged": "tags added to "}
    return ", ".join(
        f"{lead.get(change.change, '')}{change.entry}: {change.detail}" for change in result.written
    )
