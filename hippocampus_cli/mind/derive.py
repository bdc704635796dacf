"""Beliefs derived from episodes: added, confirmed, superseded, disputed. Pure.

Only verbatim statements become beliefs. **A source supersedes only at equal or higher trust**: what a page or a tool
says against the user's word stands beside it as disputed, and does not replace it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind import weighing
from hippocampus_cli.mind.beliefs import (
    Belief,
    Lineage,
    fingerprint,
    id_for,
    least_trusted,
    trust,
)
from hippocampus_cli.mind.claims import Claim, claim_of, sentences_in
from hippocampus_cli.mind.contradiction import Conflict, conflict, conflicts
from hippocampus_cli.mind.episodes import Episode, Statement

_SPEAKS = ("user", "file")
"""Origins whose statements become beliefs; others only dispute or confirm."""
_PASSING = frozenset(("want", "need", "take", "know"))
"""Attributes that are mentioned only in passing."""


class Source(NamedTuple):
    """A statement of an episode with its reference ``ep-….3``; ``told``: the user said to keep it."""

    reference: str
    statement: Statement
    day: date
    told: bool = False


class Derived(NamedTuple):
    """The result: ``added`` beliefs are new, ``changed`` ones have new values."""

    added: tuple[Belief, ...] = ()
    changed: tuple[Belief, ...] = ()
    superseded: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()


def sources_of(
    episodes: Sequence[Episode], said: Mapping[str, Sequence[Statement]], *, told: bool = False
) -> list[Source]:
    """The statements of episodes, in their order, each with the day on which it was said."""
    return [
        Source(f"{one.id}.{at}", statement, _day(statement.moment or one.at), told)
        for one in episodes
        for at, statement in enumerate(said[one.id], 1)
    ]


def _day(moment: str) -> date:
    return date.fromisoformat(moment[:10])


def derive(
    beliefs: Sequence[Belief], sources: Iterable[Source], taken: Iterable[str] = ()
) -> Derived:
    """Derive beliefs from the sources; ``taken`` are ids that are in use."""
    store = _Beliefs(beliefs, taken)
    for source in sources:
        for sentence in sentences_in(source.statement.text):
            if claim := claim_of(sentence):
                store.hear(claim, source)
            elif source.told:
                store.tell(sentence.strip(), source)
    return store.result()


class _Beliefs:
    """The beliefs while they are derived."""

    def __init__(self, beliefs: Sequence[Belief], taken: Iterable[str]) -> None:
        self._before = {one.id: one for one in beliefs}
        self._now = dict(self._before)
        self._taken = {*taken, *self._before}
        self._claims: dict[str, Claim | None] = {}
        self._about: dict[str, set[str]] = {}
        for one in beliefs:
            self._index(one.id, claim_of(one.statement))
        self._superseded: list[str] = []
        self._disputed: list[str] = []

    def result(self) -> Derived:
        """What changed."""
        added = tuple(one for one in self._now.values() if one.id not in self._before)
        changed = tuple(
            one for id, one in self._now.items() if id in self._before and one != self._before[id]
        )
        return Derived(added, changed, tuple(self._superseded), tuple(self._disputed))

    def hear(self, claim: Claim, source: Source) -> None:
        """Confirm, supersede, dispute, or add. Days count: the order in which it is read makes no difference."""
        known = self._near(claim)
        held = {id: one for id, one in known.items() if self._now[id].status == "held"}
        same = next((id for id, one in held.items() if _is_same(one, claim)), None)
        if same := same or self._past(claim, source, known):
            self._confirm(same, source)
            return
        earlier = (one for id, one in held.items() if self._now[id].verified <= source.day)
        against = conflicts(claim, earlier)
        speaks = source.statement.origin in _SPEAKS
        if against or (speaks and (source.told or claim.attribute not in _PASSING)):
            self._add(claim, source, known, held, against)

    def _past(self, claim: Claim, source: Source, known: Mapping[str, Claim]) -> str | None:
        """The belief that says the same, and held until a later day."""
        ended = (id for id in known if (self._now[id].until or source.day) > source.day)
        return next((id for id in ended if _is_same(known[id], claim)), None)

    def _add(
        self,
        claim: Claim,
        source: Source,
        known: Mapping[str, Claim],
        held: Mapping[str, Claim],
        against: Sequence[Conflict],
    ) -> None:
        origin = source.statement.origin
        over = [id for id, one in held.items() if any(one is found.earlier for found in against)]
        beaten = [id for id in over if trust(origin) >= trust(self._now[id].origin)]
        status = "disputed" if over and len(beaten) < len(over) else "held"
        if status == "disputed" and any(one.text == claim.text for one in known.values()):
            return  # the same is disputed already
        overturns = bool(beaten) and status == "held"
        made = self._new(claim, source, known.values(), overturns=overturns, against=against)
        made = made.replaced(status=status, by=over[0] if status == "disputed" else "")
        self._now[made.id] = made
        self._index(made.id, claim)
        if status == "disputed":
            self._disputed.append(made.id)
            return
        for id in beaten:
            self._end(self._now[id], made.id, source.day)
        later = (id for id in held if self._now[id].verified > source.day)
        self._yield(made, [id for id in later if conflict(held[id], claim)])

    def _end(self, belief: Belief, by: str, until: date) -> None:
        self._now[belief.id] = belief.replaced(status="superseded", until=until, by=by)
        self._superseded.append(belief.id)

    def _yield(self, made: Belief, later: Sequence[str]) -> None:
        """Compare a belief with later statements against it: an equally trusted one supersedes it, a less
        trusted one disputes it."""
        over = [id for id in later if trust(self._now[id].origin) >= trust(made.origin)]
        if over:
            first = min((self._now[id] for id in over), key=lambda one: one.since)
            until = first.since if first.since > made.since else first.verified
            self._end(made, first.id, until)
            return
        for id in later:
            self._now[id] = self._now[id].replaced(status="disputed", by=made.id)
            self._disputed.append(id)

    def tell(self, text: str, source: Source) -> None:
        """Keep a statement that the user asked to keep, though it cannot be compared."""
        there = next((id for id, one in self._now.items() if one.statement == text), None)
        if there is not None:
            self._confirm(there, source)
            return
        claim = Claim(text, frozenset(), "", frozenset())
        made = self._new(claim, source, (), overturns=False, against=[])
        self._now[made.id] = made
        self._index(made.id, None)

    def _index(self, id: str, claim: Claim | None) -> None:
        self._claims[id] = claim
        for stem in claim.subject if claim else ():
            self._about.setdefault(stem, set()).add(id)

    def _near(self, claim: Claim) -> dict[str, Claim]:
        """The claims that speak of something that it speaks of too, by their beliefs' ids."""
        ids = {id for stem in claim.subject for id in self._about.get(stem, ())}
        return {id: one for id in sorted(ids) if (one := self._claims[id]) is not None}

    def _confirm(self, id: str, source: Source) -> None:
        """Add evidence, but only of a source that is trusted at least as much: trust is the lowest of all sources."""
        belief = self._now[id]
        if source.reference in belief.derived_from or trust(source.statement.origin) < trust(
            belief.origin
        ):
            return
        self._now[id] = belief.replaced(
            derived_from=Lineage((*belief.derived_from, source.reference)),
            verified=max(belief.verified, source.day),
            weight=weighing.strengthened(belief.weight),
        )

    def _new(
        self,
        claim: Claim,
        source: Source,
        known: Iterable[Claim],
        *,
        overturns: bool,
        against: Sequence[Conflict],
    ) -> Belief:
        id = id_for(claim.text, self._taken)
        self._taken.add(id)
        return Belief(
            id=id,
            statement=claim.text,
            derived_from=Lineage((source.reference,)),
            origin=least_trusted((source.statement.origin,)),
            since=source.day,
            created=source.day,
            verified=source.day,
            weight=weighing.first_weight(weighing.novelty(claim, known), float(bool(against))),
            significance=weighing.significance(
                overturns=overturns, told=source.told, attribute=claim.attribute
            ),
            sha=fingerprint(claim.text),
        )


def _is_same(one: Claim, other: Claim) -> bool:
    return (
        one.subject == other.subject
        and one.attribute == other.attribute
        and one.value == other.value
        and one.negative == other.negative
        and one.against == other.against
    )
