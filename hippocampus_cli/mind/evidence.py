"""Why something is believed, and what is wrong with its sources."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, beliefs_of
from hippocampus_cli.mind.episodes import EpisodeStore, Problem
from hippocampus_cli.mind.errors import EpisodesDamaged
from hippocampus_cli.workspace.own_files import BELIEFS


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


def unresolved(beliefs: Sequence[Belief], episodes: EpisodeStore) -> list[tuple[Belief, str]]:
    """Beliefs with a source that cannot be found, or read. Only the texts of cited episodes are read."""
    gone = episodes.redacted()

    def is_found(reference: str) -> bool:
        with contextlib.suppress(EpisodesDamaged):
            episode, said = episodes.resolve(reference)
            return bool(said or (episode and episode.id in gone))
        return False

    return [
        (b, reference) for b in beliefs for reference in b.derived_from if not is_found(reference)
    ]


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
