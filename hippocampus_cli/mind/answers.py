"""Why something is believed, what contradicts it by its address, and what is wrong with its sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Problem
from hippocampus_cli.mind.errors import EpisodesDamaged
from hippocampus_cli.text.terms import terms
from hippocampus_cli.workspace.own_files import BELIEFS


class Evidence(NamedTuple):
    """One source of a belief; ``text`` is None where it was redacted. ``place`` is ``file:lines``."""

    reference: str
    moment: str
    origin: str
    place: str
    session: str
    text: str | None


class Contradiction(NamedTuple):
    """A belief, and another value of its address: of a later belief, or of a text (``id`` is empty then)."""

    belief: Belief
    text: str
    id: str = ""


def evidence_for(belief: Belief, episodes: EpisodeStore) -> list[Evidence]:
    """Every source of a belief, the earliest first."""
    found = [_evidence(reference, episodes) for reference in belief.derived_from]
    return sorted(found, key=lambda evidence: evidence.moment)


def _evidence(reference: str, episodes: EpisodeStore) -> Evidence:
    """What a reference leads to; of what cannot be found nothing but the reference."""
    resolved = episodes.resolve(reference)
    if resolved is None:
        return Evidence(reference, "", "unknown", "", "", None)
    episode, said = resolved
    if said is None:
        return Evidence(reference, episode.at, "unknown", episode.source, episode.session, None)
    moment = said.moment or episode.at
    return Evidence(reference, moment, said.origin, episode.source, episode.session, said.text)


def unresolved(beliefs: Sequence[Belief], episodes: EpisodeStore) -> list[tuple[Belief, str]]:
    """Beliefs with a source that cannot be found, or read. Only the texts of cited episodes are read."""
    cited = {reference.partition(".")[0] for b in beliefs for reference in b.derived_from}
    counts = {e.id: _counted(episodes, e) for e in episodes.all() if e.id in cited}
    gone = episodes.redacted()

    def resolves(reference: str) -> bool:
        id, _, number = reference.partition(".")
        there = number.isdecimal() and 0 < int(number) <= counts.get(id, 0)
        return there or (id in counts and id in gone)

    return [
        (belief, reference)
        for belief in beliefs
        for reference in belief.derived_from
        if not resolves(reference)
    ]


def _counted(episodes: EpisodeStore, episode: Episode) -> int:
    """How many statements an episode has; 0 if its text cannot be read."""
    try:
        return len(episodes.statements(episode))
    except EpisodesDamaged:
        return 0


def problems(root: Path, store: BeliefStore) -> Iterator[Problem]:
    """What is wrong with the episodes, and with the references of beliefs to them."""
    episodes = EpisodeStore(root)
    yield from episodes.verify()
    document = store.document()
    lines = {located.key: located.line for located in document.entries}
    beliefs = {belief.id: belief for belief in beliefs_of(document)}
    for belief, reference in unresolved([*beliefs.values()], episodes):
        yield Problem(BELIEFS, lines[belief.id], f"{belief.id}: its source {reference} is missing")
    for id in lines.keys() - beliefs.keys():
        yield Problem(BELIEFS, lines[id], f"{id}: it is derived from nothing")


def standing(beliefs: Sequence[Belief]) -> list[Contradiction]:
    """Held beliefs with the same address and other values; the later against the earlier."""
    by_address: defaultdict[tuple[str, str], list[Belief]] = defaultdict(list)
    for belief in sorted(beliefs, key=lambda belief: belief.since):
        if belief.status == "held" and belief.address:
            by_address[belief.address].append(belief)
    return [
        Contradiction(earlier, later.statement, later.id)
        for same in by_address.values()
        for earlier, later in combinations(same, 2)
        if earlier.said != later.said
    ]


def contradicted_by(text: str, beliefs: Sequence[Belief]) -> list[Contradiction]:
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
