"""A session as the bench sees it: made up in the mix of CONTEXT §1.1, or recorded by Pi."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.context.carriers import text_of
from bench.context.talk import Told, told_by_agent, told_by_tool, told_by_user
from bench.context.values import FactKind, Value, Values, says
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.context.transcripts.pi import message_of
from hippocampus_cli.context.transcripts.records import read_lines

SYSTEM = 3_000
"""Tokens of the system prompt, in every window (CONTEXT §1.1)."""
TURN = 5_700
"""Tokens that a turn adds: 15,000 at turn 1, 180,000 at turn 30 (CONTEXT §1.2)."""
_USER, _AGENT, _TOOLS = 8 / 97, 15 / 97, 74 / 97  # what a turn is made of (CONTEXT §1.1)
_REUSED = 0.38  # of all messages have a value that is needed again (CONTEXT §1.2, §12.1)
_AGAIN = 0.3  # of those are needed once more, and so on
_SPREAD = 1.2  # of the logarithm of sizes: many small results, few very large ones


class Use(NamedTuple):
    """A fact that the agent names in its turn, ``gap`` turns after it was told or named last."""

    fact: Value
    gap: int


class Turn(NamedTuple):
    """What is said in a turn, and what has to be known for it."""

    messages: tuple[Message, ...]
    uses: tuple[Use, ...]


class Session(NamedTuple):
    """Turns, oldest first."""

    name: str
    turns: tuple[Turn, ...]

    @property
    def uses(self) -> int:
        """How often a fact is needed again."""
        return sum(len(turn.uses) for turn in self.turns)


def made_up(turns: int, size: int = TURN, seed: int = 5) -> Session:
    """A session of ``turns`` turns of about ``size`` tokens each; the same one for the same arguments."""
    dice = random.Random(seed * 100_003 + turns)
    values = Values(dice)
    drafts = [list(_draft(values, weights, size)) for weights in _weights(dice, turns)]
    uses = _needed_again(dice, drafts)
    numbers = iter(range(1, 1 << 30))
    return Session(
        f"{turns:,} turns",
        tuple(
            Turn(tuple(_messages(draft, uses[at], numbers, dice)), tuple(uses[at]))
            for at, draft in enumerate(drafts)
        ),
    )


class _Weights(NamedTuple):
    """Shares of an average turn: of the user's message, of the agent's, of each result."""

    user: float
    agent: float
    results: tuple[float, ...]


def _weights(dice: random.Random, turns: int) -> list[_Weights]:
    """Uneven sizes, one on the average."""

    def drawn(count: int) -> list[float]:
        return [dice.lognormvariate(0, _SPREAD) for _ in range(count)]

    results = [drawn(dice.choice((1, 1, 2, 2, 3, 4))) for _ in range(turns)]
    user, agent = drawn(turns), drawn(turns)
    whole = sum(map(sum, results))
    return [
        _Weights(
            user[at] * turns / sum(user),
            agent[at] * turns / sum(agent),
            tuple(one * turns / whole for one in results[at]),
        )
        for at in range(turns)
    ]


def _draft(values: Values, weights: _Weights, size: int) -> Iterator[Told]:
    characters = 4 * size
    yield told_by_user(values, int(characters * _USER * weights.user))
    for weight in weights.results:
        yield from told_by_tool(values, int(characters * _TOOLS * weight))
    yield told_by_agent(values, int(characters * _AGENT * weights.agent))


def _needed_again(dice: random.Random, drafts: Sequence[Sequence[Told]]) -> list[list[Use]]:
    """The uses of each turn.

    A message that is needed again is drawn from all alike, and of its values one from all alike, wherever in
    it that stands. The odds that it is needed fall with the time since, as 1/gap.
    """
    seen = Counter(value.text for draft in drafts for told in draft for value in told.values)
    uses: list[list[Use]] = [[] for _ in drafts]
    for at, draft in enumerate(drafts):
        for told in draft:
            single = [value for value in told.values if seen[value.text] == 1]
            if not single or dice.random() >= _REUSED:
                continue
            fact, turn = dice.choice(single), at
            while turn < len(drafts) - 1:
                gap = int(math.exp(dice.uniform(0, math.log(len(drafts) - turn))))
                turn += gap
                uses[turn].append(Use(fact, gap))
                if dice.random() >= _AGAIN:
                    break
    return uses


def _messages(
    draft: Sequence[Told], uses: Sequence[Use], numbers: Iterator[int], dice: random.Random
) -> Iterator[Message]:
    """The messages of a turn; the agent names what it needs, in a call or in words."""
    for at, told in enumerate(draft):
        raw = told.raw
        if at == len(draft) - 1 and uses:
            raw = told.naming([use.fact for use in uses], dice)
        yield message_of(raw, f"{next(numbers):08x}")


_TELLING = re.compile(r"[\w./:@~-]{5,200}")
_SIGN = re.compile(r"\d|[_/]|\w\.\w|[a-z][A-Z]")
_NUMBER = re.compile(r"[\d.,:]+")


def recorded_in(folder: Path) -> Iterator[Session]:
    """The sessions of Pi in a folder, all that was said in each, before a compaction too."""
    for path in sorted(folder.glob("*.jsonl")):
        messages = list(_recorded(path))
        if messages:
            yield Session(path.stem, tuple(_turns(messages)))


def _recorded(path: Path) -> Iterator[Message]:
    with path.open("rb") as file:
        for span, value in read_lines(file, []):
            raw = value.get("message")
            if value.get("type") == "message" and isinstance(raw, dict):
                yield message_of(raw, str(value.get("id", f"{span.line:08x}")))._replace(
                    line=span.line
                )


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
