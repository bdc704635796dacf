"""Beliefs of very low weight are put away: they stay in the file, are not held, and can be restored."""

from __future__ import annotations

from datetime import datetime

from hippocampus_cli.mind.beliefs import Belief, BeliefStore, hours_since
from hippocampus_cli.mind.errors import BeliefNotFound
from hippocampus_cli.mind.weighing import ARCHIVE_BELOW, decay


def faded(store: BeliefStore, now: datetime, rate: float) -> list[Belief]:
    """What is held and weighs next to nothing."""
    return [belief for belief in store.held() if _is_faded(belief, now, rate)]


def _is_faded(belief: Belief, now: datetime, rate: float) -> bool:
    """Whether it is due for the archive."""
    hours = hours_since(belief.verified, now)
    return decay(belief.weight, hours, belief.significance, rate) < ARCHIVE_BELOW


def archive_faded(store: BeliefStore, now: datetime, rate: float) -> list[Belief]:
    """Archive what has faded; the beliefs."""
    ids = [belief.id for belief in faded(store, now, rate)]
    return store.revise(ids, lambda belief: belief.replaced(status="archived"))


def restore(store: BeliefStore, id: str, now: datetime) -> Belief:
    """Hold an archived belief again, verified today. Raises :class:`BeliefNotFound`."""
    if store.get(id).status != "archived":
        raise BeliefNotFound(id=id)

    def back(belief: Belief) -> Belief:
        return belief.replaced(status="held", verified=now.date(), weight=max(belief.weight, 0.5))

    return store.revise([id], back)[0]
