"""Who says what in a made-up session, as messages of Pi."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bench.context import outputs
from bench.context.values import NOUNS, WORDS, Value, Values, sentence

_SETTLED = 0.35  # of all messages of talk settle something


class Told(NamedTuple):
    """A message, and the values that stand in it."""

    raw: dict[str, Any]
    values: tuple[Value, ...]

    def naming(self, facts: Sequence[Value], dice: random.Random) -> dict[str, Any]:
        """An agent's message that also names ``facts``."""
        text = self.raw["content"][0]["text"].split(". ")
        for fact in facts:
            said = dice.choice(WORDS["naming"]).format(x=fact.text).removesuffix(".")
            text.insert(dice.randint(0, len(text) - 1), said)
        return {**self.raw, "content": [{"type": "text", "text": ". ".join(text)}]}


class Tool(NamedTuple):
    """A tool: what it is called with and answers, how often it is called, and how large its answers are.

    ``often`` and ``large`` are beside the other tools.
    """

    kind: str
    name: str
    argument: str
    value: Callable[[Values], str]
    answer: Callable[[Values, int], str]
    often: int
    large: float


TOOLS = (
    Tool("source", "read", "path", lambda v: v.path(), outputs.source, 26, 1.0),
    Tool("run", "bash", "command", lambda v: v.command(), outputs.run, 18, 0.5),
    Tool("log", "bash", "command", lambda v: v.command(), outputs.log, 12, 0.8),
    Tool("listing", "bash", "command", lambda v: v.command(), outputs.listing, 12, 0.6),
    Tool("text", "read", "path", lambda v: v.path("docs"), outputs.text, 10, 0.6),
    Tool("json", "http.get", "url", lambda v: v.url(), outputs.answer, 9, 1.2),
    Tool("page", "browser.snapshot", "url", lambda v: v.url(), outputs.page, 6, 3.5),
    Tool("table", "bash", "command", lambda v: v.command(), outputs.table, 5, 0.6),
    Tool("schema", "config.get", "path", lambda v: v.path("conf"), outputs.schema, 2, 4.0),
)
_MEAN = sum(tool.often * tool.large for tool in TOOLS) / sum(tool.often for tool in TOOLS)
_SHORTEST = 80  # characters


def told_by_user(values: Values, size: int) -> Told:
    """A wish of about ``size`` characters."""
    said = _talk(values, size, WORDS["wish"])
    return Told({"role": "user", "content": said}, tuple(values.take()))


def told_by_agent(values: Values, size: int) -> Told:
    """What the agent says at the end of its turn."""
    return Told(_agent(_talk(values, size, WORDS["decision"])), tuple(values.take()))


def told_by_tool(values: Values, size: int) -> Iterator[Told]:
    """A call, and what the tool answers to it."""
    dice = values.dice
    tool = dice.choices(TOOLS, [one.often for one in TOOLS])[0]
    call = f"call_{dice.getrandbits(40):010x}"
    argument = tool.value(values)
    block = {
        "type": "toolCall",
        "id": call,
        "name": tool.name,
        "arguments": {tool.argument: argument},
    }
    said = sentence(dice)
    yield Told(_agent(said, block), tuple(values.take()))
    text = tool.answer(values, max(_SHORTEST, int(size * tool.large / _MEAN)))
    answer = {
        "role": "toolResult",
        "toolCallId": call,
        "toolName": tool.name,
        "content": [{"type": "text", "text": text}],
    }
    yield Told(answer, tuple(values.take()))


def _agent(text: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}, *calls]}


def _talk(values: Values, size: int, settling: Sequence[str]) -> str:
    """Sentences; among them a value or two, and now and then something that is settled."""
    dice = values.dice
    said: list[str] = []
    while sum(map(len, said)) < size:
        said.append(sentence(dice))
    told = [
        _filled(dice.choice(WORDS["telling"]), dice, x=values.any())
        for _ in range(dice.randint(1, 2))
    ]
    if dice.random() < _SETTLED:
        told.append(_filled(dice.choice(settling), dice, d=values.decision()))
    for one in told:
        said.insert(dice.randint(0, len(said)), one)
    return " ".join(said)


def _filled(form: str, dice: random.Random, **words: str) -> str:
    return form.format(n=dice.choice(NOUNS), **words)
