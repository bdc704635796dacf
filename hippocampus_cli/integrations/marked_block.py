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


def with_block(text: str, marks: BlockMarks, lines: Sequence[str]) -> str:
    """The text with a block at its end; ``text`` has none, and is empty for no file."""
    newline = newline_of(text)
    block = newline.join((marks.begin, *lines, marks.end))
    if not text:
        return f"{block}{newline}"
    whole = text.endswith(("\n", "\r"))  # a file that ends in its last line ends in the block's
    apart = "\r" if text.endswith("\r") else newline  # a feed after it would be of the same break
    return f"{text}{apart}{block}{newline}" if whole else f"{text}{newline * 2}{block}"


def without_block(text: str, marks: BlockMarks) -> str:
    """The text as it was before the block came; empty where nothing else was in it."""
    found = marks.pattern().search(text)
    if found is None:
        return text
    before = text[: found.start("before")]
    added = len(found["before"]) if not found["after"] else _length_of_last(found["before"])
    before += found["before"][: len(found["before"]) - added]
    return before + text[found.end() :]


def _length_of_last(breaks: str) -> int:
    """The length of the last line break."""
    return 2 if breaks.endswith("\r\n") else min(1, len(breaks))
