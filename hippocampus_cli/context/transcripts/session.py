"""A session: its messages, oldest first, wherever they are. Files are only ever read."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol

from hippocampus_cli.context.transcripts.detect import READERS, Format, format_of, is_array
from hippocampus_cli.context.transcripts.message import Message, Record
from hippocampus_cli.context.transcripts.nodes import Node, Window
from hippocampus_cli.context.transcripts.records import (
    LARGEST,
    Damage,
    parse,
    read_array,
    read_lines,
)
from hippocampus_cli.errors import FileUnreadable, MessageNotFound, TranscriptUnreadable
from hippocampus_cli.workspace.read import is_binary

_WITH_HEADER = ("pi", "openclaw")
_HEAD = 65_536  # bytes that tell a document from lines


class Session(Protocol):
    """What a compaction reads: messages by their place, and the summary that stands before them."""

    @property
    def previous(self) -> Message | None:
        """The summary of an earlier compaction that is in the window, if any."""

    def __len__(self) -> int: ...

    def message(self, at: int) -> Message:
        """The message at a place, 0 is the oldest."""


class Transcript:
    """A session in a file: places are in memory, texts stay on disk. Use as a context manager.

    The window is what the agent has before it: the branch that ends in the last message, from its last
    compaction on.
    """

    def __init__(self, path: Path, form: Format | None = None) -> None:
        """Raises :class:`FileUnreadable`, :class:`TranscriptUnreadable`."""
        self.path = path
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
            raise TranscriptUnreadable(path=str(self.path), reason=self._why_nothing())

    def _why_nothing(self) -> str:
        broken = self.damage.broken + self.damage.too_long
        lines = f" ({broken:,} broken)" if broken else ""
        return f"it holds no message in the format {self.format}{lines}"

    def notices(self) -> list[str]:
        """What a person should know of the file."""
        found: list[str] = []
        if self.damage.broken:
            found.append(f"{self.damage.broken:,} broken {_lines(self.damage)} skipped")
        if self.damage.too_long:
            size = f"larger than {LARGEST // 1024**2} MB"
            found.append(f"{self.damage.too_long:,} lines {size} skipped")
        if self.window.bridged:
            found.append("a parent was in a broken line; the line before it stands in")
        if self.window.loop:
            line = self.window.loop.span.line
            found.append(f"the parents form a loop at line {line}; the branch begins behind it")
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
        reason = "it is in no format that hippo knows"
        raise TranscriptUnreadable(path=str(path), reason=reason)
    return found, array


class Messages:
    """A session in memory: the messages that a program hands over."""

    def __init__(self, messages: Sequence[Message], previous: Message | None = None) -> None:
        self._messages = tuple(messages)
        self.previous = previous

    def __len__(self) -> int:
        return len(self._messages)

    def message(self, at: int) -> Message:
        """The message at a place."""
        return self._messages[at]

    def all(self) -> list[Message]:
        """The earlier summary, and the messages."""
        return [*([self.previous] if self.previous else []), *self._messages]
