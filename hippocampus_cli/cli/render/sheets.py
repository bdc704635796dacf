"""Tables of figures: columns that fit the terminal, the rest in a further block below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocampus_cli.benchmark.sheet import Cell, Column, Findings, Sheet, save
from hippocampus_cli.cli.render.layout import columns_of, fit, padded
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line

_GAP = 2
_NONE = "–"
Texts = list[list[str]]


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
    texts = [
        _texts(column, [row[at] for row in sheet.rows]) for at, column in enumerate(sheet.columns)
    ]
    for number, block in enumerate(_blocks(output, texts)):
        if number:
            output.line()
        _print_block(output, block)


def _print_markdown(output: Output, sheet: Sheet) -> None:
    """The title as a paragraph, then a table as GitHub reads it; numbers to the right."""
    output.line(f"**{sheet.title}**")
    output.line()
    rules = ["---", *("---:" for _ in sheet.columns[1:])]
    rows = [[_text(*cell) for cell in zip(sheet.columns, row, strict=True)] for row in sheet.rows]
    for cells in ([column.head for column in sheet.columns], rules, *rows):
        output.line(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")


def print_notes(output: Output, notes: Sequence[str]) -> None:
    """Sentences, wrapped."""
    from textwrap import wrap

    for note in notes:
        for line in wrap(note, output.width):
            output.line(Styled(line, "dim"))


def _texts(column: Column, cells: Sequence[Cell]) -> list[str]:
    """The head of a column and its cells, as they are shown."""
    return [column.head, *(_text(column, cell) for cell in cells)]


def _text(column: Column, cell: Cell) -> str:
    if cell is None:
        return _NONE
    if isinstance(cell, str):
        return cell
    unit = "$" if column.shape.startswith("$") else ""
    return unit + format(cell, column.shape.removeprefix("$"))


def _blocks(output: Output, texts: Texts) -> Iterator[Texts]:
    """The columns in groups that fit; the first one stands before each."""
    name, *rest = texts
    room = output.width - _width(name) if output.terminal else None
    block: Texts = []
    for column in rest:
        if room is not None and block and sum(map(_taken, [*block, column])) > room:
            yield [name, *block]
            block = []
        block.append(column)
    yield [name, *block]


def _taken(column: list[str]) -> int:
    return _GAP + _width(column)


def _width(column: list[str]) -> int:
    return max(map(columns_of, column))


def _print_block(output: Output, block: Texts) -> None:
    widths = [_width(column) for column in block]
    for at in range(len(block[0])):
        first, *cells = (
            padded(column[at], width) if number == 0 else _right(column[at], width)
            for number, (column, width) in enumerate(zip(block, widths, strict=True))
        )
        line = (" " * _GAP).join([first, *cells]).rstrip()
        if at:
            output.line(line)
        else:
            output.line(Styled(line, "dim"))


def _right(text: str, width: int) -> str:
    return " " * max(0, width - columns_of(text)) + fit(text, width)
