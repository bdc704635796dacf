"""Beliefs derived from what was said: added, confirmed, superseded; and what each rests on.

What the user tells to keep becomes a belief, and what asks for it by itself: a standing instruction, a preference;
word for word. Nothing is superseded but what the user names, and **only at equal or higher trust**: what a page or a
tool says stands beside the user's word, and ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Document
from hippocampus_cli.mind.beliefs import (
    FIRST,
    Belief,
    BeliefStore,
    Status,
    added,
    belief_of,
    trust,
    updated,
)
from hippocampus_cli.mind.episodes import EpisodeStore, Problem, Statement
from hippocampus_cli.mind.errors import EpisodesDamaged
from hippocampus_cli.mind.own_words import asks_to_be_kept
from hippocampus_cli.text.sentences import sentences_of
from hippocampus_cli.workspace.own_files import BELIEFS


class Address(NamedTuple):
    """What a statement says something of, and what; ``tags`` are names it is asked by, ``replaces`` ids of beliefs
    that it came instead of."""

    subject: str = ""
    attribute: str = ""
    value: str = ""
    tags: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()


class Quotation(NamedTuple):
    """A statement of an episode with its reference ``ep-….3``; with its ``address`` where somebody told to keep it as
    it is."""

    reference: str
    statement: Statement
    address: Address | None

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
        """Confirm what is held already, or had faded; add what is new. What was superseded or taken back is held
        again only if told. What it replaces ends where its source is trusted as much; else both are held."""
        known = self._now.get(self._by_words.get(_words_of(text), ""))
        address, trusted = source.address or Address(), trust(source.statement.origin)
        if known and (
            trusted < trust(known.origin)
            or source.reference in known.derived_from
            or not (source.address or known.status in ("held", "archived"))
        ):
            return
        replaced = (self._now[id] for id in address.replaces if id in self._now)
        over = [b for b in replaced if b is not known and trusted >= trust(b.origin)]
        new = _confirmed(known, source) if known else self._new(text, source, bool(over))
        self._now[new.id] = new.replaced(
            subject=address.subject or new.subject,
            attribute=address.attribute or new.attribute,
            value=address.value or new.value,
            tags=tuple(dict.fromkeys((*new.tags, *address.tags))),
        )
        self._index(new)
        for belief in over:
            self._now[belief.id] = belief.ended(source.day, new.id)

    def _index(self, belief: Belief) -> None:
        """Note the words of a belief: what is said again is compared by them."""
        words = _words_of(belief.statement)
        known = self._now.get(self._by_words.get(words, ""))
        if known is None or known.status != "held":
            self._by_words[words] = belief.id

    def _new(self, text: str, source: Quotation, overturns: bool) -> Belief:
        """A belief of one source."""
        id = metadata.free_id(metadata.slug(text) or "belief", self._taken)
        self._taken.add(id)
        told = source.address is not None
        return Belief(
            id=id,
            statement=text,
            derived_from=(source.reference,),
            origin=source.statement.origin,
            since=source.day,
            created=source.day,
            verified=source.day,
            weight=FIRST,
            significance=round(0.3 + 0.4 * overturns + 0.2 * told, 2),
        )


def _confirmed(belief: Belief, source: Quotation) -> Belief:
    """A belief with one more source that is trusted at least as much: trust is the lowest of all sources, but on the
    user's word it rests from then on alone. What was not held any more is held since then. Its weight goes halfway to
    1; retrieval changes nothing."""
    origin = source.statement.origin
    own = source.address is None or origin == belief.origin
    ended = belief.status in ("superseded", "retracted")
    return belief.replaced(
        status="held",
        until=None,
        by="",
        origin=belief.origin if own else origin,
        derived_from=(*(belief.derived_from if own else ()), source.reference),
        since=source.day if ended else min(belief.since, source.day),
        verified=max(belief.verified, source.day),
        weight=round((1 + belief.weight) / 2, 4),
    )


def _words_of(text: str) -> str:
    """A statement as it is compared: its words in lower case, without the sign at its end."""
    return " ".join(text.casefold().split()).rstrip(".!。！")


class Evidence(NamedTuple):
    """One source of a belief; ``text`` is None where it was redacted. ``place`` is ``file:lines``."""

    reference: str
    moment: str
    origin: str
    place: str
    session: str
    text: str | None


def evidence_for(belief: Belief, episodes: EpisodeStore) -> list[Evidence]:
    """Every source of a belief, the earliest first; of what cannot be found nothing but the reference."""
    found: list[Evidence] = []
    for reference in belief.derived_from:
        episode, said = episodes.resolve(reference)
        place = (episode.source, episode.session) if episode else ("", "")
        moment = said.moment if said else episode.at if episode else ""
        origin, text = (said.origin, said.text) if said else ("unknown", None)
        found.append(Evidence(reference, moment, origin, *place, text))
    return sorted(found, key=lambda evidence: evidence.moment)


def problems(root: Path, store: BeliefStore) -> Iterator[Problem]:
    """What is wrong with the episodes, and with the references of beliefs to them: sources that cannot be found, or
    read. Only the texts of cited episodes are read for these."""
    episodes = EpisodeStore(root)
    yield from episodes.verify()
    for located in store.document().entries:
        belief = belief_of(located)
        if belief is None:
            yield Problem(BELIEFS, located.line, f"{located.key}: it is derived from nothing")
            continue
        for reference in belief.derived_from:
            episode, said = None, None
            with suppress(EpisodesDamaged):
                episode, said = episodes.resolve(reference)
            if not (said or (episode and episode.id in episodes.redacted)):
                what = f"{belief.id}: its source {reference} is missing"
                yield Problem(BELIEFS, located.line, what)
