"""What is held: for ``hippo beliefs`` and questions, why it is, and what is against it by its address.

A question pays little, however much is held: a cache says by the hashes of words where in the file a belief stands
that has them, and only a few entries are parsed. What is found says what it came instead of, and which other values
of its address somebody gave.
"""

from __future__ import annotations

import contextlib
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import accumulate, combinations
from pathlib import Path
from zlib import crc32

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of, weight_at
from hippocampus_cli.query.results import BeliefShown
from hippocampus_cli.text.terms import TERMS_VERSION, telling_terms, terms
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import BELIEFS, CACHE, ensure_folder
from hippocampus_cli.workspace.regular import read_regular

_SHOWN = 3  # with an answer
_TOLD = 8  # at the start of a session, where there is room
_PARSED = 12  # entries, for a question
_PLACES = f"{CACHE}/beliefs"
_PLACE = 2**32 - 1


class HeldBelief(NamedTuple):
    """A belief as it is now: its decayed weight, what it came instead of, the latest first, and what disputes it:
    the other values of its address."""

    belief: Belief
    weight: float
    before: tuple[Belief, ...]
    disputed_by: tuple[Belief, ...]

    @property
    def terms(self) -> frozenset[str]:
        """What a question is compared with."""
        family = (self.belief, *self.before[:1])
        return frozenset(
            telling_terms(" ".join(f"{b.subject} {b.attribute} {b.statement}" for b in family))
        )

    @property
    def names(self) -> list[str]:
        """The names that it is asked by."""
        return [name for belief in (self.belief, *self.before[:1]) for name in belief.tags]

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

    def held(self, belief: Belief, weight: float) -> HeldBelief:
        """A belief with what it came instead of, and what disputes it."""
        same = self.by_address[belief.address] if belief.address else ()
        against = tuple(other for other in same if other.said != belief.said)
        return HeldBelief(belief, round(weight, 3), self._before(belief), against)

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
) -> list[HeldBelief]:
    """The beliefs about ``words`` (all for none), best first; with ``every`` past ones too."""
    asked, links = {*telling_terms(words)}, _Links(beliefs)
    among = (links.held(b, weight_at(b, now, rate)) for b in beliefs if every or b.status == "held")
    found = [held for held in among if not asked or held.answers(asked)]
    return sorted(found, key=lambda held: -len(asked & held.terms) - held.weight)


def beliefs_about(root: Path, words: str, now: datetime, rate: float) -> tuple[BeliefShown, ...]:
    """What is held about a question, the best first. Nothing is sustained by being asked."""
    beliefs = beliefs_of(parse(_having(root, {*telling_terms(words)})))
    return tuple(map(_shown, held_for(beliefs, words, now, rate)[:_SHOWN]))


def _having(root: Path, asked: Collection[str]) -> str:
    """The entries of the file that have most words of a question, with those that they are shown with."""
    places, found = _places(root), Counter[int]()
    for key in map(_key, asked):
        first, last = (bisect_left(places, number << 32) for number in (key, key + 1))
        found.update(place & _PLACE for place in places[first:last])
    best = sorted((found[start], start) for start in found if found[start] >= _least(asked))
    data = read_regular(root / BELIEFS) if best else b""
    parts = (data[start:].split(b"\n#", 1)[0] for _, start in best[-_PARSED:])
    return decode(b"\n".join((*parts, b"")))


def _places(root: Path) -> memoryview[int]:
    """Where words of beliefs stand: the hash of a word, then the place of an entry in the file, in order. Kept until
    the file is another."""
    seen = [TERMS_VERSION, *FileStat.of((root / BELIEFS).stat())[1:]]
    with contextlib.suppress(OSError, TypeError):
        kept = memoryview(read_regular(root / _PLACES)).cast("Q")
        if kept[: len(seen)].tolist() == seen:
            return kept[len(seen) :]
    made = array("Q", [*seen, *sorted(_postings(BeliefStore(root, 1.0).text()))])
    with contextlib.suppress(HippoError):
        replace_bytes(ensure_folder(root, _PLACES), made.tobytes(), _PLACES)
    return memoryview(made)[len(seen) :]


def _postings(text: str) -> Iterator[int]:
    """The words by which a belief is asked for, each with its place and those of what it is shown with; the words of
    names twice, for one may suffice."""
    document, starts = parse(text), [0, *accumulate(map(len, map(encode, split_lines(text))))]
    place = {located.key: starts[located.line - 1] for located in document.entries}
    beliefs = beliefs_of(document)
    links = _Links(beliefs)
    for held in (links.held(belief, 0) for belief in beliefs if belief.status == "held"):
        names = [*telling_terms(" ".join(held.names))]
        for key in map(_key, (*names, *names) if held.names else held.terms):
            for shown in (held.belief, *held.before[:1], *held.disputed_by[:1]):
                yield key << 32 | place[shown.id]


def _key(stem: str) -> int:
    return crc32(stem.encode("utf-8", "surrogateescape"))


def newest(root: Path) -> list[BeliefShown]:
    """Held beliefs, the latest first; the result is the same until a belief changes."""
    held = held_for(BeliefStore(root, 1.0).all(), "", datetime.max)
    held.sort(key=lambda one: one.belief.since)
    return [_shown(one) for one in held[: -_TOLD - 1 : -1]]


def _shown(held: HeldBelief) -> BeliefShown:
    """A belief as an answer shows it."""
    return BeliefShown(
        held.belief.id,
        held.belief.statement,
        held.belief.since,
        held.belief.origin,
        held.before[0].statement if held.before else "",
        held.disputed_by[0].statement if held.disputed_by else "",
    )


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
