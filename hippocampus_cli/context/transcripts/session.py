"""A session file in any format: its messages, oldest first. Files are only ever read."""

from __future__ import annotations

import io
import stat
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal, Protocol, get_args

from hippocampus_cli.context.transcripts import (
    api_messages,
    claude_code,
    codex,
    gemini,
    opencode,
    pi,
)
from hippocampus_cli.context.transcripts.message import Message, Record
from hippocampus_cli.context.transcripts.records import (
    LARGEST,
    Damage,
    Node,
    Span,
    Window,
    parse,
    read_array,
    read_lines,
)
from hippocampus_cli.errors import FileUnreadable, MessageNotFound, TranscriptUnreadable
from hippocampus_cli.workspace.read import is_binary

_WITH_HEADER = ("pi", "openclaw")
_HEAD = 65_536  # bytes that tell a document from lines


class Transcript:
    """A session in a file: places are in memory, texts stay on disk. Use as a context manager.

    The window is what the agent has before it: the branch that ends in the last message, from its last
    compaction on.
    """

    def __init__(self, path: Path, form: Format | None = None) -> None:
        """Raises :class:`FileUnreadable`, :class:`TranscriptUnreadable`."""
        self.path = path = opencode.with_session(path)
        self.damage = Damage()
        self.header: Record | None = None
        self._tools: dict[str, str] = {}
        self._nodes: list[Node] = []
        self._file = _open(path)
        try:
            self.format, self._array = _form(path, self._file, form)
            self._reader = READERS[self.format]
            self._index()
        except BaseException:
            self.close()
            raise
        self.window: Window = self._reader.window(self._nodes, self.damage.lines)
        self._places = [
            (group, at) for group in self.window.groups for at in range(_messages_in(group))
        ]
        self._last: tuple[tuple[Node, ...], list[Message]] | None = None

    def __enter__(self) -> Transcript:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Message]:
        return map(self.message, range(len(self)))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @property
    def previous(self) -> Message | None:
        """The summary of the last compaction on the branch."""
        return self._read((self.window.summary,))[0] if self.window.summary else None

    def message(self, at: int) -> Message:
        """The message at a place of the window."""
        group, number = self._places[at]
        return self._read(group)[number]

    def find(self, identity: str) -> Message:
        """The message of an id, or of the only id that begins so, on whatever branch it is.

        Raises :class:`MessageNotFound`.
        """
        turn, _, number = identity.partition(".")
        found = [node for node in self._nodes if node.id == turn]
        if not found:
            found = [node for node in self._nodes if node.id.startswith(turn) and len(turn) > 3]
        if len({node.id for node in found}) != 1:
            several = ", ".join(node.id for node in found[:4])
            nearest = f"; several begin so: {several}" if several else ""
            raise MessageNotFound(path=str(self.path), id=identity, nearest=nearest)
        made = self._read(self._group(found[-1]))
        wanted = f"{found[-1].id}.{number}" if number else found[-1].id
        for one in made:
            if one.id == wanted or len(made) == 1:
                return one
        raise MessageNotFound(path=str(self.path), id=identity, nearest="")

    def ids(self) -> frozenset[str]:
        """The ids of all its records, on whatever branch they are."""
        return frozenset(node.id for node in self._nodes)

    def _group(self, node: Node) -> tuple[Node, ...]:
        """The records of the message that the node is the first of."""
        whole = (group for group in self.window.groups if group[0] is node)
        return next(whole, (node,))

    def _read(self, group: tuple[Node, ...]) -> list[Message]:
        if self._last is None or self._last[0] is not group:
            records = [self._record(node) for node in group]
            self._last = group, self._reader.messages(records, group, self._tools)
        return self._last[1]

    def _record(self, node: Node) -> Record:
        self._file.seek(node.span.offset)
        return parse(self._file.read(node.span.length)) or {}

    def _index(self) -> None:
        self._file.seek(0)
        records = (read_array if self._array else read_lines)(self._file, self.damage)
        before: Node | None = None
        for span, value in records:
            if value.get("type") == "session" and self.format in _WITH_HEADER:
                self.header = self.header or value
            node = self._reader.node(value, span, before)
            if node is not None:
                self._nodes.append(node)
                self._tools.update(node.calls)
                before = node
        if not self._nodes and self.header is None:
            broken = self.damage.broken + self.damage.too_long
            lines = f" ({broken:,} broken)" if broken else ""
            reason = f"it holds no message in the format {self.format}{lines}"
            raise TranscriptUnreadable(path=str(self.path), reason=reason)

    def notices(self) -> list[str]:
        """What a person should know of the file."""
        found: list[str] = []
        if self.damage.broken:
            found.append(f"{self.damage.broken:,} broken {_lines(self.damage)} skipped")
        if self.damage.too_long:
            size = f"larger than {LARGEST // 1024**2} MB"
            found.append(f"{self.damage.too_long:,} lines {size} skipped")
        if self.window.bridged:
            found.append("a parent was in a broken line; the line before it is used instead")
        if self.window.loop:
            line = self.window.loop.span.line
            found.append(f"the parents form a loop at line {line}; the branch begins after it")
        if self.window.left_out:
            one = self.window.left_out == 1
            left = f"{self.window.left_out:,} {'message is' if one else 'messages are'}"
            found.append(f"{left} not in the window: on other branches, or compacted before")
        if self.format in _WITH_HEADER and self.header is None:
            found.append(
                "no session header: keep a copy, Pi overwrites such a file when it opens it"
            )
        return found


def _lines(damage: Damage) -> str:
    numbers = ", ".join(map(str, damage.lines[:5]))
    more = ", …" if damage.broken > 5 else ""
    return f"{'line' if damage.broken == 1 else 'lines'} ({numbers}{more})"


def _messages_in(group: Sequence[Node]) -> int:
    return group[0].messages if len(group) == 1 else 1


def _open(path: Path) -> BinaryIO:
    try:
        lines = opencode.lines_of(path)
        if lines is not None:
            return io.BytesIO(lines)
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileUnreadable(path=str(path), reason="not a regular file")
        return path.open("rb")
    except OSError as error:
        raise FileUnreadable(path=str(path), reason=error.strerror or str(error)) from error
    except ValueError:  # a NUL in the name
        raise FileUnreadable(path=str(path), reason="no file can have this name") from None


def _form(path: Path, file: BinaryIO, form: Format | None) -> tuple[Format, bool]:
    """The format, and whether the file is one document."""
    head = file.read(_HEAD)
    if not head.strip():
        raise TranscriptUnreadable(path=str(path), reason="it is empty")
    if is_binary(head):
        raise TranscriptUnreadable(path=str(path), reason="it holds binary data, not text")
    array = is_array(head) and form in (None, "messages")
    file.seek(0)
    found = form or ("messages" if array else format_of(file))
    if found is None:
        reason = "hippo does not know its format"
        raise TranscriptUnreadable(path=str(path), reason=reason)
    return found, array


Format = Literal["pi", "openclaw", "claude-code", "codex", "gemini", "opencode", "messages"]
FORMATS: tuple[Format, ...] = get_args(Format)


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
    "codex": codex,
    "gemini": gemini,
    "opencode": opencode,
    "messages": api_messages,
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
    lines = first.split(b"\n")[:_LOOKED_AT]
    return b'"messages"' in first and all(parse(line) is None for line in lines)


def format_of(file: BinaryIO) -> Format | None:
    """The format of a file of lines; None where nothing in its first lines is known."""
    first = [value for _, value in islice(read_lines(file, Damage()), _LOOKED_AT)]
    if pi.fits(first):
        return "openclaw" if pi.is_openclaw(first) else "pi"
    others: tuple[Format, ...] = ("opencode", "codex", "gemini", "claude-code")
    for known in others:
        if READERS[known].fits(first):
            return known
    return "messages" if api_messages.fits(first) else None
