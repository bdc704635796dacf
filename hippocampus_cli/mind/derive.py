"""Beliefs derived from what was said: added, confirmed, superseded. Pure.

What the user tells to keep becomes a belief, and what asks for it by itself: a standing instruction, a preference;
word for word. Nothing is superseded but what the user names, and **only at equal or higher trust**: what a page or a
tool says stands beside the user's word, and ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind import weighing
from hippocampus_cli.mind.beliefs import Belief, Lineage, id_for, trust
from hippocampus_cli.mind.episodes import Episode, Statement
from hippocampus_cli.mind.own_words import asks_to_be_kept
from hippocampus_cli.text.sentences import sentences_of


class Address(NamedTuple):
    """What a statement says something of, and what; ``tags`` are names it is asked by, ``replaces`` ids of beliefs
    that it came instead of."""

    subject: str = ""
    attribute: str = ""
    value: str = ""
    tags: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()


NO_ADDRESS = Address()


class Source(NamedTuple):
    """A statement of an episode with its reference ``ep-….3``; ``told``: somebody said to keep it as it is."""

    reference: str
    statement: Statement
    day: date
    told: bool = False
    address: Address = NO_ADDRESS


class Derived(NamedTuple):
    """The result: ``added`` beliefs are new, ``changed`` ones have new values."""

    added: tuple[Belief, ...] = ()
    changed: tuple[Belief, ...] = ()

    @property
    def superseded(self) -> tuple[str, ...]:
        """The ids of those that are not held any more."""
        return tuple(belief.id for belief in self.changed if belief.status == "superseded")


def sources_of(episode: Episode, said: Sequence[Statement], *, told: bool = False) -> list[Source]:
    """The statements of an episode, in their order, each with the day on which it was said."""
    return [
        Source(
            f"{episode.id}.{number}", statement, day_of(statement.moment or episode.at), told=told
        )
        for number, statement in enumerate(said, 1)
    ]


def day_of(moment: str) -> date:
    """The day of an ISO moment."""
    return date.fromisoformat(moment[:10])


def derive(
    beliefs: Sequence[Belief], sources: Iterable[Source], taken: Iterable[str] = ()
) -> Derived:
    """Derive beliefs from the sources; ``taken`` are ids that are in use."""
    store = _Beliefs(beliefs, taken)
    for source in sources:
        for text in _kept(source):
            store.hear(text, source)
    return store.result()


def _kept(source: Source) -> Iterator[str]:
    """What becomes a belief of a statement: all of it, or what asks to be kept."""
    if source.told:
        yield source.statement.text
    elif source.statement.origin == "user":
        yield from filter(asks_to_be_kept, map(str.strip, sentences_of(source.statement.text)))


class _Beliefs:
    """The beliefs while they are derived."""

    def __init__(self, beliefs: Sequence[Belief], taken: Iterable[str]) -> None:
        self._before = {belief.id: belief for belief in beliefs}
        self._now = dict(self._before)
        self._taken = {*taken, *self._before}
        self._by_words: dict[str, str] = {}
        for belief in beliefs:
            self._index(belief)

    def result(self) -> Derived:
        """What changed."""
        added = [belief for belief in self._now.values() if belief.id not in self._before]
        changed = (self._now[id] for id, belief in self._before.items() if self._now[id] != belief)
        return Derived(tuple(added), tuple(changed))

    def hear(self, text: str, source: Source) -> None:
        """Confirm what is held already, or had faded; add what is new. What was taken back is held again only if
        told."""
        known = self._now.get(self._by_words.get(_words_of(text), ""))
        if known and known.status == "archived":
            known = known.replaced(status="held")
        if known and known.status == "held":
            self._confirm(known, source)
        elif source.told or known is None:
            self._add(text, source)

    def _index(self, belief: Belief) -> None:
        """Note the words of a belief: what is said again is compared by them."""
        words = _words_of(belief.statement)
        known = self._now.get(self._by_words.get(words, ""))
        if known is None or known.status != "held":
            self._by_words[words] = belief.id

    def _add(self, text: str, source: Source) -> None:
        """Add a belief. What it replaces ends where its source is trusted as much; else both are held."""
        replaced = (self._now[id] for id in source.address.replaces if id in self._now)
        trusted = trust(source.statement.origin)
        over = [belief for belief in replaced if trusted >= trust(belief.origin)]
        made = self._new(text, source, overturns=bool(over))
        self._now[made.id] = made
        self._index(made)
        for belief in over:
            self._now[belief.id] = belief.replaced(
                status="superseded", until=source.day, by=made.id
            )

    def _confirm(self, belief: Belief, source: Source) -> None:
        """Add evidence, but only of a source that is trusted at least as much: trust is the lowest of all sources."""
        if source.reference in belief.derived_from:
            return
        if trust(source.statement.origin) < trust(belief.origin):
            return
        address = source.address
        self._now[belief.id] = belief.replaced(
            derived_from=Lineage((*belief.derived_from, source.reference)),
            since=min(belief.since, source.day),
            verified=max(belief.verified, source.day),
            weight=weighing.strengthened(belief.weight),
            tags=tuple(dict.fromkeys((*belief.tags, *address.tags))),
            subject=address.subject or belief.subject,
            attribute=address.attribute or belief.attribute,
            value=address.value or belief.value,
        )

    def _new(self, text: str, source: Source, *, overturns: bool) -> Belief:
        """A belief of one source."""
        id = id_for(text, self._taken)
        self._taken.add(id)
        address = source.address
        return Belief(
            id=id,
            statement=text,
            derived_from=Lineage((source.reference,)),
            origin=source.statement.origin,
            since=source.day,
            created=source.day,
            verified=source.day,
            weight=weighing.FIRST,
            significance=weighing.significance(overturns=overturns, told=source.told),
            tags=address.tags,
            subject=address.subject,
            attribute=address.attribute,
            value=address.value,
        )


def _words_of(text: str) -> str:
    """A statement as it is compared: its words in lower case, without the sign at its end."""
    return " ".join(text.casefold().split()).rstrip(".!。！")
