"""A message of a session, with its content as parts, whatever format it came in.

A *record* is what a file is made of (a JSON line, or an element of an array); a *message* is what an agent
said, asked or was told. A record can hold several messages, and a message can span several records.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol

from hippocampus_cli.markdown.tokens import tokens

PartKind = Literal["text", "thinking", "tool_call", "tool_result", "media", "other"]
Flag = Literal["error", "summary", "truncated"]
Record = Mapping[str, Any]

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
    parent: str | None
    role: str
    parts: tuple[Part, ...]
    raw: Record
    tool: str = ""
    call: str = ""
    timestamp: str | None = None
    line: int = 0
    flags: frozenset[Flag] = frozenset()

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


class Session(Protocol):
    """What a compaction reads: messages by their place, and the summary that stands before them."""

    @property
    def previous(self) -> Message | None:
        """The summary of an earlier compaction that is in the window, if any."""

    def __len__(self) -> int: ...

    def message(self, at: int) -> Message:
        """The message at a place, 0 is the oldest."""


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
        return Part("tool_call", _value(given), _word(name), _word(call))
    named = [(str(key), _value(value)) for key, value in given.items()]
    lines = (f"{key}: {value}" for key, value in named)
    text = named[0][1] if len(named) == 1 else "\n".join(lines)
    return Part("tool_call", text, _word(name), _word(call), _main(dict(named)))


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
        call = _word(block.get("tool_use_id"))
        yield Part("tool_result", text_of(content), call=call, media=media_of(content))
    elif kind in ("thinking", "reasoning"):
        yield Part("thinking", _word(block.get("thinking") or block.get("text")))
    elif medium := _medium(block):
        yield Part("media", "", media=(medium,))
    elif kind in _TEXTS or isinstance(block.get("text"), str):
        yield Part("text", _word(block.get("text")))
    else:
        yield Part("other", "", _word(kind))


def media_of(content: object) -> tuple[Medium, ...]:
    """The pictures, documents and recordings in ``content``."""
    return tuple(medium for part in parts_of(content) for medium in part.media)


def _medium(block: Record) -> Medium | None:
    """The one that a block holds: itself, or in a field of its own."""
    kind = _MEDIA.get(_word(block.get("type")))
    if kind is None and not any(key in block for key in _GEMINI):
        return None
    held = next((block[key] for key in _HOLDERS if isinstance(block.get(key), dict)), block)
    media_type = next((_word(held[key]) for key in _MEDIA_TYPES if key in held), "")
    if media_type:
        kind = _MEDIA.get(media_type.partition("/")[0], "document")
    places = (_word(held.get(key)) for key in _PLACES)
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


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def calls_of(parts: Sequence[Part]) -> tuple[tuple[str, str], ...]:
    """The ids and names of the tool calls among ``parts``."""
    return tuple((part.call, part.name) for part in parts if part.kind == "tool_call")


def answers_of(parts: Sequence[Part], more: bool = False) -> tuple[tuple[str, ...], int]:
    """The ids of the calls that ``parts`` answer, and how many messages they are: each answer, and all the rest."""
    answers = tuple(part.call for part in parts if part.kind == "tool_result")
    return answers, max(1, len(answers) + (more or len(answers) < len(parts)))


def split(
    identity: str, role: str, blocks: Sequence[object], tools: Mapping[str, str]
) -> list[Message]:
    """The messages in the content ``blocks`` of one turn: each tool result, and one for all the rest.

    The first has the id of the turn, the others ``ID.2``, ``ID.3``; ``tools`` are the names behind call ids.
    """
    made: list[Message] = []
    rest: list[object] = []
    for block in blocks:
        parts = parts_of(block)
        if parts and parts[0].kind == "tool_result":
            failed = isinstance(block, dict) and block.get("is_error") is True
            made.append(_answer(parts, failed, tools))
        else:
            rest.append(block)
    parts = parts_of(rest)
    if parts or not made:
        raw = {"role": role, "content": _plain(rest)}
        made.append(Message("", None, role, parts, raw))
    return [
        one._replace(id=identity if at == 1 else f"{identity}.{at}")
        for at, one in enumerate(made, 1)
    ]


def _answer(parts: tuple[Part, ...], failed: bool, tools: Mapping[str, str]) -> Message:
    call = parts[0].call
    name = tools.get(call, "")
    flags: frozenset[Flag] = frozenset(("error",) if failed else ())
    raw = {"role": "tool", "name": name, "tool_call_id": call, "content": parts[0].text}
    return Message("", None, "tool", parts, raw, tool=name, call=call, flags=flags)


def _plain(blocks: list[object]) -> object:
    """A lone text as the text it is."""
    return blocks[0] if len(blocks) == 1 and isinstance(blocks[0], str) else blocks
