"""Beliefs about some words: for ``hippo beliefs``, and for questions."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of, hours_since, updated
from hippocampus_cli.mind.names import is_named
from hippocampus_cli.mind.weighing import decay
from hippocampus_cli.query.results import BeliefShown
from hippocampus_cli.text.tokenizer import is_stop, stem_text

_SHOWN = 3  # with an answer
_TOLD = 8  # at the start of a session, where there is room


class Held(NamedTuple):
    """A belief as it is now: its decayed weight, and what it came instead of, the latest first."""

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
    asked = _stems(words)
    least = _least(asked)
    found: list[tuple[float, Held]] = []
    for one in beliefs:
        if one.status != "held" and not every:
            continue
        common = asked & _stems(one.statement)
        before = _before(one, beliefs)
        names = [name for it in (one, *before) for name in it.tags]
        common |= asked & {stem for old in before for stem in _stems(old.statement)}
        if asked and not (is_named(names, words) if names else len(common) >= least):
            continue
        weight = decay(one.weight, hours_since(one.verified, now), one.significance, rate)
        found.append((len(common) + weight, _with_past(one, weight, beliefs)))
    return [held for _, held in sorted(found, key=lambda pair: -pair[0])]


def _before(belief: Belief, beliefs: Sequence[Belief]) -> tuple[Belief, ...]:
    """What it superseded, and what that superseded."""
    found: list[Belief] = []
    todo = [belief.id]
    while todo:
        id = todo.pop()
        older = [
            one
            for one in beliefs
            if one.status == "superseded"
            and one.by == id
            and one.since <= belief.since  # what was settled against it was never held
            and one not in found
        ]
        found += older
        todo += [one.id for one in older]
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for stem in stem_text(text).split() if not is_stop(stem))


def beliefs_about(
    root: Path, words: str, now: datetime, rate: float, *, write: bool
) -> tuple[BeliefShown, ...]:
    """What is held about a question, the best first. Nothing is sustained by being asked; with ``write`` it is marked
    for review, once. Who cannot write leaves that."""
    store = BeliefStore(root, 1.0)
    text = relevant(store.text(), _stems(words))
    found = held_for(beliefs_of(parse(text)), words, now, rate)[:_SHOWN] if text else []
    if write and any(held.belief.due is None for held in found):
        with contextlib.suppress(HippoError):
            mark_due(store, [held.belief.id for held in found], now)
    return tuple(map(_shown, found))


def newest(root: Path) -> list[BeliefShown]:
    """Held beliefs, the latest first; the result is the same until a belief changes."""
    beliefs = beliefs_of(parse(BeliefStore(root, 1.0).text()))
    held = sorted((one for one in beliefs if one.status == "held"), key=lambda one: one.since)
    return [_shown(_with_past(one, one.weight, beliefs)) for one in held[: -_TOLD - 1 : -1]]


def _with_past(belief: Belief, weight: float, beliefs: Sequence[Belief]) -> Held:
    against = tuple(b for b in beliefs if b.status == "disputed" and b.by == belief.id)
    return Held(belief, round(weight, 3), _before(belief, beliefs), against)


def _shown(held: Held) -> BeliefShown:
    return BeliefShown(
        held.belief.id,
        held.belief.statement,
        held.belief.since,
        held.belief.origin,
        held.before[0].statement if held.before else "",
        held.disputed_by[0].statement if held.disputed_by else "",
    )


def relevant(text: str, stems: Iterable[str]) -> str:
    """The entries of a file of beliefs in which one of ``stems`` stands, and those that they superseded or that
    dispute them: to take the whole file apart would take longer than the answer. A little more does no harm.
    """
    asked, parts = tuple(stems), text.split("\n## ")
    plain = all(map(str.isascii, asked))  # then the letters of ASCII are all that has to be folded
    folded = encode(text).lower() if plain else encode(text.casefold())
    starts = [0, *_places(folded, b"\n## ")]

    def having(word: str) -> set[int]:
        return {bisect_right(starts, at) - 1 for at in _places(folded, encode(word))}

    counted = Counter(at for stem in asked for at in having(stem))
    least = _least(asked)
    chosen = {at for at, count in counted.items() if count >= least} | having("| tags=")
    if not chosen:
        return ""
    over = {at: _value(parts[at], "| by=") for at in having("| by=")}
    by: dict[str, list[int]] = {}
    for at, id in over.items():
        by.setdefault(id, []).append(at)
    for at in chosen & over.keys():
        chosen |= having(f"hx: id={over[at].lower() if plain else over[at].casefold()} ")
    todo = list(chosen)
    while todo:
        found = by.get(_value(parts[todo.pop()], "hx: id="), ())
        new = {at for at in found if at not in chosen}
        chosen |= new
        todo += new
    return "".join(f"## {parts[at]}\n" for at in sorted(chosen - {0}))


def _places(text: bytes, word: bytes) -> Iterator[int]:
    """Where a word begins in a text."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _value(part: str, key: str) -> str:
    return next(iter(part.partition(key)[2].split(maxsplit=1)), "")


def _least(asked: Collection[str]) -> int:
    """How many words of a question a belief must share."""
    return 2 if len(asked) > 2 else 1


def mark_due(store: BeliefStore, ids: Iterable[str], now: datetime) -> None:
    """Mark beliefs that were retrieved, each once. Nothing is written where all are marked."""
    wanted = set(ids)
    if not any(one.id in wanted and one.due is None for one in store.all()):
        return

    def change(document: Document) -> tuple[Document, None]:
        found = (one for one in beliefs_of(document) if one.id in wanted and one.due is None)
        return updated(document, [one.replaced(due=now.date()) for one in found]), None

    store.change(change)
