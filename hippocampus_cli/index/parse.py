"""Text to :class:`Document`. Never raises on content; what is odd is reported by :mod:`checks`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index.document import Document, Header, Heading, Node, Text, View, is_header
from hippocampus_cli.index.entry import parse_block, parse_bullet
from hippocampus_cli.markdown.blocks import Heading as Mark
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines

_BEGIN = pattern(r" {0,3}<!--[ \t]*hippo:begin[ \t]+([\w-]+)[ \t]*-->\s*$")


def parse(text: str) -> Document:
    """The document that ``text`` is; ``"".join`` of its nodes' ``raw`` is ``text`` again."""
    return Document(tuple(_Parser(split_lines(text)).nodes()))


class _Parser:
    """One pass over the lines; holds the lines' kinds and the headings still ahead."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        blocks = scan(lines)
        self.kinds = blocks.kinds
        self.marks = {mark.line: mark for mark in blocks.headings}
        self.found: list[Node] = []
        self.text: list[str] = []

    def nodes(self) -> list[Node]:
        at = 0
        while at < len(self.lines):
            at = self._one(at)
        self._flush()
        return self.found

    def _one(self, at: int) -> int:
        """Take the node or the line of text at ``at``; returns the line after it."""
        line = self.lines[at]
        if self.kinds[at] == Kind.COMMENT:
            begin = _BEGIN.match(line)
            if begin and (end := self._view_end(at, begin.group(1))):
                return self._add(View("".join(self.lines[at:end]), begin.group(1)), at, end)
            if is_header(line) and self._header_place(at):
                return self._add(Header(line), at, at + 1)
        elif mark := self.marks.get(at):
            return self._heading(at, mark)
        elif self.kinds[at] == Kind.TEXT and (bullet := parse_bullet(line)):
            return self._add(bullet, at, at + 1)
        self.text.append(line)
        return at + 1

    def _heading(self, at: int, mark: Mark) -> int:
        end = self._block_end(at)
        entry = parse_block(self.lines[at:end], self.kinds[at:end]) if mark.level > 1 else None
        if entry is None:
            return self._add(Heading(self.lines[at], mark.level, mark.title), at, at + 1)
        length = len(entry.raw)  # an entry is all of its block, or the block's first lines
        while length > 0:
            length -= len(self.lines[at])
            at += 1
        return self._add(entry, at, at)

    def _add(self, node: Node, at: int, end: int) -> int:
        self._flush()
        self.found.append(node)
        return end

    def _flush(self) -> None:
        if self.text:
            self.found.append(Text("".join(self.text)))
            self.text = []

    def _block_end(self, at: int) -> int:
        end = at + 1
        while end < len(self.lines) and end not in self.marks:
            if self.kinds[end] == Kind.COMMENT and _BEGIN.match(self.lines[end]):
                break
            end += 1
        return end

    def _view_end(self, at: int, name: str) -> int | None:
        """The line after the view's end marker; a marker inside a code fence does not count."""
        end_mark = re.compile(rf" {{0,3}}<!--[ \t]*hippo:end[ \t]+{re.escape(name)}[ \t]*-->\s*$")
        for index in range(at + 1, len(self.lines)):
            if self.kinds[index] != Kind.COMMENT:
                continue
            if end_mark.match(self.lines[index]):
                return index + 1
            if _BEGIN.match(self.lines[index]):
                return None
        return None

    def _header_place(self, at: int) -> bool:
        """Line 1, or straight after the H1 (decision D3)."""
        if any(isinstance(node, Header) for node in self.found):
            return False
        before = [
            node
            for node in self.found
            if not isinstance(node, Text) or node.raw.strip("\ufeff \t\r\n")
        ]
        if "".join(self.text).strip("\ufeff \t\r\n"):
            return False
        return not before or (
            len(before) == 1 and isinstance(before[0], Heading) and before[0].level == 1
        )
