"""The result of a compaction: the summary, the verdict on each entry, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.cli.render.layout import column_widths, count, padded, print_tabs
from hippocampus_cli.cli.render.output import Output, Styled, picked
from hippocampus_cli.context.compaction import CompactedSession
from hippocampus_cli.context.compaction.compose import ratio
from hippocampus_cli.context.compaction.score import Action, Judged
from hippocampus_cli.context.transcripts import Transcript
from hippocampus_cli.markdown.safe import safe, safe_line

_STYLES = {"keep": "green", "compress": "cyan", "sparse": "yellow"}
_DONE: dict[Action, str] = {
    "keep": "kept",
    "compress": "compressed",
    "sparse": "pointers",
    "fold": "folded",
    "drop": "dropped",
    "skip": "skipped",
}
_HEADS = ("line", "id", "type", "tokens", "age", "retention", "action", "why")
_WIDE, _NARROW = range(len(_HEADS)), (1, 2, 5, 6, 7)  # columns
_WIDE_FROM, _SHORTEST = 90, 12


def print_compaction(output: Output, made: CompactedSession, *, explain: bool) -> None:
    """The summary, or the verdicts; the figures beside it."""
    if explain:
        print_verdicts(output, made.judged)
    else:
        for line in made.summary.split("\n"):
            output.line(_styled(safe(line)))
    counts = ", ".join(
        f"{made.counts[action]:,} {_DONE[action]}" for action in _DONE if made.counts[action]
    )
    shrunk = made.after < made.before  # a session of a few words does not
    smaller = f", {ratio(made.before, made.after)} times smaller" if shrunk else ""
    output.note(
        f"{count(len(made.judged), 'entry', 'entries')}: {counts or 'none'}; "
        f"{made.before:,} to {made.after:,} tokens{smaller}"
    )


def print_verdicts(output: Output, judged: Sequence[Judged]) -> None:
    """A line an entry: columns on a terminal, tab-separated values elsewhere."""
    rows = [_row(one) for one in judged]
    if not output.terminal:
        print_tabs(output, rows)
        return
    chosen = _WIDE if output.width >= _WIDE_FROM else _NARROW
    shown = [[row[at] for at in chosen] for row in (_HEADS, *rows)]
    widths = column_widths(shown)[:-1]
    widths.append(max(_SHORTEST, output.width - sum(widths) - 2 * len(widths)))
    _print_cells(output, shown[0], widths, "dim")
    for cells in shown[1:]:
        _print_cells(output, cells, widths, _STYLES.get(cells[-2], "dim"))


def _print_cells(output: Output, row: Sequence[str], widths: Sequence[int], style: str) -> None:
    """One line; ``style`` is that of what became of the entry."""
    cells = [
        cell.rjust(width) if cell.isdigit() else padded(cell, width)
        for cell, width in zip(row, widths, strict=True)
    ]
    head = "  ".join(cells[:-2])
    output.line(
        Styled(head, "dim") if style == "dim" else head,
        Styled(f"  {cells[-2]}", style),
        Styled(f"  {cells[-1]}".rstrip(), "dim"),
    )


def document(
    made: CompactedSession, transcript: Transcript, notices: Sequence[str]
) -> dict[str, object]:
    """The whole as one JSON document."""
    return {
        "summary": made.summary,
        "tokens": made.after,
        "original_tokens": made.before,
        "max_tokens": made.budget,
        "path": str(transcript.path),
        "format": transcript.format,
        "broken_lines": transcript.damage.broken + transcript.damage.too_long,
        "counts": dict(made.counts),
        "entries": [entry_document(one) for one in made.judged],
        "key_data": [datum._asdict() for datum in made.key_data],
        "notices": list(notices),
    }


def entry_document(one: Judged) -> dict[str, object]:
    """A verdict as JSON; an entry of an earlier summary has no line."""
    entry = one.entry
    return {
        "id": entry.id or None,
        "line": entry.line or None,
        **picked(entry, "role", "type"),
        "tool": entry.tool or None,
        **picked(entry, "tokens", "importance", "age", "retention"),
        "used": entry.use is not None,
        **picked(one, "action", "reason"),
    }


def _row(one: Judged) -> tuple[str, ...]:
    entry = one.entry
    cells = (
        str(entry.line or "-"),
        entry.id or "-",
        entry.type,
        str(entry.tokens),
        str(entry.age),
        f"{entry.retention:.2f}",
        one.action,
        one.reason,
    )
    return tuple(map(safe_line, cells))


def _styled(line: str) -> Styled:
    if line.startswith("#"):
        return Styled(line, "bold")
    return Styled(line, "dim" if line.startswith("<!--") else "")
