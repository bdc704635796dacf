"""Beliefs about some words: for ``hippo beliefs``, and for questions.

A question pays little for them: entries of the file in which none of its words stands are not even parsed. What is
found says what it came instead of, and which other values of its address somebody gave.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.parse import parse
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of, hours_since
from hippocampus_cli.mind.weighing import decay
from hippocampus_cli.query.results import BeliefShown
from hippocampus_cli.text.terms import telling_words, terms_of

_SHOWN = 3  # with an answer
_TOLD = 8  # at the start of a session, where there is room


class Held(NamedTuple):
    """A belief as it is now: its decayed weight, what it came instead of, the latest first, and what disputes it: the
    other values of its address too."""

    belief: Belief
    weight: float
    before: tuple[Belief, ...]
    disputed_by: tuple[Belief, ...]


def held_for(
    beliefs: Sequence[Belief], words: str, now: datetime, rate: float = 1.0, *, every: bool = False
) -> list[Held]:
    """The beliefs about ``words`` (all for none), best first; with ``every`` past ones too.

    A belief with names matches a question that contains one; a belief without names matches by shared words.
    """
    asked = _terms(words)
    least = _least(asked)
    matches: list[tuple[float, Held]] = []
    for belief in beliefs:
        if belief.status != "held" and not every:
            continue
        before = _before(belief, beliefs)
        family = (belief, *before)
        common = asked & _terms(" ".join(map(_text_of, family)))
        names = [name for member in family for name in member.tags]
        if asked and not (_is_named(names, asked) if names else len(common) >= least):
            continue
        hours = hours_since(belief.verified, now)
        weight = decay(belief.weight, hours, belief.significance, rate)
        matches.append((len(common) + weight, _with_past(belief, weight, before, beliefs)))
    return [held for _, held in sorted(matches, key=lambda match: -match[0])]


def _text_of(belief: Belief) -> str:
    """What a question is compared with."""
    return f"{belief.subject} {belief.attribute} {belief.statement}"


def _is_named(names: Iterable[str], asked: Collection[str]) -> bool:
    """Whether a question has all the words of one of the names."""
    return any(terms <= {*asked} for terms in map(_terms, names) if terms)


def _before(belief: Belief, beliefs: Sequence[Belief]) -> tuple[Belief, ...]:
    """What it superseded, and what that superseded, the latest first; not what was never held before it."""
    family: list[Belief] = []
    ids = {belief.id}
    while True:
        older = [
            other
            for other in beliefs
            if other.status == "superseded"
            and other.by in ids
            and other.since <= belief.since
            and other not in family
        ]
        if not older:
            return tuple(sorted(family, key=lambda other: other.since, reverse=True))
        family += older
        ids = {other.id for other in older}


def _terms(text: str) -> frozenset[str]:
    """The terms of a text that say something."""
    return frozenset(term for word in telling_words(text) for term in terms_of(word))


def beliefs_about(
    root: Path, words: str, now: datetime, rate: float, *, write: bool
) -> tuple[BeliefShown, ...]:
    """What is held about a question, the best first. Nothing is sustained by being asked; with ``write`` it is marked
    as retrieved, once. Who cannot write leaves that."""
    store = BeliefStore(root, 1.0)
    text = relevant(store.text(), _terms(words))
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
    latest = held[: -_TOLD - 1 : -1]
    return [_shown(_with_past(b, b.weight, _before(b, beliefs), beliefs)) for b in latest]


def _with_past(
    belief: Belief, weight: float, before: tuple[Belief, ...], beliefs: Sequence[Belief]
) -> Held:
    """A belief with what it came instead of, and what disputes it."""
    against = (other for other in beliefs if _disputes(other, belief))
    return Held(belief, round(weight, 3), before, tuple(against))


def _disputes(other: Belief, belief: Belief) -> bool:
    """Whether another belief gives another value of the same address."""
    same = belief.address is not None and other.address == belief.address
    return same and other.status == "held" and other.said != belief.said


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


def relevant(text: str, stems: Iterable[str]) -> str:
    """The entries of a file of beliefs in which enough of ``stems`` stand, those that they superseded, and those of
    the same address: to parse the whole file would take longer than the answer. A few more do no harm.
    """
    asked, parts = tuple(stems), text.split("\n## ")[1:]
    least = _least(asked)
    chosen = [part for part in parts if "| tags=" in part or _count(part, asked) >= least]
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
