"""The user's decision between beliefs: appended as an episode, then the beliefs are changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, Lineage, beliefs_of, updated
from hippocampus_cli.mind.claims import claim_of
from hippocampus_cli.mind.contradiction import conflict
from hippocampus_cli.mind.keep import Keeper
from hippocampus_cli.mind.weighing import strengthened

if TYPE_CHECKING:
    from hippocampus_cli.index.document import Document


class Settled(NamedTuple):
    """The belief that holds now, the episode that says so, and what it replaced."""

    belief: Belief
    episode: str
    superseded: tuple[str, ...]


def settle(keeper: Keeper, belief: Belief) -> Settled:
    """Confirm ``belief`` by the user's word; conflicting beliefs are superseded."""
    keeper.gate.require(belief.statement)
    episode = keeper.note(belief.statement, "settled", "+".join(belief.derived_from))
    today = keeper.now.date()

    def change(document: Document) -> tuple[Document, Settled]:
        beliefs = beliefs_of(document)
        # On the user's word it rests from now on; what was said by others is no part of it (the episode names that).
        earlier = belief.derived_from if belief.origin == "user" else ()
        stands = belief.replaced(
            status="held",
            until=None,
            by="",
            origin="user",
            derived_from=Lineage((*earlier, f"{episode.id}.1")),
            verified=today,
            weight=strengthened(belief.weight),
        )
        over = [one for one in beliefs if one.id != belief.id and _conflicts(one, belief)]
        fallen = [one.replaced(status="superseded", until=today, by=belief.id) for one in over]
        ids = tuple(one.id for one in fallen)
        return updated(document, [stands, *fallen]), Settled(stands, episode.id, ids)

    return keeper.beliefs.change(change)


def retract(keeper: Keeper, belief: Belief) -> Belief:
    """Retract ``belief`` by the user's word.

    Its id is noted, or where it came from: a rule of refusal that is newer than the belief may be against its words.
    """
    sources, said = "+".join(belief.derived_from), f"Not so any more: {belief.id}"
    if keeper.gate.category(said):
        said = f"Not so any more: {sources}"
    keeper.note(said, "retracted", sources)
    gone = belief.replaced(status="retracted", until=keeper.now.date())
    return keeper.beliefs.change(lambda document: (updated(document, [gone]), gone))


def _conflicts(one: Belief, other: Belief) -> bool:
    if one.status not in ("held", "disputed"):
        return False
    if one.by == other.id or other.by == one.id:
        return True
    first, second = claim_of(one.statement), claim_of(other.statement)
    return bool(first and second and (conflict(first, second) or conflict(second, first)))
