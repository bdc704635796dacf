"""The user's decision between beliefs: appended as an episode, then the beliefs are changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, Lineage, beliefs_of, updated
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
    """Confirm ``belief`` by the user's word; the others of its address are superseded."""
    episode = keeper.note(belief.statement, "settled", "+".join(belief.derived_from))
    today = keeper.now.date()

    def change(document: Document) -> tuple[Document, Settled]:
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
        over = [other for other in beliefs_of(document) if _is_against(other, belief)]
        ended = [b.replaced(status="superseded", until=today, by=belief.id) for b in over]
        ids = tuple(other.id for other in over)
        return updated(document, [stands, *ended]), Settled(stands, episode.id, ids)

    return keeper.beliefs.change(change)


def retract(keeper: Keeper, belief: Belief) -> Belief:
    """Retract ``belief`` by the user's word.

    Its id is noted, or where it came from: a rule of refusal that is newer than the belief may be against its words.
    """
    sources, said = "+".join(belief.derived_from), f"Not so any more: {belief.id}"
    if keeper.gate.category(said):
        said = f"Not so any more: {sources}"
    keeper.note(said, "retracted", sources)
    today = keeper.now.date()
    return keeper.beliefs.revise(
        [belief.id], lambda known: known.replaced(status="retracted", until=today)
    )[0]


def _is_against(other: Belief, belief: Belief) -> bool:
    """Whether a belief cannot hold beside one that was settled."""
    other_one = other.status == "held" and other.id != belief.id
    return other_one and belief.address is not None and other.address == belief.address
