"""A block of lines of hippo's between two marks in a text, which leaves no trace when it goes. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.markdown.lines import newline_of


class BlockMarks(NamedTuple):
    """The first and the last line of a block."""

    begin: str
    end: str

    def pattern(self) -> re.Pattern[str]:
        """A block with the line breaks before it, and the one after it."""
        return re.compile(
            rf"(?P<before>(?:\r\n?|\n){{0,2}}){self.begin}(?:\r\n?|\n)(?:(?!{self.begin}|{self.end}).)*+{self.end}"
            r"(?P<after>\r\n?|\n|\Z)",
            re.DOTALL,
        )


def edit_block(marks: BlockMarks, lines: Sequence[str], text: str, installs: bool) -> str:
    """The text without an earlier block, and where it ``installs`` with these lines in a block at its end.

    An empty text is that of no file.
    """
    text = _without_block(marks, text)
    if not installs:
        return text
    newline = newline_of(text)
    block = newline.join((marks.begin, *lines, marks.end))
    if not text:
        return f"{block}{newline}"
    whole = text.endswith(("\n", "\r"))  # a file that ends in its last line ends in the block's
    apart = "\r" if text.endswith("\r") else newline  # a feed after it would be of the same break
    return f"{text}{apart}{block}{newline}" if whole else f"{text}{newline * 2}{block}"


def _without_block(marks: BlockMarks, text: str) -> str:
    """The text as it was before the block came."""
    found = marks.pattern().search(text)
    if found is None:
        return text
    breaks = found["before"]
    kept = re.sub(r"(?:\r\n?|\n)\Z", "", breaks) if found["after"] else ""
    return text[: found.start()] + kept + text[found.end() :]
