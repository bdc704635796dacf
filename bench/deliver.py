"""Tables of figures: columns that fit the terminal, the rest in a further block below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.cells import cell_len

from bench.sheet import Cell, Column, Findings, Sheet, save
from hippocampus_cli.cli.output import Output, Styled
from hippocampus_cli.markdown.safe import safe_line

_GAP = 2
_NONE = "–"


def deliver(
    output: Output,
    found: Findings,
    csv: Path | None,
    plot: Path | None,
    *,
    markdown: bool = False,
) -> None:
    """Save what was asked for, then print the tables, as text or as markdown, or the document."""
    written = save(found, csv, plot)
    if output.as_json:
        output.json(found.document)
        return
    for sheet in found.sheets:
        (_print_markdown if markdown else print_sheet)(output, sheet)
        output.line()
    print_notes(output, found.notes)
    for path in written:
        output.line(f"wrote {safe_line(str(path))}")


def print_sheet(output: Output, sheet: Sheet) -> None:
    """The title and the table; on a terminal it is folded, each block with the names of the rows."""
    output.line(Styled(sheet.title, "bold"))
    for number, block in enumerate(_blocks(output, _texts(sheet))):
        if number:
            output.line()
        for line in _aligned(block):
            output.line(line)


def _aligned(columns: list[list[str]]) -> list[str]:
    """The rows of some columns, the first to the left and the others to the right."""
    name, *rest = columns
    widths = [max(map(cell_len, column)) for column in rest]
    left = max(map(cell_len, name))
    return [
        head
        + " " * (left - cell_len(head))
        + "".join(" " * _GAP + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        for head, *cells in zip(*columns, strict=True)
    ]


def _print_markdown(output: Output, sheet: Sheet) -> None:
    """The title as a paragraph, then a table as GitHub reads it; numbers to the right."""
    output.line(f"**{sheet.title}**")
    output.line()
    rules = ["---", *("---:" for _ in sheet.columns[1:])]
    heads, *rows = zip(*_texts(sheet), strict=True)
    for cells in (heads, rules, *rows):
        output.line(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")


def print_notes(output: Output, notes: Sequence[str]) -> None:
    """Sentences, wrapped."""
    from textwrap import wrap

    for note in notes:
        for line in wrap(note, output.width):
            output.line(Styled(line, "dim"))


def _texts(sheet: Sheet) -> list[list[str]]:
    """The columns as they are shown, each with its head."""
    return [
        [column.head, *(_text(column, row[at]) for row in sheet.rows)]
        for at, column in enumerate(sheet.columns)
    ]


def _text(column: Column, cell: Cell) -> str:
    if cell is None:
        return _NONE
    if isinstance(cell, str):
        return cell
    unit = "$" if column.shape.startswith("$") else ""
    return unit + format(cell, column.shape.removeprefix("$"))


def _blocks(output: Output, columns: list[list[str]]) -> Iterator[list[list[str]]]:
    """The columns in groups that fit the terminal; the first one is repeated in each."""
    name, *rest = columns
    widths = [_GAP + max(map(cell_len, column)) for column in columns]
    room = output.width - widths[0] + _GAP
    block, used = [name], 0
    for column, width in zip(rest, widths[1:], strict=True):
        if output.terminal and len(block) > 1 and used + width > room:
            yield block
            block, used = [name], 0
        block.append(column)
        used += width
    yield block
