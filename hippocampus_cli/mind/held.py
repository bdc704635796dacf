"""What is held about some words: for ``hippo beliefs``, and a question where there are beliefs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, hours_since
from hippocampus_cli.mind.weighing import decay
from hippocampus_cli.query.results import BeliefShown
from hippocampus_cli.text.tokenizer import is_stop, stem_text

_SHOWN = 3  # with an answer


class Held(NamedTuple):
    """A belief as it is now: its decayed weight, and what it came instead of, the latest first."""

    belief: Belief
    weight: float
    before: tuple[Belief, ...]
    disputed_by: tuple[Belief, ...]


def held_for(
    beliefs: Sequence[Belief], words: str, now: datetime, rate: float = 1.0, *, every: bool = False
) -> list[Held]:
    """The beliefs that share a word with ``words`` (all for none), best first; with ``every`` past ones too."""
    asked = _stems(words)
    found: list[tuple[float, Held]] = []
    for one in beliefs:
        if one.status != "held" and not every:
            continue
        common = asked & _stems(one.statement)
        before = _before(one, beliefs)
        common |= asked & {stem for old in before for stem in _stems(old.statement)}
        if asked and len(common) < (2 if len(asked) > 2 else 1):
            continue
        weight = decay(one.weight, hours_since(one.verified, now), one.significance, rate)
        against = tuple(b for b in beliefs if b.status == "disputed" and b.by == one.id)
        found.append((len(common) + weight, Held(one, round(weight, 3), before, against)))
    return [held for _, held in sorted(found, key=lambda pair: -pair[0])]


def _before(belief: Belief, beliefs: Sequence[Belief]) -> tuple[Belief, ...]:
    """What it superseded, and what that did."""
    found: list[Belief] = []
    todo = [belief.id]
    while todo:
        id = todo.pop()
        older = [
            one
            for one in beliefs
            if one.status == "superseded" and one.by == id and one not in found
        ]
        found += older
        todo += [one.id for one in older]
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for stem in stem_text(text).split() if not is_stop(stem))


def beliefs_about(root: Path, words: str, now: datetime, rate: float) -> tuple[BeliefShown, ...]:
    """What is held about a question, the best first. Nothing is changed, and nothing sustained by being asked."""
    found = held_for(BeliefStore(root, 1.0).all(), words, now, rate)[:_SHOWN]
    return tuple(
        BeliefShown(
            held.belief.id,
            held.belief.statement,
            held.belief.since,
            held.belief.origin,
            held.before[0].statement if held.before else "",
            held.disputed_by[0].statement if held.disputed_by else "",
        )
        for held in found
    )
