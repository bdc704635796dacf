"""Messages as the model APIs exchange them: tool results inside the user's turn, calls inside the assistant's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hippocampus_cli.context.transcripts.content import parts_of
from hippocampus_cli.context.transcripts.message import Flag, Message, Part


def calls_of(parts: Sequence[Part]) -> tuple[tuple[str, str], ...]:
    """The ids and names of the tool calls among ``parts``."""
    return tuple((part.call, part.name) for part in parts if part.kind == "tool_call")


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
