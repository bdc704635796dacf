"""Text in columns of a terminal, where an emoji or a Chinese character takes two; labels, rows and strength bars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hippocampus_cli.cli.output import Output, Styled, text_of
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.markdown.safe import safe_line

_LEAST = 12  # columns of a text, however narrow the screen
_COMMAND = pattern(r"(\(hippo [^()]*\)\S*)")


def fit(text: str, width: int) -> str:
    """``text`` made safe, on one line, cut with ``…`` to at most ``width`` columns."""
    from rich.cells import cell_len, set_cell_size

    line = safe_line(text)
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(0, width - 1)).rstrip() + "…" if width > 0 else ""


def fit_words(text: str, width: int) -> str:
    """As :func:`fit`, cut after a whole word where that leaves half of it."""
    from rich.cells import cell_len

    line = safe_line(text)
    if cell_len(line) <= width:
        return line
    kept = wrapped(line, max(0, width - 1))[0]
    if kept.endswith("…") or 2 * cell_len(kept) < width:  # one word, or writing without spaces
        return fit(line, width)
    return f"{kept}…"


def wrapped(text: str, width: int) -> list[str]:
    """``text`` made safe, as lines of at most ``width`` columns, broken at spaces; a longer word is cut with ``…``.

    A command in brackets, to be typed as it stands, is broken only where it does not fit a line, and never cut.
    """
    from rich.cells import cell_len

    lines = [""]
    for word, typed in _words(text, width):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines += [word if typed else fit(word, width)]
    return lines if lines[0] else lines[1:] or [""]


def print_beside(output: Output, lead: str | Styled, *parts: str | Styled) -> None:
    """One line of a label and what it says; where that is too long for a narrow screen, broken in its own column.

    A word that does not fit there, such as a path, is broken on a terminal and stays whole in a pipe.
    """
    label, *said = (one if isinstance(one, Styled) else Styled(one, "") for one in (lead, *parts))
    if not output.narrow or columns_of(text_of((lead, *parts))) <= output.width:
        output.line(lead, *parts)
        return
    indent = columns_of(label.text)
    for number, line in enumerate(
        _broken(said, max(_LEAST, output.width - indent), output.terminal)
    ):
        output.line(" " * indent if number else lead, *line)


def _broken(parts: list[Styled], room: int, chop: bool) -> list[list[Styled]]:
    """Styled text as lines of at most ``room`` columns, broken at spaces; a longer word too where it is to be."""
    from rich.cells import chop_cells

    lines: list[list[Styled]] = [[]]
    used, blanks = 0, ""
    for text, style in parts:
        for word in re.split(r"( +)", text):
            if not word.strip():
                blanks += word
                continue
            if used and used + len(blanks) + columns_of(word) > room:
                lines.append([])
                used = 0
            lead, blanks = blanks if used or len(lines) == 1 else "", ""
            first, *more = chop_cells(word, room) if chop else [word]
            lines[-1].append(Styled(lead + first, style))
            lines += ([Styled(one, style)] for one in more)
            used = columns_of(more[-1]) if more else used + len(lead) + columns_of(first)
    return lines


def _words(text: str, width: int) -> Iterator[tuple[str, bool]]:
    """What is not broken, and whether it is to be typed."""
    for at, piece in enumerate(_COMMAND.split(safe_line(text))):
        if at % 2 and columns_of(piece) <= width:
            yield piece, True
        else:
            yield from ((word, at % 2 == 1) for word in piece.split())


def padded(text: str, width: int) -> str:
    """The same, filled up with blanks to exactly ``width`` columns."""
    from rich.cells import cell_len

    cut = fit(text, width)
    return cut + " " * max(0, width - cell_len(cut))


def columns_of(text: str) -> int:
    """How many columns ``text`` takes once it is safe."""
    from rich.cells import cell_len

    return cell_len(safe_line(text))


def column_widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column: that of its longest cell."""
    return [max(map(columns_of, column)) for column in zip(*rows, strict=True)]


def row_of(cells: Sequence[str], widths: Sequence[int], texts: int = 1) -> str:
    """A line of a table: the first ``texts`` columns to the left, the figures after them to the right."""
    shown = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        blank = " " * max(0, width - columns_of(cell))
        shown.append(padded(cell, width) if at < texts else blank + fit(cell, width))
    return "  ".join(shown).rstrip()


def print_table(
    output: Output,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    texts: int = 1,
    style: str = "",
) -> None:
    """Rows below their heads; on a terminal the widest of the ``texts`` is cut until the lines fit."""
    widths = column_widths([heads, *rows])
    if output.terminal:
        over = sum(widths) + 2 * len(widths) - output.width
        while over > 0 and max(widths[:texts]) > 4:
            widths[max(range(texts), key=widths.__getitem__)] -= 1
            over -= 1
    output.line(Styled(f"  {row_of(heads, widths, texts)}", "dim"))
    for row in rows:
        output.line(Styled(f"  {row_of(row, widths, texts)}", style))


LONGEST_BAR = 40


def bar(number: int, most: int, width: int) -> str:
    """A bar of ``width`` columns for ``most``, of one at least for any number but 0."""
    return "▇" * (max(1, round(number / most * width)) if number and width else 0)


def print_tabs(output: Output, rows: Iterable[Sequence[str]]) -> None:
    """Tab-separated values, for a program that reads a pipe."""
    for row in rows:
        output.line("\t".join(row))


def label(text: str, width: int, indent: int = 0) -> Styled:
    """The name of a value, in a column of its own."""
    return Styled(f"{'':{indent}}{text:<{width}}", "dim")


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 entry``, ``2,000 entries``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def named(texts: Sequence[str], most: int) -> str:
    """The first ``most`` of ``texts`` on one line, and how many more there are."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(map(safe_line, texts[:most])) + more


CELLS = 5
BAND_STYLES = {
    "strong": "green",
    "moderate": "cyan",
    "weak": "yellow",
    "decaying": "magenta",
    "silent": "dim",
}


def strength_bar(strength: float) -> str:
    """Five cells, filled for each whole fifth of ``strength``: ``▰▰▰▰▱`` for 0.92."""
    if not strength > 0:  # nan included
        return "▱" * CELLS
    filled = int(min(strength, 1.0) * CELLS + 1e-9)
    return "▰" * filled + "▱" * (CELLS - filled)
