"""Text in columns of a terminal, where an emoji or a Chinese character takes two."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.cli.render.safe import safe_line

_COMMAND = re.compile(r"(\(hippo [^()]*\)\S*)")


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


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 entry``, ``2,000 entries``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
