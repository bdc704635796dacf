"""Sessions that were recorded by Pi, with what in them names something said before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocampus_cli.benchmarks.context.carrying import text_of
from hippocampus_cli.benchmarks.context.sessions import Session, Turn, Use
from hippocampus_cli.benchmarks.context.values import FactKind, Value, says
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.context.transcripts.records import Damage, read_lines

_TELLING = re.compile(r"[\w./:@~-]{5,200}")
_SIGN = re.compile(r"\d|[_/]|\w\.\w|[a-z][A-Z]")
_NUMBER = re.compile(r"[\d.,:]+")


def recorded_in(folder: Path) -> Iterator[Session]:
    """The sessions of Pi in a folder, all that was said in each, before a compaction too."""
    for path in sorted(folder.glob("*.jsonl")):
        messages = list(_messages(path))
        if messages:
            yield Session(path.stem, tuple(_turns(messages)))


def _messages(path: Path) -> Iterator[Message]:
    with path.open("rb") as file:
        for span, value in read_lines(file, Damage()):
            raw = value.get("message")
            if value.get("type") == "message" and isinstance(raw, dict):
                yield message_of(raw, str(value.get("id", f"{span.line:08x}")), line=span.line)


def _turns(messages: Sequence[Message]) -> Iterator[Turn]:
    """A turn is a request to the model: what came since the last one, and the answer."""
    before: list[str] = []
    at = 0
    while at < len(messages):
        end = at + 1
        while end < len(messages) and messages[end - 1].role != "assistant":
            end += 1
        turn = messages[at:end]
        yield Turn(tuple(turn), tuple(_uses(turn, before)))
        before.append("\n".join(map(text_of, turn)))
        at = end


def _uses(turn: Sequence[Message], before: Sequence[str]) -> Iterator[Use]:
    """What the agent names of earlier turns, where nothing in its own turn has told it."""
    given = "\n".join(text_of(one) for one in turn if one.role != "assistant")
    named = "\n".join(text_of(one) for one in turn if one.role == "assistant")
    for word in dict.fromkeys(one.strip(".:-") for one in _TELLING.findall(named)):
        if len(word) < 5 or not _SIGN.search(word) or says(given, word):
            continue
        for gap, text in enumerate(reversed(before), 1):
            if says(text, word):
                yield Use(Value(_kind(word), word), gap)
                break


def _kind(word: str) -> FactKind:
    if "://" in word:
        return "url"
    if "/" in word:
        return "path"
    return "number" if _NUMBER.fullmatch(word) else "identifier"
