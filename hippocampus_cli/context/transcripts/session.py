"""A session file in any format: its messages, oldest first. Files are only ever read."""

from __future__ import annotations

import io
import stat
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal, get_args

from hippocampus_cli.context.extract import counted
from hippocampus_cli.context.transcripts import clients, databases, pi
from hippocampus_cli.context.transcripts.clients import SessionClient, SessionPlace
from hippocampus_cli.context.transcripts.message import Message, Record, blocks_of, word
from hippocampus_cli.context.transcripts.records import (
    LARGEST_DOCUMENT,
    RecordSpan,
    lines_of_document,
    parse,
    read_lines,
)
from hippocampus_cli.context.transcripts.window import Turn
from hippocampus_cli.errors import FileUnreadable, MessageNotFound, TranscriptUnreadable
from hippocampus_cli.workspace.read import is_binary
from hippocampus_cli.workspace.regular import NOT_REGULAR, reading

_HEAD = 65_536  # bytes that tell a document from lines


class Transcript:
    """A session in a file: places are in memory, texts stay on disk. Use as a context manager.

    Its messages are those of the branch that ends in the last one, also from before a compaction.
    """

    def __init__(self, path: Path, form: Format | None = None) -> None:
        """Raises :class:`FileUnreadable`, :class:`TranscriptUnreadable`."""
        self.path = path = databases.with_session(path)
        self.broken: list[int] = []
        self.header: Record | None = None
        self._tools: dict[str, str] = {}
        self._nodes: list[Turn] = []
        self._file = open_lines(path)
        try:
            self.format = self._form(form)
            self._client = CLIENTS[self.format]
            self._index()
        except BaseException:
            self.close()
            raise
        self.window = self._client.window(self._nodes, self.broken)
        self._places = [
            (group, number)
            for group in self.window.groups
            for number in range(group[0].size if len(group) == 1 else 1)
        ]
        self._last: tuple[tuple[Turn, ...], list[Message]] | None = None

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
        """The summary that the last compaction on the branch left, but for hippo's: what it tells of is here."""
        nodes = reversed(self.window.branch)
        node = next((node for node in nodes if node.kind == "summary"), None)
        summary = self._read((node,))[0] if node else None
        return None if summary and summary.is_own_summary else summary

    def message(self, place: int) -> Message:
        """The message at a place of the window."""
        group, number = self._places[place]
        return self._read(group)[number]

    def find(self, identity: str) -> Message:
        """The message of an id, or of the only id that begins so, on whatever branch it is.

        Raises :class:`MessageNotFound`.
        """
        turn, dot, number = identity.partition(".")
        nodes = {node.id: node for node in self._nodes}
        begin_so = (key for key in nodes if len(turn) > 3 and key.startswith(turn))
        near = [turn] if turn in nodes else list(begin_so)
        if len(near) == 1:
            node = nodes[near[0]]
            whole = (group for group in self.window.groups if group[0] is node)
            messages = self._read(next(whole, (node,)))
            for message in messages:
                if message.id == f"{node.id}{dot}{number}" or len(messages) == 1:
                    return message
        nearest = f"; several begin so: {', '.join(near[:4])}" if len(near) > 1 else ""
        raise MessageNotFound(path=str(self.path), id=identity, nearest=nearest)

    def end_before(self, identity: str) -> bool:
        """Leave out the record of this id, and what follows it on the branch; whether it is there."""
        ids = [node.id for node in self.window.branch]
        if identity not in ids:
            return False
        left_out = set(ids[ids.index(identity) :])
        self._places = [place for place in self._places if place[0][0].id not in left_out]
        return True

    def _form(self, form: Format | None) -> Format:
        """The format. A file that is one document is read whole, and gone through line by line all the same."""
        head = self._file.read(_HEAD)
        if not head.strip() or is_binary(head):
            reason = "it holds binary data, not text" if head.strip() else "it is empty"
            raise TranscriptUnreadable(path=str(self.path), reason=reason)
        if is_array(head) and form in (None, "messages"):
            document = head + self._file.read(LARGEST_DOCUMENT)
            self.close()
            try:
                self._file = io.BytesIO(lines_of_document(document))
            except (ValueError, RecursionError) as error:
                raise TranscriptUnreadable(
                    path=str(self.path), reason=f"not JSON: {error}"
                ) from error
            return "messages"
        self._file.seek(0)
        known = form or format_of(self._file)
        if known is None:
            reason = "hippo does not know its format"
            raise TranscriptUnreadable(path=str(self.path), reason=reason)
        return known

    def _read(self, group: tuple[Turn, ...]) -> list[Message]:
        if self._last is None or self._last[0] is not group:
            messages = [message for node in group for message in self._messages(node)]
            self._last = group, messages if len(group) == 1 else [_joined(messages)]
        return self._last[1]

    def _messages(self, node: Turn) -> list[Message]:
        self._file.seek(node.span.offset)
        value = parse(self._file.read(node.span.length)) or {}
        turn = self._client.read(value, SessionPlace(node.span.line))
        if turn is None:
            return []
        return turn_messages(turn._replace(id=node.id), value, node.span.line, self._tools)

    def _index(self) -> None:
        self._file.seek(0)
        before: str | None = None
        for span, value in read_lines(self._file, self.broken):
            if value.get("type") == "session" and self._client is pi.CLIENT:
                self.header = self.header or value
            turn = self._client.read(value, SessionPlace(span.line, len(self._nodes), before))
            if turn is not None:
                node = _node(turn, span)
                self._nodes.append(node)
                self._tools.update(node.calls)
                before = node.id
        if not self._nodes and self.header is None:
            lines = f" ({len(self.broken):,} broken)" if self.broken else ""
            reason = f"it holds no message in the format {self.format}{lines}"
            raise TranscriptUnreadable(path=str(self.path), reason=reason)

    def notices(self) -> list[str]:
        """What a person should know of the file."""
        if not self.broken:
            return []
        count = len(self.broken)
        numbers = ", ".join(map(str, self.broken[:5])) + ", …" * (count > 5)
        return [f"{counted(count, 'broken line')} ({numbers}) skipped"]


def open_lines(path: Path) -> BinaryIO:
    """The lines of a session file, or of a session in a database. Raises :class:`FileUnreadable`."""
    try:
        with reading(str(path)):
            lines = databases.lines_of(path)
            if lines is not None:
                return io.BytesIO(lines)
            if not stat.S_ISREG(path.stat().st_mode):
                raise FileUnreadable(path=str(path), reason=NOT_REGULAR)
            return path.open("rb")
    except ValueError:  # a NUL in the name
        raise FileUnreadable(path=str(path), reason="no file can have this name") from None


Format = Literal["pi", "openclaw", "claude-code", "codex", "gemini", "opencode", "messages"]
FORMATS: tuple[Format, ...] = get_args(Format)


CLIENTS: Mapping[Format, SessionClient] = {
    "pi": pi.CLIENT,
    "openclaw": pi.CLIENT,
    "opencode": databases.OPENCODE,
    "codex": clients.CODEX,
    "gemini": clients.GEMINI,
    "claude-code": clients.CLAUDE_CODE,
    "messages": clients.MESSAGES,
}
"""The clients by the names of their formats, in the order in which they are tried."""
_LOOKED_AT = 50  # lines


def is_array(head: bytes) -> bool:
    """Whether a file that begins with ``head`` is one JSON document instead of lines."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    values = list(map(parse, first.split(b"\n")[:_LOOKED_AT]))
    if values[0] is not None:
        return isinstance(values[0].get("messages"), list) and "role" not in values[0]
    return first.startswith(b"[") or (b'"messages"' in first and not any(values))


def format_of(file: BinaryIO) -> Format | None:
    """The format of a file of lines; None where nothing in its first lines is known."""
    first = [value for _, value in islice(read_lines(file, []), _LOOKED_AT)]
    return next((name for name, client in CLIENTS.items() if any(map(client.fits, first))), None)


def turn_messages(turn: Turn, value: Record, line: int, tools: Mapping[str, str]) -> list[Message]:
    """The messages of a turn with what their place says of them; ``tools`` are the names behind call ids."""
    stamp = word(value.get("timestamp")) or None
    return [
        message._replace(
            id=turn.id if number == 1 else f"{turn.id}.{number}",
            line=line,
            timestamp=stamp,
            tool=message.tool or tools.get(message.call, ""),
        )
        for number, message in enumerate(turn.messages, 1)
    ]


def _node(turn: Turn, span: RecordSpan) -> Turn:
    """The turn as the window holds it."""
    calls = [part for message in turn.messages for part in message.calls if part.call]
    return turn._replace(
        messages=(),
        span=span,
        calls=tuple((part.call, part.name) for part in calls),
        answers=tuple(message.call for message in turn.messages if message.call),
        size=len(turn.messages),
    )


def _joined(messages: Sequence[Message]) -> Message:
    """The parts of one message that stand in several records, in the place of the first."""
    parts = tuple(part for message in messages for part in message.parts)
    blocks = [block for message in messages for block in blocks_of(message.raw.get("content"))]
    return messages[0]._replace(parts=parts, raw={**messages[0].raw, "content": blocks})
