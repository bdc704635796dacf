"""Which format a file is, from its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, Literal, Protocol

from hippocampus_cli.context.transcripts import claude_code, pi, plain
from hippocampus_cli.context.transcripts.message import Message, Record
from hippocampus_cli.context.transcripts.nodes import Node, Window
from hippocampus_cli.context.transcripts.records import Damage, Span, parse, read_lines

Format = Literal["pi", "openclaw", "claude-code", "messages"]
FORMATS: tuple[Format, ...] = ("pi", "openclaw", "claude-code", "messages")


class Reader(Protocol):
    """What a format's module offers: its records as nodes, nodes as a window, records as messages."""

    def fits(self, records: Sequence[Record]) -> bool: ...

    def node(self, value: Record, span: Span, before: Node | None) -> Node | None: ...

    def window(self, nodes: Sequence[Node], broken: Sequence[int]) -> Window: ...

    def messages(
        self, records: Sequence[Record], nodes: Sequence[Node], tools: Mapping[str, str]
    ) -> list[Message]: ...


READERS: Mapping[str, Reader] = {
    "pi": pi,
    "openclaw": pi,
    "claude-code": claude_code,
    "messages": plain,
}
_LOOKED_AT = 50  # lines


def is_array(head: bytes) -> bool:
    """Whether a file that begins with ``head`` is one JSON document instead of lines."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if first.startswith(b"["):
        return True
    line, _, _ = first.partition(b"\n")
    if not first.startswith(b"{"):
        return False
    value = parse(line)
    if value is not None:
        return isinstance(value.get("messages"), list) and "role" not in value
    return b'"messages"' in first and not _is_json_lines(first)


def _is_json_lines(head: bytes) -> bool:
    return any(parse(line) is not None for line in head.split(b"\n")[:_LOOKED_AT])


def format_of(file: BinaryIO) -> Format | None:
    """The format of a file of lines; None where nothing in its first lines is known."""
    first = list(_first(file))
    if pi.fits(first):
        return "openclaw" if pi.is_openclaw(first) else "pi"
    if claude_code.fits(first):
        return "claude-code"
    return "messages" if plain.fits(first) else None


def _first(file: BinaryIO) -> Iterator[Record]:
    for at, (_, value) in enumerate(read_lines(file, Damage())):
        if at == _LOOKED_AT:
            return
        yield value
