"""A message of a session, with its content as parts, whatever format it came in.

A *record* is what a file is made of (a JSON line, or an element of an array); a *message* is what an agent
said, asked or was told. A record can hold several messages, and a message can span several records.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, Protocol

from hippocampus_cli.markdown.tokens import tokens

PartKind = Literal["text", "thinking", "tool_call", "tool_result", "media", "other"]
Record = Mapping[str, Any]

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
MEDIUM_TOKENS = 1_200
"""What a picture counts, a document or a recording: its bytes say nothing of what a model pays for it."""


class Medium(NamedTuple):
    """A picture, document, recording or video, and its path or address where the transcript says it."""

    kind: str
    place: str


class Part(NamedTuple):
    """One piece of a message. ``argument`` is a tool call's main argument: its key and its value; ``media`` is what
    stands beside the text, in a tool's result too."""

    kind: PartKind
    text: str
    name: str = ""
    call: str = ""
    argument: tuple[str, str] = ("", "")
    media: tuple[Medium, ...] = ()


class Message(NamedTuple):
    """One message. ``line`` is that of its first record, 1-based; ``raw`` is the message as it was written.

    ``role`` is ``user``, ``assistant``, ``tool``, ``system``, ``bash`` (a command the user ran), ``custom``,
    ``summary``, or the writer's own word where it is none of these.
    """

    id: str
    role: str
    parts: tuple[Part, ...]
    raw: Record
    tool: str = ""
    call: str = ""
    timestamp: str | None = None
    line: int = 0

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
    def calls(self) -> tuple[Part, ...]:
        """The tool calls."""
        return tuple(part for part in self.parts if part.kind == "tool_call")

    @property
    def tokens(self) -> int:
        """The estimated tokens of all parts, thinking and tool calls included; at least 1."""
        texts = sum(tokens(part.text) + tokens(part.name) for part in self.parts)
        return max(1, texts + MEDIUM_TOKENS * sum(len(part.media) for part in self.parts))

    @property
    def media(self) -> str:
        """What it holds beside texts, as ``1 picture /x/a.png, 2 documents``; empty for nothing."""
        media = Counter(medium for part in self.parts for medium in part.media)
        told = (
            f"{times} {kind}{'s' * (times > 1)} {place}" for (kind, place), times in media.items()
        )
        return ", ".join(map(str.rstrip, told))


def message(role: str, parts: tuple[Part, ...], raw: Record) -> Message:
    """A message whose transcript says the rest of it."""
    return Message("", role, parts, raw)


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


class Continued:
    """A session behind what came before it."""

    def __init__(self, earlier: Session, session: Session) -> None:
        self._earlier = earlier
        self._session = session
        self.previous = session.previous

    def __len__(self) -> int:
        return len(self._earlier) + len(self._session)

    def message(self, place: int) -> Message:
        """The message at a place."""
        before = len(self._earlier)
        if place < before:
            return self._earlier.message(place)
        return self._session.message(place - before)


_TEXTS = frozenset(("text", "input_text", "output_text"))
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
_PLACES = ("path", "filename", "fileUri", "file_uri", "image_url", "url")
_LONGEST_PLACE = 120  # characters
_CALLS = frozenset(("toolCall", "tool_use", "server_tool_use", "mcp_tool_use", "function_call"))
_COMMANDS = ("command", "cmd", "script")
_PATHS = ("path", "file_path", "filePath", "filename", "notebook_path")
_OTHERS = ("url", "query", "pattern", "code")
COMMAND, PATH = "command", "path"


def parts_of(content: object) -> tuple[Part, ...]:
    """The parts of a message's ``content``: a text, a list of blocks, or a block. Never raises."""
    if isinstance(content, str):
        return (Part("text", content),) if content else ()
    blocks = content if isinstance(content, list) else [content]
    return tuple(part for block in blocks for part in _parts(block))


def text_of(content: object) -> str:
    """The texts of ``content``, a line break between them."""
    return "\n".join(part.text for part in parts_of(content) if part.kind == "text" and part.text)


def as_results(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a tool's message: its texts and pictures are results."""
    return tuple(
        part._replace(kind="tool_result") if part.kind in ("text", "media") else part
        for part in parts
    )


def call_part(name: object, call: object, arguments: object) -> Part:
    """A tool call. Its text is its arguments, one ``key: value`` a line; a lone argument is only its value."""
    given = _arguments(arguments)
    if not isinstance(given, dict):
        return Part("tool_call", _value(given), word(name), word(call))
    named = [(str(key), _value(value)) for key, value in given.items()]
    lines = (f"{key}: {value}" for key, value in named)
    text = named[0][1] if len(named) == 1 else "\n".join(lines)
    return Part("tool_call", text, word(name), word(call), _main(dict(named)))


def _parts(block: object) -> Iterator[Part]:
    if isinstance(block, str):
        yield Part("text", block)
    if not isinstance(block, dict):
        return
    kind = block.get("type")
    if kind in _CALLS:
        arguments = block.get("arguments", block.get("input"))
        yield call_part(block.get("name"), block.get("id", block.get("call_id")), arguments)
    elif kind == "tool_result":
        content = block.get("content")
        call = word(block.get("tool_use_id"))
        yield Part("tool_result", text_of(content), call=call, media=media_of(content))
    elif kind in ("thinking", "reasoning"):
        yield Part("thinking", word(block.get("thinking") or block.get("text")))
    elif medium := _medium(block):
        yield Part("media", "", media=(medium,))
    elif kind in _TEXTS or isinstance(block.get("text"), str):
        yield Part("text", word(block.get("text")))
    else:
        yield Part("other", "", word(kind))


def media_of(content: object) -> tuple[Medium, ...]:
    """The pictures, documents and recordings in ``content``."""
    return tuple(medium for part in parts_of(content) for medium in part.media)


def _medium(block: Record) -> Medium | None:
    """The one that a block holds: itself, or in a field of its own."""
    kind = _MEDIA.get(word(block.get("type")))
    if kind is None and not any(key in block for key in _GEMINI):
        return None
    held = next((block[key] for key in _HOLDERS if isinstance(block.get(key), dict)), block)
    media_type = next((word(held[key]) for key in _MEDIA_TYPES if key in held), "")
    if media_type:
        kind = _MEDIA.get(media_type.partition("/")[0], "document")
    places = (word(held.get(key)) for key in _PLACES)
    place = next((one for one in places if one and not one.startswith("data:")), "")
    return Medium(kind or "document", place[:_LONGEST_PLACE])


def _arguments(arguments: object) -> object:
    """Arguments as an object: some formats write them as JSON in a text."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


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


def messages_in(role: str, content: object) -> list[Message]:
    """The messages in the content of one turn: each tool result, and one for all the rest."""
    blocks = content if isinstance(content, list) else [content]
    results = [block for block in dicts_in(blocks) if block.get("type") == "tool_result"]
    messages = [tool_message(parts_of(block)) for block in results]
    if results:
        content = [block for block in blocks if block not in results]
    parts = parts_of(content)
    if parts or not messages:
        messages.append(message(role, parts, {"role": role, "content": content}))
    return messages


def tool_message(parts: tuple[Part, ...], call: str = "", tool: str = "") -> Message:
    """What a tool gave back; ``call`` is the id of its call, by default that of its first part."""
    call = call or next((part.call for part in parts), "")
    text = "\n".join(part.text for part in parts)
    raw = {"role": "tool", "name": tool, "tool_call_id": call, "content": text}
    return Message("", "tool", as_results(parts), raw, tool=tool, call=call)


def dicts_in(value: object) -> list[Record]:
    """The objects of a list; none where it is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def time_of(milliseconds: object) -> str | None:
    """A moment since 1970 as ISO 8601, in UTC; None where that is no time."""
    if not isinstance(milliseconds, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat()
    except (ArithmeticError, ValueError, OSError):
        return None
