"""Text in columns of a terminal, where an emoji or a Chinese character takes two."""

from __future__ import annotations

from hippocampus_cli.cli.render.safe import safe_line


def fit(text: str, width: int) -> str:
    """``text`` made safe, on one line, cut with ``…`` to at most ``width`` columns."""
    from rich.cells import cell_len, set_cell_size

    line = safe_line(text)
    if cell_len(line) <= width:
        return line
    return set_cell_size(line, max(0, width - 1)).rstrip() + "…" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """The same, filled up with blanks to exactly ``width`` columns."""
    from rich.cells import cell_len

    cut = fit(text, width)
    return cut + " " * max(0, width - cell_len(cut))


def columns_of(text: str) -> int:
    """How many columns ``text`` takes once it is safe."""
    from rich.cells import cell_len

    return cell_len(safe_line(text))


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 entry``, ``2,000 entries``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
