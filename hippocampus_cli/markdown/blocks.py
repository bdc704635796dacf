"""What each line of a markdown text is: heading, fenced code, comment, front matter, or plain text.

Headings inside code fences and HTML comments are text (decision D2). A fence or a comment that is never
closed hides nothing: its opening line counts as text and is reported in ``unclosed``, because one lost
backtick must not make every entry after it invisible.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import accumulate

from hippocampus_cli.fast_types import NamedTuple, pattern

_HEADING = pattern(r" {0,3}(#{1,6})(?:[ \t]|$)")
# A fence may open on the line of a list item; missing it there would take its end for a beginning.
_FENCE = pattern(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)")
_TELLING = frozenset("-*+0123456789#`~<=")  # a line that begins with another sign is text
_HX = pattern(r" {0,3}<!--[ \t]*hx:")
_COMMENT = pattern(r"[\ufeff ]{0,4}<!--")
_SETEXT = pattern(r" {0,3}(=+|-{2,})[ \t]*$")
_MAX_SETEXT = (
    200  # characters; a longer line above a rule is prose whose author forgot the blank line
)
_YAML = pattern(r"[^\s#:\-][^:]*:(?:\s|$)|[\"']|[ \t]+\S|-(?:\s|$)|#|[\]})]")
_YAML_KEY = pattern(r"[^\s#:\-\[{][^:]*:(?:\s|$)")
_NOT_PARAGRAPH = pattern(r"[ \t]*(?:[#>|]|[-*+][ \t]|\d+[.)][ \t]|$)|(?: {4}|\t)")


class Kind(IntEnum):
    """The kind of one line."""

    TEXT = 0
    HEADING = 1
    CODE = 2  # a fence's delimiters and everything between
    COMMENT = 3
    FRONT_MATTER = 4


class BlockHeading(NamedTuple):
    """A heading at 0-based ``line``, over ``span`` lines (2 for a setext heading)."""

    line: int
    level: int
    title: str
    span: int = 1


class Blocks(NamedTuple):
    """One kind a line, the headings in order, and the 0-based lines whose fence or comment never closes."""

    kinds: bytearray
    headings: list[BlockHeading]
    unclosed: list[int]


def heading_of(line: str) -> tuple[int, str] | None:
    """``(level, title)`` of an ATX heading line, or ``None``; a closing run of ``#`` is not in the title."""
    line = line.lstrip("\ufeff").rstrip("\r\n")
    match = _HEADING.match(line)
    if not match:
        return None
    title = line[match.end(1) :].strip()
    bare = title.rstrip("#")
    if bare != title and (not bare or bare[-1] in " \t"):
        title = bare.rstrip()
    return len(match[1]), title


def scan(lines: Sequence[str], *, setext: bool = False, most: int | None = None) -> Blocks:
    """Classify ``lines``. ``setext``: a ``Title`` underlined with ``===`` or ``---`` is a heading too.

    After ``most`` headings further ones are text.
    """
    blocks = Blocks(bytearray(len(lines)), [], [])
    most = len(lines) if most is None else most
    fences = _Fences(lines)
    number = _front_matter(lines, blocks)
    while number < len(lines):
        line = lines[number]
        bare = line.lstrip(" \t\ufeff")
        first = bare[:1]
        if first not in _TELLING:  # nearly every line
            number += 1
            continue
        end = number + 1
        room = len(blocks.headings) < most
        if first == "#" and room and (heading := heading_of(line)):
            blocks.kinds[number] = Kind.HEADING
            blocks.headings.append(BlockHeading(number, *heading))
        elif fence := fence_of(line):
            end = fences.end(number, fence)
            _mark(blocks, number, end, Kind.CODE)
        elif first == "<" and _COMMENT.match(line):
            end = _close_comment(lines, number)
            _mark(blocks, number, end, Kind.COMMENT)
        elif (setext and room and number and bare.startswith(("=", "--"))) and _underlines(
            lines, number, blocks
        ):
            blocks.kinds[number - 1] = blocks.kinds[number] = Kind.HEADING
            level = 1 if first == "=" else 2
            blocks.headings.append(
                BlockHeading(number - 1, level, lines[number - 1].strip("\ufeff \t\r\n"), 2)
            )
        number = max(end, number + 1)
    return blocks


def _mark(blocks: Blocks, start: int, end: int, kind: Kind) -> None:
    if end <= start:  # never closed
        blocks.unclosed.append(start)
    else:
        blocks.kinds[start:end] = bytes([kind]) * (end - start)


def _front_matter(lines: Sequence[str], blocks: Blocks) -> int:
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    for number in range(1, len(lines)):
        if lines[number].rstrip() in ("---", "..."):
            if not _is_yaml(lines[1:number]):
                return 0
            _mark(blocks, 0, number + 1, Kind.FRONT_MATTER)
            return number + 1
    return 0


def _is_yaml(lines: Sequence[str]) -> bool:
    """Whether the lines between two rules are front matter and not the note's text.

    Without a blank line the first key settles it, even if the rest is broken. With one, every line must look
    like YAML, and ``#`` after a blank line is a heading: hiding a section is worse than showing a comment.
    """
    said = [line for line in lines if line.strip() and not line.startswith("#")]
    if not said or not _YAML_KEY.match(said[0]):
        return not any(line.strip() for line in lines)
    if len(said) == len(lines):
        return True
    blank = False
    for line in lines:
        if line.strip() and (not _YAML.match(line) or (blank and heading_of(line))):
            return False
        blank = not line.strip()
    return True


def fence_of(line: str) -> str | None:
    """The signs that begin or end fenced code on this line; ``None`` for none."""
    match = _FENCE.match(line) if "```" in line or "~~~" in line else None
    if not match or (match[1][0] == "`" and "`" in match[2]):
        return None
    return match[1]


class _Fences:
    """Finds where fences end, in linear time whatever is left unclosed."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.longest: dict[str, list[int]] = {}  # by character: the longest fence from a line on

    def end(self, start: int, fence: str) -> int:
        """The line after the end of the fence that opens at line ``start``, or ``start`` if it has none."""
        char, length = fence[0], len(fence)
        if char not in self.longest:
            lengths = (_closing(line, char) for line in reversed(self.lines))
            self.longest[char] = [*accumulate(lengths, max, initial=0)][::-1]
        if self.longest[char][start + 1] < length:
            return start
        later = range(start + 1, len(self.lines))
        return next(line + 1 for line in later if _closing(self.lines[line], char) >= length)


def _closing(line: str, char: str) -> int:
    """The length of the closing fence of ``char`` that ``line`` is, or 0."""
    text = line.strip()
    return 0 if text.strip(char) else len(text)


def _close_comment(lines: Sequence[str], start: int) -> int:
    """The line after the comment's end, or ``start`` if it never ends or another comment starts before."""
    if "-->" in lines[start][lines[start].index("<!--") + 4 :]:
        return start + 1
    hx = is_hx(lines[start])
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if _COMMENT.match(line) or (hx and heading_of(line)):
            return start
        if "-->" in line:
            return index + 1
    return start


def is_hx(line: str) -> bool:
    """Whether ``line`` opens an ``hx`` metadata comment."""
    return bool(_HX.match(line))


def _underlines(lines: Sequence[str], number: int, blocks: Blocks) -> bool:
    return (
        blocks.kinds[number - 1] == Kind.TEXT
        and blocks.unclosed[-1:] != [number - 1]
        and bool(_SETEXT.match(lines[number].rstrip("\r\n")))
        and len(lines[number - 1]) <= _MAX_SETEXT
        and not _NOT_PARAGRAPH.match(lines[number - 1].rstrip("\r\n"))
        and (number < 2 or blocks.kinds[number - 2] != Kind.TEXT or not lines[number - 2].strip())
    )
