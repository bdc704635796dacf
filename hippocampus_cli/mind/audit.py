"""Which sources beliefs have, and whether all of them exist."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.answers import unresolved
from hippocampus_cli.mind.beliefs import ARCHIVED, BeliefStore
from hippocampus_cli.mind.episodes import EpisodeStore, Problem
from hippocampus_cli.mind.fade import is_faded


class Audit(NamedTuple):
    """Counts. ``single_source`` have one source; ``on_own_answers`` have only words of an assistant or
    another memory as sources (confirmation drift)."""

    episodes: int
    beliefs: dict[str, int]
    origins: dict[str, int]
    single_source: int
    on_own_answers: int
    drift: float
    fading: int
    archived: int
    due: int
    unresolved: int
    refused: dict[str, int]


def audit(root: Path, store: BeliefStore, now: datetime, rate: float) -> Audit:
    """The audit of a workspace."""
    from hippocampus_cli.mind.gate import refusals

    episodes, beliefs = EpisodeStore(root), store.all()
    held = [one for one in beliefs if one.status == "held"]
    drifted = [one for one in held if one.origin in ("assistant", "import", "unknown")]
    return Audit(
        episodes=len(episodes.all()),
        beliefs=dict(Counter(one.status for one in beliefs)),
        origins=dict(Counter(one.origin for one in held)),
        single_source=sum(len(one.derived_from) == 1 for one in held),
        on_own_answers=len(drifted),
        drift=round(len(drifted) / len(held), 3) if held else 0.0,
        fading=sum(is_faded(one, now, rate) for one in held),
        archived=len(BeliefStore(root, 1.0, ARCHIVED).all()),
        due=sum(one.due is not None for one in held),
        unresolved=len(unresolved(beliefs, episodes)),
        refused=dict(Counter(one.category for one in refusals(root))),
    )


def problems(root: Path, store: BeliefStore) -> list[Problem]:
    """What is wrong with the episodes, and with the references of beliefs to them."""
    episodes = EpisodeStore(root)
    wrong = episodes.verify()
    lines = {one.key: one.line for one in store.document().entries}
    for belief, reference in unresolved(store.all(), episodes):
        what = f"{belief.id}: its source {reference} is missing"
        wrong.append(Problem(store.path, lines[belief.id], what))
    for entry in store.unsupported():
        wrong.append(Problem(store.path, entry.line, f"{entry.key}: it is derived from nothing"))
    return wrong
