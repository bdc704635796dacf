"""What is held: for ``hippo beliefs`` and questions, why it is, and what is against it by its address.

A question pays little: entries of the file in which none of its words stand are not even parsed. What is found says
what it came instead of, and which other values of its address somebody gave.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.parse import parse
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of, weight_at
from hippocampus_cli.query.results import BeliefShown
from hippocampus_cli.text.terms import telling_terms, terms

_SHOWN = 3  # with an answer
_TOLD = 8  # at the start of a session, where there is room


class Held(NamedTuple):
    """A belief as it is now: its decayed weight, what it came instead of, the latest first, and what disputes it:
    the other values of its address."""

    belief: Belief
    weight: float
    before: tuple[Belief, ...]
    disputed_by: tuple[Belief, ...]

    @property
    def terms(self) -> frozenset[str]:
        """What a question is compared with."""
        family = (self.belief, *self.before)
        return frozenset(
            telling_terms(" ".join(f"{b.subject} {b.attribute} {b.statement}" for b in family))
        )

    @property
    def names(self) -> list[str]:
        """The names that it is asked by."""
        return [name for belief in (self.belief, *self.before) for name in belief.tags]

    def answers(self, asked: set[str]) -> bool:
        """Whether a question is about it: one with names has all words of one of them; else some words are shared."""
        if names := self.names:
            return any({*name} <= asked for name in map(telling_terms, names) if name)
        return len(asked & self.terms) >= _least(asked)


class _Links:
    """Beliefs by what superseded them, and by their address."""

    def __init__(self, beliefs: Iterable[Belief]) -> None:
        self._older: defaultdict[str, list[Belief]] = defaultdict(list)
        self.by_address: defaultdict[tuple[str, str], list[Belief]] = defaultdict(list)
        for belief in beliefs:
            if belief.status == "superseded":
                self._older[belief.by].append(belief)
            elif belief.status == "held" and belief.address:
                self.by_address[belief.address].append(belief)

    def held(self, belief: Belief, weight: float) -> Held:
        """A belief with what it came instead of, and what disputes it."""
        same = self.by_address[belief.address] if belief.address else ()
        against = tuple(other for other in same if other.said != belief.said)
        return Held(belief, round(weight, 3), self._before(belief), against)

    def _before(self, belief: Belief) -> tuple[Belief, ...]:
        """What it superseded, and what that superseded, the latest first; not what was never held before it."""
        family: dict[str, Belief] = {}
        waiting = [belief.id]
        while waiting:
            for older in self._older[waiting.pop()]:
                if older.id not in family and older.since <= belief.since:
                    family[older.id] = older
                    waiting.append(older.id)
        return tuple(sorted(family.values(), key=lambda older: older.since, reverse=True))


def held_for(
    beliefs: Sequence[Belief], words: str, now: datetime, rate: float = 1.0, *, every: bool = False
) -> list[Held]:
    """The beliefs about ``words`` (all for none), best first; with ``every`` past ones too."""
    asked, links = {*telling_terms(words)}, _Links(beliefs)
    among = (links.held(b, weight_at(b, now, rate)) for b in beliefs if every or b.status == "held")
    found = [held for held in among if not asked or held.answers(asked)]
    return sorted(found, key=lambda held: -len(asked & held.terms) - held.weight)


def beliefs_about(
    root: Path, words: str, now: datetime, rate: float, *, write: bool
) -> tuple[BeliefShown, ...]:
    """What is held about a question, the best first. Nothing is sustained by being asked; with ``write`` it is marked
    as retrieved, once. Who cannot write leaves that."""
    store = BeliefStore(root, 1.0)
    text = relevant(store.text(), {*telling_terms(words)})
    found = held_for(beliefs_of(parse(text)), words, now, rate)[:_SHOWN] if text else []
    unmarked = [held.belief.id for held in found if held.belief.due is None]
    if write:
        with contextlib.suppress(HippoError):
            store.revise(unmarked, lambda belief: belief.replaced(due=now.date()))
    return tuple(map(_shown, found))


def newest(root: Path) -> list[BeliefShown]:
    """Held beliefs, the latest first; the result is the same until a belief changes."""
    beliefs = beliefs_of(parse(BeliefStore(root, 1.0).text()))
    held = sorted((b for b in beliefs if b.status == "held"), key=lambda belief: belief.since)
    links = _Links(beliefs)
    return [_shown(links.held(belief, belief.weight)) for belief in held[: -_TOLD - 1 : -1]]


def _shown(held: Held) -> BeliefShown:
    """A belief as an answer shows it."""
    return BeliefShown(
        held.belief.id,
        held.belief.statement,
        held.belief.since,
        held.belief.origin,
        held.before[0].statement if held.before else "",
        held.disputed_by[0].statement if held.disputed_by else "",
    )


def relevant(text: str, stems: Collection[str]) -> str:
    """The entries of a file of beliefs in which enough of ``stems`` stand, those that they superseded, and those of
    the same address: to parse the whole file would take longer than the answer. A few more do no harm.
    """
    parts, least = text.split("\n## ")[1:], _least(stems)
    chosen = [part for part in parts if "| tags=" in part or _count(part, stems) >= least]
    links = {link for part in chosen for link in _linked(part)}
    return "".join(f"## {part}\n" for part in parts if links & {*_linked(part)})


def _count(part: str, stems: Iterable[str]) -> int:
    """How many of the stems stand in an entry."""
    folded = part.casefold()
    return sum(stem in folded for stem in stems)


def _linked(part: str) -> Iterator[str]:
    """The id of an entry, of what came instead of it, and its address."""
    for key in ("hx: id=", "| by=", "| subject="):
        if value := next(iter(part.partition(key)[2].split("|", 1)), "").strip():
            yield value


def _least(asked: Collection[str]) -> int:
    """How many words of a question a belief must share."""
    return 2 if len(asked) > 2 else 1


class Contradiction(NamedTuple):
    """A belief, and another value of its address: of a later belief, or of a text (``id`` is empty then)."""

    belief: Belief
    text: str
    id: str = ""


def standing(beliefs: Iterable[Belief]) -> list[Contradiction]:
    """Held beliefs with the same address and other values; the later against the earlier."""
    links = _Links(sorted(beliefs, key=lambda belief: belief.since))
    return [
        Contradiction(earlier, later.statement, later.id)
        for same in links.by_address.values()
        for earlier, later in combinations(same, 2)
        if earlier.said != later.said
    ]


def contradicted_by(text: str, beliefs: Iterable[Belief]) -> list[Contradiction]:
    """The held beliefs whose address a text names while it does not have their value. Whoever reads decides."""
    words = {*terms(text)}
    return [
        Contradiction(belief, " ".join(text.split()))
        for belief in beliefs
        if belief.status == "held"
        and belief.address
        and {*terms(" ".join(belief.address))} <= words
        and not {*terms(belief.value or belief.statement)} <= words
    ]
