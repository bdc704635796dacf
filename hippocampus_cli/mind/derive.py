"""Beliefs derived from what was said: added, confirmed, superseded. Pure.

What the user tells to keep becomes a belief, and what asks for it by itself: a standing instruction, a preference;
word for word. Nothing is superseded but what the user names, and **only at equal or higher trust**: what a page or a
tool says stands beside the user's word, and ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import free_id
from hippocampus_cli.mind import weighing
from hippocampus_cli.mind.beliefs import Belief, Lineage, Status, added, trust, updated
from hippocampus_cli.mind.episodes import Statement
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

    @property
    def named(self) -> dict[str, Any]:
        """What is given of it, as fields of a belief."""
        fields = zip(self._fields, self[:-1], strict=False)
        return {name: value for name, value in fields if value}


class Quotation(NamedTuple):
    """A statement of an episode with its reference ``ep-….3``; with its ``address`` where somebody told to keep it as
    it is."""

    reference: str
    statement: Statement
    address: Address | None = None

    @property
    def day(self) -> date:
        """When it was said."""
        return date.fromisoformat(self.statement.moment[:10])


class Derived(NamedTuple):
    """The result: ``added`` beliefs are new, ``changed`` ones have new values."""

    added: tuple[Belief, ...] = ()
    changed: tuple[Belief, ...] = ()

    def ids(self, status: Status) -> tuple[str, ...]:
        """The ids of the changed ones that have this status now."""
        return tuple(belief.id for belief in self.changed if belief.status == status)

    def written(self, document: Document, paths: Mapping[str, str]) -> Document:
        """The document with the result; ``paths`` are where episodes' texts lie, by id."""
        return updated(added(document, self.added, paths), self.changed)


def derive(
    beliefs: Sequence[Belief], sources: Iterable[Quotation], taken: Iterable[str] = ()
) -> Derived:
    """Derive beliefs from the sources; ``taken`` are ids that are in use."""
    store = _Beliefs(beliefs, taken)
    for source in sources:
        for text in _kept(source):
            store.hear(text, source)
    return store.result()


def _kept(source: Quotation) -> Iterator[str]:
    """What becomes a belief of a statement: all of it, or what asks to be kept."""
    if source.address:
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

    def hear(self, text: str, source: Quotation) -> None:
        """Confirm what is held already, or had faded; add what is new. What was taken back is held again only if
        told."""
        known = self._now.get(self._by_words.get(_words_of(text), ""))
        if known and known.status == "archived":
            known = known.replaced(status="held")
        if known and known.status == "held":
            self._confirm(known, source)
        elif source.address or known is None:
            self._add(text, source)

    def _index(self, belief: Belief) -> None:
        """Note the words of a belief: what is said again is compared by them."""
        words = _words_of(belief.statement)
        known = self._now.get(self._by_words.get(words, ""))
        if known is None or known.status != "held":
            self._by_words[words] = belief.id

    def _add(self, text: str, source: Quotation) -> None:
        """Add a belief. What it replaces ends where its source is trusted as much; else both are held."""
        address = source.address or Address()
        replaced = (self._now[id] for id in address.replaces if id in self._now)
        trusted = trust(source.statement.origin)
        over = [belief for belief in replaced if trusted >= trust(belief.origin)]
        made = self._new(text, source, address, overturns=bool(over))
        self._now[made.id] = made
        self._index(made)
        for belief in over:
            self._now[belief.id] = belief.ended(source.day, made.id)

    def _confirm(self, belief: Belief, source: Quotation) -> None:
        """Add evidence, but only of a source that is trusted at least as much: trust is the lowest of all sources."""
        trusted = trust(source.statement.origin) >= trust(belief.origin)
        if source.reference in belief.derived_from or not trusted:
            return
        address = source.address or Address()
        self._now[belief.id] = belief.replaced(
            derived_from=Lineage((*belief.derived_from, source.reference)),
            since=min(belief.since, source.day),
            verified=max(belief.verified, source.day),
            weight=weighing.strengthened(belief.weight),
            **{**address.named, "tags": tuple(dict.fromkeys((*belief.tags, *address.tags)))},
        )

    def _new(self, text: str, source: Quotation, address: Address, *, overturns: bool) -> Belief:
        """A belief of one source."""
        id = free_id(metadata.slug(text) or "belief", self._taken)
        self._taken.add(id)
        return Belief(
            id=id,
            statement=text,
            derived_from=Lineage((source.reference,)),
            origin=source.statement.origin,
            since=source.day,
            created=source.day,
            verified=source.day,
            weight=weighing.FIRST,
            significance=weighing.significance(
                overturns=overturns, told=source.address is not None
            ),
            **address.named,
        )


def _words_of(text: str) -> str:
    """A statement as it is compared: its words in lower case, without the sign at its end."""
    return " ".join(text.casefold().split()).rstrip(".!。！")
