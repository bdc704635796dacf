"""Text to :class:`Document`. Never raises on content; what is odd is reported by :mod:`checks`."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index.document import Document, Header, Heading, Node, Text, View, is_header
from hippocampus_cli.index.entry import parse_block, parse_bullet
from hippocampus_cli.markdown.blocks import BlockHeading as Mark
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines

_BEGIN = pattern(r" {0,3}<!--[ \t]*hippo:begin[ \t]+([\w-]+)[ \t]*-->\s*$")
_END = pattern(r" {0,3}<!--[ \t]*hippo:end[ \t]+([\w-]+)[ \t]*-->\s*$")


def parse(text: str) -> Document:
    """The document that ``text`` is; ``"".join`` of its nodes' ``raw`` is ``text`` again."""
    return Document(tuple(_Parser(split_lines(text)).nodes()))


class _Parser:
    """One pass over the lines; holds the lines' kinds, the nodes so far, and the lines of text since the last."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        blocks = scan(lines)
        self.kinds = blocks.kinds
        self.marks = {mark.line: mark for mark in blocks.headings}
        self.taken: list[Node] = []
        self.text: list[str] = []

    def nodes(self) -> list[Node]:
        number = 0
        while number < len(self.lines):
            node, end = self._node(number)
            if node is None:
                self.text.append(self.lines[number])
            else:
                self._take_text()
                self.taken.append(node)
            number = end
        self._take_text()
        return self.taken

    def _node(self, number: int) -> tuple[Node | None, int]:
        """The node that begins on a line, ``None`` where that is text, and the line after it."""
        line = self.lines[number]
        if self.kinds[number] == Kind.COMMENT:
            begin = _BEGIN.match(line)
            if begin and (end := self._view_end(number, begin[1])):
                return View("".join(self.lines[number:end]), begin[1]), end
            if is_header(line) and self._is_header_place():
                return Header(line), number + 1
        elif mark := self.marks.get(number):
            return self._heading(number, mark)
        elif self.kinds[number] == Kind.TEXT:
            return parse_bullet(line), number + 1
        return None, number + 1

    def _heading(self, number: int, mark: Mark) -> tuple[Node, int]:
        """An entry is all of the heading's block, or the block's first lines."""
        end = self._block_end(number)
        if mark.level > 1:
            entry = parse_block("".join(self.lines[number:end]), bytes(self.kinds[number:end]))
            if entry:
                return entry, number + len(split_lines(entry.raw))
        return Heading(self.lines[number], mark.level, mark.title), number + 1

    def _take_text(self) -> None:
        if self.text:
            self.taken.append(Text("".join(self.text)))
            self.text = []

    def _block_end(self, start: int) -> int:
        end = start + 1
        while end < len(self.lines) and end not in self.marks:
            if self.kinds[end] == Kind.COMMENT and _BEGIN.match(self.lines[end]):
                break
            end += 1
        while not self.lines[end - 1].strip():
            end -= 1
        return end

    def _view_end(self, start: int, name: str) -> int | None:
        """The line after the view's end marker; a marker inside a code fence does not count."""
        for index in range(start + 1, len(self.lines)):
            if self.kinds[index] != Kind.COMMENT:
                continue
            end = _END.match(self.lines[index])
            if end and end[1] == name:
                return index + 1
            if _BEGIN.match(self.lines[index]):
                return None
        return None

    def _is_header_place(self) -> bool:
        """Line 1, or straight after the H1 (decision D3)."""
        blank = "\ufeff \t\r\n"
        nodes = (*self.taken, Text("".join(self.text)))
        before = [node for node in nodes if node.raw.strip(blank)]
        titles = [node for node in before if isinstance(node, Heading) and node.level == 1]
        return before == titles[:1]
