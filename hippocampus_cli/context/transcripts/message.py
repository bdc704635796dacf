"""A message of a session, with its content as parts, whatever format it came in.

A *record* is what a file is made of (a JSON line, or an element of an array); a *message* is what an agent
said, asked or was told. A record can hold several messages, and a message can span several records.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, Protocol

from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.origin import of_role

PartKind = Literal["text", "thinking", "tool_call", "tool_result", "media", "other"]
Record = Mapping[str, Any]

_SHORTEST_ID = 4  # characters of an id that may stand for the whole
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
TITLE = "# hippocampus.md Compaction"
"""What a summary of hippo's begins with."""
MEDIUM_TOKENS = 1_200
"""What a picture counts, a document or a recording: its bytes say nothing of what a model pays for it."""


class MessagePart(NamedTuple):
    """One piece of a message. ``argument`` is a tool call's main argument: its key and its value; ``media`` are the
    pictures, documents, recordings and videos beside the text, in a tool's result too."""

    kind: PartKind
    text: str
    name: str = ""
    call: str = ""
    argument: tuple[str, str] = ("", "")
    media: tuple[str, ...] = ()


class Message(NamedTuple):
    """One message. ``line`` is that of its first record, 1-based; ``raw`` is the message as it was written.

    ``role`` is ``user``, ``assistant``, ``tool``, ``system``, ``bash`` (a command the user ran), ``custom``,
    ``summary``, or the writer's own word where it is none of these.
    """

    id: str
    role: str
    parts: tuple[MessagePart, ...]
    raw: Record
    tool: str = ""
    call: str = ""
    timestamp: str | None = None
    line: int = 0

    def document(self) -> dict[str, object]:
        """Which message it is, whose, and when: what its documents begin with."""
        return {
            "id": self.id,
            "line": self.line or None,
            "role": self.role,
            "origin": of_role(self.role),
            "tool": self.tool or None,
            "timestamp": self.timestamp,
        }

    @property
    def text(self) -> str:
        """What the message says: text and results, without thinking and tool calls."""
        return "\n".join(
            part.text for part in self.parts if part.kind in ("text", "tool_result") and part.text
        )

    @property
    def thinking(self) -> str:
        """What was thought."""
        return "\n".join(part.text for part in self.parts if part.kind == "thinking" and part.text)

    @property
    def day(self) -> str:
        """Its date, empty where it has none."""
        day = _DAY.match(self.timestamp or "")
        return day[0] if day else ""

    @property
    def is_own_summary(self) -> bool:
        """Whether it is a summary of hippo's."""
        return self.role == "summary" and TITLE in self.text

    @property
    def calls(self) -> tuple[MessagePart, ...]:
        """The tool calls."""
        return tuple(part for part in self.parts if part.kind == "tool_call")

    @property
    def tokens(self) -> int:
        """The estimated tokens of all parts, thinking and tool calls included; at least 1."""
        texts = sum(tokens(part.text) + tokens(part.name) for part in self.parts)
        return max(1, texts + MEDIUM_TOKENS * sum(len(part.media) for part in self.parts))

    @property
    def media(self) -> str:
        """What it holds beside texts, as ``1 picture, 2 documents``; empty for nothing."""
        media = Counter(kind for part in self.parts for kind in part.media)
        return ", ".join(f"{times} {kind}{'s' * (times > 1)}" for kind, times in media.items())


def means(identity: str, key: str) -> bool:
    """Whether an id as it was given, or was cut for a summary, means the message of this key."""
    short, whole = sorted((identity, key), key=len)
    return short == whole or (len(short) >= _SHORTEST_ID and whole.startswith(short))


class Session(Protocol):
    """What a compaction reads: messages by their place, and the summary that stands before them."""

    @property
    def previous(self) -> Message | None:
        """The summary of an earlier compaction that is in the window, if any."""

    def __len__(self) -> int: ...

    def message(self, place: int) -> Message:
        """The message at a place, 0 is the oldest."""


class Messages:
    """A session in memory: the messages that a program hands over."""

    def __init__(self, messages: Sequence[Message], previous: Message | None = None) -> None:
        self._messages = tuple(messages)
        self.previous = previous

    def __len__(self) -> int:
        return len(self._messages)

    def message(self, place: int) -> Message:
        """The message at a place."""
        return self._messages[place]

    def all(self) -> list[Message]:
        """The earlier summary, and the messages."""
        return [*([self.previous] if self.previous else []), *self._messages]


_MEDIA = {
    "image": "picture",
    "image_url": "picture",
    "input_image": "picture",
    "audio": "recording",
    "input_audio": "recording",
    "video": "video",
    "document": "document",
    "file": "document",
    "input_file": "document",
}
"""What a block holds, by its type, and by the first word of its media type."""
_GEMINI = ("inlineData", "fileData", "inline_data", "file_data")
_HOLDERS = (*_GEMINI, "source", "file", "image_url")
_MEDIA_TYPES = ("mimeType", "mime_type", "media_type", "mime")
# What the clients call the same: of a block that holds another both count.
_INNER = ("function", "functionResponse", "state")
_CALLS = frozenset(
    {"toolCall", "tool_use", "server_tool_use", "mcp_tool_use", "function", "function_call"}
    | {"custom_tool_call", "local_shell_call", "tool"}
)
_RESULTS = frozenset(
    {"tool_result", "function_call_output", "custom_tool_call_output", "functionResponse", "tool"}
)
_CALL_IDS = ("tool_use_id", "call_id", "callID", "id")
_ARGUMENTS = ("arguments", "input", "args", "action")
_OUTPUTS = ("content", "output", "error", "response")
_BESIDE = ("attachments", "parts")
_COMMANDS = ("command", "cmd", "script")
_PATHS = ("path", "file_path", "filePath", "filename", "notebook_path")
_OTHERS = ("url", "query", "pattern", "code")
COMMAND, PATH = "command", "path"


def parts_of(content: object) -> tuple[MessagePart, ...]:
    """The parts of a message's ``content``: a text, a list of blocks, or a block. Never raises."""
    return tuple(part for block in blocks_of(content) for part in _parts(block))


def blocks_of(content: object) -> list[Any]:
    """The blocks of ``content``; what is no list is one."""
    return content if isinstance(content, list) else [content]


def text_of(content: object) -> str:
    """The texts of ``content``, a line break between them."""
    return "\n".join(part.text for part in parts_of(content) if part.kind == "text" and part.text)


def as_results(parts: tuple[MessagePart, ...]) -> tuple[MessagePart, ...]:
    """The parts of a tool's message: its texts and pictures are results."""
    return tuple(
        part._replace(kind="tool_result") if part.kind in ("text", "media") else part
        for part in parts
    )


def messages_in(role: str, content: object, raw: Record | None = None) -> list[Message]:
    """The messages in the content of one turn: each tool result, and one for all the rest.

    ``raw`` is the message as it was written, where it is one.
    """
    results: list[Message] = []
    said: list[MessagePart] = []
    rest: list[object] = []
    for block in blocks_of(content):
        parts = list(_parts(block))
        said += [part for part in parts if part.kind != "tool_result"]
        outputs = [part for part in parts if part.kind == "tool_result"]
        for part in outputs:
            written = {"role": "tool", "tool_call_id": part.call, "content": part.text}
            results.append(Message("", "tool", (part,), written, call=part.call))
        rest += [] if outputs else [block]
    if said or not results:
        turn = {"role": role, "content": rest if results else content}
        own = Message("", role, tuple(said), turn)
        results.insert(0 if role == "assistant" else len(results), own)
    if raw is not None and len(results) == 1:
        return [results[0]._replace(raw=raw)]
    return results


def without(pattern: re.Pattern[str], messages: Sequence[Message]) -> list[Message]:
    """The messages without what a program put into their texts."""
    return [
        message._replace(
            parts=tuple(
                part._replace(text=pattern.sub("", part.text))
                for part in message.parts
                if part.kind != "text" or pattern.sub("", part.text)
            )
        )
        for message in messages
    ]


def call_part(name: object, call: object, arguments: object) -> MessagePart:
    """A tool call. Its text is its arguments, one ``key: value`` a line; a lone argument is only its value."""
    given = arguments
    if isinstance(arguments, str):  # some formats write them as JSON in a text
        with contextlib.suppress(ValueError, RecursionError):
            given = json.loads(arguments)
    if not isinstance(given, dict):
        return MessagePart("tool_call", _value(given), word(name), word(call))
    named = {str(key): _value(value) for key, value in given.items()}
    lines = (f"{key}: {value}" for key, value in named.items())
    text = "\n".join(named.values() if len(named) == 1 else lines)
    return MessagePart("tool_call", text, word(name), word(call), _main(named))


def _parts(block: object) -> Iterator[MessagePart]:
    """What a block holds, whichever client wrote it."""
    if isinstance(block, str) and block:
        yield MessagePart("text", block)
    if not isinstance(block, dict):
        return
    kind = "functionResponse" if "functionResponse" in block else block.get("type")
    for inner in _INNER:
        if isinstance(block.get(inner), dict):
            block = {**block, **block[inner]}
    if kind in _CALLS:
        name = block.get("name", block.get("tool"))
        yield call_part(name, _first(block, _CALL_IDS), _first(block, _ARGUMENTS))
    if kind in _RESULTS:
        output = _first(block, _OUTPUTS)
        output = list(output.values()) if isinstance(output, dict) else output
        held = parts_of([*blocks_of(output), *blocks_of(_first(block, _BESIDE))])
        media = tuple(medium for part in held for medium in part.media)
        call = word(_first(block, _CALL_IDS))
        yield MessagePart("tool_result", text_of(output), call=call, media=media)
    if kind in _CALLS or kind in _RESULTS:
        return
    text = word(block.get("text"))
    if kind in ("thinking", "reasoning"):
        yield MessagePart(
            "thinking", word(block.get("thinking")) or text or text_of(block.get("summary"))
        )
    elif medium := _medium(block):
        yield MessagePart("media", "", media=(medium,))
    else:
        yield MessagePart("text", text) if text else MessagePart("other", "", word(kind))


def _medium(block: Record) -> str | None:
    """The kind of medium that a block holds: itself, or in a field of its own."""
    kind = _MEDIA.get(word(block.get("type")))
    if kind is None and not any(key in block for key in _GEMINI):
        return None
    held = next((block[key] for key in _HOLDERS if isinstance(block.get(key), dict)), block)
    media_type = word(_first(held, _MEDIA_TYPES))
    if media_type:
        kind = _MEDIA.get(media_type.partition("/")[0])
    return kind or "document"


def _first(block: Record, keys: Sequence[str]) -> Any:
    """The first of these that a block has."""
    return next((block[key] for key in keys if block.get(key)), None)


def _main(named: dict[str, str]) -> tuple[str, str]:
    for keys, kind in ((_COMMANDS, COMMAND), (_PATHS, PATH), (_OTHERS, "")):
        for key in keys:
            if named.get(key):
                return kind or key, named[key]
    return next(iter(named.items()), ("", ""))


def _value(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def word(value: object) -> str:
    """A text as it is; nothing for what is none."""
    return value if isinstance(value, str) else ""


def dicts_in(value: object) -> list[Record]:
    """The objects of a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def time_of(milliseconds: object) -> str | None:
    """A moment since 1970 as ISO 8601, in UTC; None where that is no time."""
    if not isinstance(milliseconds, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat()
    except (ArithmeticError, ValueError, OSError):
        return None
