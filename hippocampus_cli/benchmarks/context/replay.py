"""A session replayed through a carrier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from hippocampus_cli.benchmarks.context.carrying import Carrier
from hippocampus_cli.benchmarks.context.sessions import SYSTEM, Session
from hippocampus_cli.benchmarks.context.values import FactKind


class Replayed(NamedTuple):
    """What a session cost and what was there when it was needed.

    ``tokens`` are carried over all turns: the window at the end of each, before anything of the turn fades, with the
    system prompt and what was fetched, which is ``brought``. ``needed``, ``verbatim``, ``fetched`` count uses by the
    kind of the fact.
    """

    turns: int
    tokens: int
    brought: int
    compactions: int
    needed: Counter[FactKind]
    verbatim: Counter[FactKind]
    fetched: Counter[FactKind]

    @property
    def average(self) -> float:
        """Tokens of the average window."""
        return self.tokens / max(1, self.turns)

    @property
    def share_verbatim(self) -> float | None:
        """Of the facts that were needed, those that stood in the window to the letter; None where none was."""
        return _share(self.verbatim, self.needed)

    @property
    def share_reached(self) -> float | None:
        """Those that stood there or were one fetch away."""
        return _share(self.verbatim + self.fetched, self.needed)


def replay(session: Session, carrier: Carrier) -> Replayed:
    """Each turn: what is needed is looked for, then the turn is heard, counted and over."""
    done = Replayed(len(session.turns), 0, 0, 0, Counter(), Counter(), Counter())
    carried = brought = 0
    for turn in session.turns:
        fetched = 0
        for fact in dict.fromkeys(use.fact for use in turn.uses):
            reach = carrier.reach(fact.text)
            done.needed[fact.kind] += 1
            done.verbatim[fact.kind] += reach.verbatim
            done.fetched[fact.kind] += not (reach.verbatim or reach.lost)
            fetched += reach.fetched
        carrier.hear(turn.messages)
        carried += SYSTEM + carrier.tokens + fetched
        brought += fetched
        carrier.settle()
    return done._replace(tokens=carried, brought=brought, compactions=carrier.compactions)


def together(replays: Iterable[Replayed]) -> Replayed:
    """Several sessions as one."""
    columns = list(zip(*replays, strict=True))
    turns, carried, brought, compactions = (sum(column) for column in columns[:4])
    needed, verbatim, fetched = (sum(column, Counter[FactKind]()) for column in columns[4:])
    return Replayed(turns, carried, brought, compactions, needed, verbatim, fetched)


def _share(part: Counter[FactKind], whole: Counter[FactKind]) -> float | None:
    return part.total() / whole.total() if whole else None
