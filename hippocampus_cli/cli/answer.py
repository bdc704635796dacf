"""An answer as a person reads it, and as a program does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from hippocampus_cli.cli.output import (
    BAND_STYLES,
    Output,
    Styled,
    columns_of,
    count,
    fit,
    strength_bar,
    text_of,
)
from hippocampus_cli.dates.expressions import Reading
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import chomp, split_lines
from hippocampus_cli.markdown.safe import inline_text, safe_line
from hippocampus_cli.query.confidence import UNSURE
from hippocampus_cli.query.results import WAITING, QueryResult, Result, held_line
from hippocampus_cli.query.snippets import GAP
from hippocampus_cli.text.tokenizer import MONTH_NAMES

if TYPE_CHECKING:
    from hippocampus_cli.workspace.fence import Piece
    from hippocampus_cli.workspace.note import Note


def taken_as(one: Reading) -> str:
    """``interpreted 'last week' as 4 to 10 May 2026``, with the reason."""
    because = f" ({one.because})" if one.because else ""
    return f"interpreted {one.words!r} as {spelled(one.first, one.last)}{because}"


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


_PIPED = 100  # characters of another result's line where there is no terminal to fit
_LEAD = "  "
_LEAST_SECTION = 8  # columns, or the name of a section says nothing
_LEAST_LINE = 12
_NOT_SURE = "not sure: this may not be what was asked for"
_WORDS = pattern(r"\w{2,}")
_YEAR = pattern(r"\d{4}")
_BLOCK_MARKS = pattern(r"^[\s>#+-]+|\|")


def as_document(result: QueryResult, *, explain: bool) -> dict[str, object]:
    """The JSON document of ``hippo query --json``: stable names, described in docs/reference/json.md."""
    values = {
        **result._asdict(),
        "results": [_result_row(one, explain) for one in result.results],
        "suppressed": [one._asdict() for one in result.suppressed],
        "written": [one._asdict() for one in result.written],
        "days": [_days_row(one) for one in result.days],
    }
    held = {"beliefs": [one._asdict() for one in result.beliefs]} if result.beliefs else {}
    return {name: values[name] for name in _ANSWER} | held


def as_lean_document(result: QueryResult) -> dict[str, object]:
    """The JSON document of ``hippo query --json --lean``: the answer, and a line of each other place."""
    first = result.results[0] if result.results else None
    answer: dict[str, object] | None = None
    if first:
        answer = {"at": f"{first.path}:{first.start_line}", "text": first.text}
        if first.section and not first.text.lstrip("# ").startswith(first.section):
            answer["section"] = first.section
        remarks = [remark.text.strip() for remark in _remarks(first)]
        remarks += [f"{label}: {old}" for label, old in _replaced(result)]
        if remarks or first.stale:
            answer["remarks"] = [*remarks, *(["stale"] if first.stale else [])]
    others = [_lean_line(one, result.query) for one in result.results[1:]]
    notices = [*_preface(result), *result.notices]
    held = {"held": [held_line(one) for one in result.beliefs]} if result.beliefs else {}
    return {"sure": result.sure, "answer": answer, "also": others, "notices": notices, **held}


def _lean_line(one: Result, query: str) -> str:
    section = f" § {one.section}" if one.section else ""
    remarks = "".join(f" ({remark.text.strip()})" for remark in _remarks(one))
    return f"{one.path}:{one.start_line}{section}{remarks}: {_piped(_best_line(one.text, query))}"


def _replaced(result: QueryResult) -> Iterator[tuple[str, str]]:
    """What the first result says otherwise than one that is shown after it: since when, and where, with its words."""
    first = result.results[0]
    for one in result.results[1:]:
        later = one.superseded_by
        if later and later.path == first.path and first.start_line <= later.line <= first.end_line:
            since = f"since {first.date}; " if first.date else ""
            where = f"{since}before, {safe_line(one.path)}:{one.start_line}"
            yield where, _piped(_best_line(one.text, result.query))
            return  # of several the best one; the others say themselves that they are superseded


def _result_row(one: Result, explain: bool) -> dict[str, object]:
    passages = [part._asdict() | {"score": round(part.score, 2)} for part in one.passages]
    return {
        **{name: getattr(one, name) for name in _RESULT},
        "superseded_by": one.superseded_by._asdict() if one.superseded_by else None,
        "date": one.date.isoformat() if one.date else None,
        "also": one.also,
        "passages": passages,
        **({"reasons": one.reasons} if explain else {}),
    }


def _days_row(one: Reading) -> dict[str, object]:
    first = None if one.first == date.min else one.first.isoformat()
    last = one.last.isoformat()
    return {"words": one.words, "first": first, "last": last, "because": one.because or None}


_ANSWER = (
    *("query", "mode", "route", "confidence", "sure", "results", "suppressed", "written"),
    *("tokens", "full_scan_tokens", "elapsed_ms", "corrections", "days", "conditions"),
    *("nearest", "notices"),
)
_RESULT = (
    *("rank", "path", "section", "start_line", "end_line", "text", "tokens", "score", "source"),
    *("entry", "strength", "band", "cut", "stale", "origin"),
)


def print_answer(output: Output, result: QueryResult, *, explain: bool, filters: str = "") -> None:
    """The answer first, a few others in one line each, and what was written back in one dim line.

    ``filters`` are the conditions of the query as they were typed.
    """
    for line in _preface(result):
        output.line(Styled(line, "dim"))
    if not result.results:
        _print_nothing(output, result, " ".join(filter(None, (filters, *result.conditions))))
    else:
        if result.sure == UNSURE:
            output.line(Styled(_NOT_SURE, "yellow"))
        _print_first(output, result.results[0])
        for where, old in _replaced(result):
            before = f"{where}: {old}"
            room = output.width if output.terminal else len(before)
            output.line(Styled(fit(before, room), "dim"))
        others = result.results[1:]
        if others:
            output.line()
            output.line(Styled("also", "dim"))
        for other in others:
            _print_other(output, other, result.query)
    if explain:
        _print_reasons(output, result)
    _print_footer(output, result, explain=explain)


def fenced(result: QueryResult, *, explain: bool) -> list[Piece]:
    """The same for an agent: the first result in full, of the others a line."""
    from hippocampus_cli.workspace.fence import Piece, quoted

    pieces = [Piece(one) for one in _preface(result)]
    if not result.results:
        pieces.append(Piece("nothing found"))
        if result.nearest:
            pieces.append(Piece("nearest topics", ", ".join(map(safe_line, result.nearest))))
    if result.results and result.sure == UNSURE:
        pieces.append(Piece(_NOT_SURE))
    pieces += (Piece(f"held, {one.origin}", held_line(one)) for one in result.beliefs)
    for one in result.results:
        text = one.text if one.rank == 1 else _piped(_best_line(one.text, result.query))
        section = "" if one.rank == 1 or not one.section else f" § {one.section}"
        pieces.append(quoted(one.origin, one.date, f"{one.path}:{one.start_line}{section}", text))
        stale = ["stale"] if one.stale else []
        cut = [_cut_to(one)] if one.cut and one.rank == 1 else []
        pieces += map(Piece, (*stale, *(remark.text.strip() for remark in _remarks(one)), *cut))
        if one.rank == 1:
            pieces += (Piece(where, old) for where, old in _replaced(result))
    if explain:
        pieces += (Piece("".join(line)) for line in _reasons(result))
    return pieces


def recalled(result: QueryResult) -> list[Piece]:
    """The same with what an agent should know beside it, which no standard error tells it."""
    from hippocampus_cli.workspace.fence import Piece

    return [*fenced(result, explain=False), *map(Piece, result.notices)]


def recalled_elsewhere(name: str, result: QueryResult) -> list[Piece]:
    """The answer of another workspace, which is called ``name``; nothing where it is not sure."""
    from hippocampus_cli.query.confidence import SURE
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
    return [
        shown,
        *([Piece(f"{count(rest, 'more line')}; read from line {end + 1}")] if rest else []),
    ]


def _preface(result: QueryResult) -> Iterator[str]:
    """What a person should know before the answer."""
    for word, near in result.corrections.items():
        yield f"corrected {word!r} to {' or '.join(map(repr, near))}"
    for one in result.days:
        if not _YEAR.search(one.words):  # else it says what day that is
            yield safe_line(taken_as(one))


def _print_nothing(output: Output, result: QueryResult, filters: str) -> None:
    where = " in the notes" if result.beliefs else ""
    passing = f" that passes {safe_line(filters)}" if filters else ""
    output.line(f"nothing found{where}{passing}")
    if result.nearest and not filters:
        output.line(Styled("nearest topics: ", "dim"), ", ".join(map(safe_line, result.nearest)))


def _print_first(output: Output, one: Result) -> None:
    output.line(*_located(output, one, "bold cyan", 0))
    if later := one.superseded_by:
        taken = Styled(f"superseded by {safe_line(later.path)}:{later.line}", "yellow")
        reason = f"  {output.gutter} {safe_line(later.reason)}" if later.reason else ""
        if output.terminal:
            room = output.width - _columns([taken])
            reason = fit(reason, room) if room > _LEAST_SECTION else ""
        output.line(taken, Styled(reason, "dim"))
    lines = split_lines(one.text)
    kinds = scan(lines).kinds
    for at, line in enumerate(lines):
        for part in _wrapped(output, chomp(line), kinds[at]):
            output.quote(part, "bold" if kinds[at] == Kind.HEADING else "")
    if one.cut:
        output.line(Styled(_cut_to(one), "dim"))
    if one.source == WAITING:
        output.line(Styled(f"waits to be written into {safe_line(one.path)}", "yellow"))
    if one.also:
        same = Styled(f"the same in {', '.join(map(safe_line, one.also))}", "dim")
        _print_wrapped(output, same)


def _cut_to(one: Result) -> str:
    """What the lines above are of their section."""
    if one.source == WAITING:
        return "… cut"
    if one.text.endswith("…"):
        return f"… cut to part of line {one.start_line}"
    if one.start_line == one.end_line:
        return f"… cut to line {one.start_line}"
    among = "the best of lines" if GAP in split_lines(one.text) else "lines"
    return f"… cut to {among} {one.start_line} to {one.end_line}"


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

    lead = len(line) - len(line.lstrip(" -*+"))
    return wrap(line, output.quote_width, subsequent_indent=" " * lead, break_on_hyphens=False) or [
        line
    ]


def _print_other(output: Output, one: Result, query: str) -> None:
    """One line: the place, its state, then the note's own words: its section after ``§``, a line after the gutter."""
    remarks = _remarks(one)
    place = _located(output, one, "cyan", len(_LEAD), strong=False)
    below = output.terminal and len(_LEAD) + _columns([*place, *remarks]) > output.width
    if not below:
        place[1:1] = remarks
    mark = f"  {output.gutter} "
    best = _best_line(one.text, query)
    if output.terminal:
        room = output.width - len(_LEAD) - _columns(place) - len(mark)
        best = fit(best, room) if room > _LEAST_LINE else ""
    else:
        best = _piped(best)
    output.line(_LEAD, *place, *([Styled(mark + best, "dim")] if best else []))
    for remark in remarks if below else ():
        _print_wrapped(output, Styled(remark.text.strip(), remark.style), 2 * _LEAD)


def _piped(line: str) -> str:
    return line if len(line) <= _PIPED else f"{line[: _PIPED - 1].rstrip()}…"


def _located(
    output: Output, one: Result, style: str, lead: int, *, strong: bool = True
) -> list[str | Styled]:
    """The place of a result, its state, and its section: on a terminal as much as fits after ``lead`` columns, and
    how strong its entry is.

    The path and the line are never cut, for they are to be copied. The section, the note's own words, is last.
    """
    where = Styled(f"{safe_line(one.path)}:{one.start_line}", style)
    state: list[str | Styled] = [where, *([Styled("  stale", "yellow")] if one.stale else [])]
    section = f"  § {safe_line(one.section)}" if one.section else ""
    if not output.terminal:
        return [*state, *([section] if section else [])]
    room = output.width - lead - _columns(state)
    section = fit(section, room) if room > _LEAST_SECTION else ""
    strength = _strength(one) if strong else []
    if _columns([section, *strength]) > room:
        strength = []
    return [*state, *strength, *([section] if section else [])]


def _columns(parts: Sequence[str | Styled]) -> int:
    text = text_of(parts)
    return len(text) if text.isascii() else columns_of(text)


def _print_wrapped(output: Output, part: Styled, lead: str = "") -> None:
    """One line, on a terminal or where it is narrow several where it is too long, broken at spaces."""
    lines = [part.text]
    if (output.terminal or output.narrow) and len(lead) + _columns(lines) > output.width:
        from textwrap import wrap

        width = max(output.width - len(lead), 1)
        lines = wrap(part.text, width, break_on_hyphens=False, break_long_words=False)
    for line in lines:
        output.line(lead, Styled(line, part.style))


def _remarks(one: Result) -> list[Styled]:
    """What supersedes a result, where the same text is, and that it is not in its note yet."""
    later = one.superseded_by
    parts = [f"superseded by {safe_line(later.path)}:{later.line}"] if later else []
    if one.source == WAITING:
        parts.append(f"waits to be written into {safe_line(one.path)}")
    same = [f"the same in {', '.join(map(safe_line, one.also))}"] if one.also else []
    return [
        *(Styled(f"  {part}", "yellow") for part in parts),
        *(Styled(f"  {part}", "dim") for part in same),
    ]


def _strength(one: Result) -> list[str | Styled]:
    """The strength of the entry of a result."""
    if one.strength is None or one.band is None:
        return []
    bar = Styled(f"  {strength_bar(one.strength)}", BAND_STYLES.get(one.band, ""))
    return [bar, Styled(f" {one.strength:.2f}", "dim")]


def _best_line(text: str, query: str) -> str:
    """The line of ``text`` with most words of the query, without markdown signs."""
    words = set(_WORDS.findall(query.lower()))
    lines = split_lines(text)
    kinds = scan(lines).kinds
    best, most = "", -1
    for at, line in enumerate(lines):
        if kinds[at] == Kind.HEADING or not line.strip():
            continue
        shared = len(words & set(_WORDS.findall(line.lower())))
        if shared > most:
            best, most = line, shared
    return " ".join(inline_text(_BLOCK_MARKS.sub(" ", safe_line(best))).split())


def _print_reasons(output: Output, result: QueryResult) -> None:
    output.line()
    for label, because in _reasons(result):
        output.beside("", Styled(label, "dim"), because)


def _reasons(result: QueryResult) -> Iterator[tuple[str, str]]:
    for one in result.results:
        because = "; ".join(one.reasons) or "no reason kept"
        yield f"{one.rank}. {safe_line(one.path)}:{one.start_line} ({one.score:.2f}): ", because
    for kept in result.suppressed:
        label = "broken pointer: " if kept.cause == "gone" else "not shown: "
        yield label, f"{safe_line(kept.entry)}, {safe_line(kept.reason)}"


def _print_footer(output: Output, result: QueryResult, *, explain: bool) -> None:
    print_notices(output, result)
    if result.beliefs:
        output.line()
        for held in result.beliefs:
            output.beside("", Styled("held: ", "bold"), safe_line(held_line(held)))
    parts = [_written(result)] if result.written else []
    if result.suppressed and not explain:
        parts += _suppressed(result)
    if result.results:
        parts.append(f"{result.tokens:,} of {result.full_scan_tokens:,} tokens")
    if output.terminal and result.results:
        parts.append(f"{result.elapsed_ms:.0f} ms")
    if parts:
        output.line()
        _print_wrapped(output, Styled(" · ".join(parts), "dim"))


def print_notices(output: Output, result: QueryResult) -> None:
    """What a person should know, beside the answer."""
    for notice in result.notices:
        output.note(f"hippo: {notice}", dim=True)


def _suppressed(result: QueryResult) -> Iterator[str]:
    gone = [one for one in result.suppressed if one.cause == "gone"]
    faded = len(result.suppressed) - len(gone)
    if faded:
        yield f"{count(faded, 'faded entry', 'faded entries')} not shown (--explain)"
    if len(gone) == 1:
        yield f"{safe_line(gone[0].entry)} {safe_line(gone[0].reason)}"
    elif gone:
        yield f"{len(gone)} entries have broken pointers (--explain)"


def _written(result: QueryResult) -> str:
    lead = {"hit": "", "created": "new entry ", "tagged": "tags added to "}
    return ", ".join(
        f"{lead.get(one.change, '')}{safe_line(one.entry)}: {safe_line(one.detail)}"
        for one in result.written
    )
