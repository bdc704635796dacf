"""What is held, asked in words: for ``hippo beliefs``, ``hippo why``, a question, and a check of a statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, hours_since, trust
from hippocampus_cli.mind.claims import claim_of, claims_in
from hippocampus_cli.mind.contradiction import How, conflict
from hippocampus_cli.mind.episodes import EpisodeStore
from hippocampus_cli.mind.weighing import decay
from hippocampus_cli.text.tokenizer import is_stop, stem_text


class Held(NamedTuple):
    """A belief as it is now: its decayed weight, and what it came instead of, the latest first."""

    belief: Belief
    weight: float
    before: tuple[Belief, ...]
    disputed_by: tuple[Belief, ...]


class Evidence(NamedTuple):
    """One source of a belief; ``text`` is None where it was redacted. ``place`` is ``file:lines``."""

    reference: str
    moment: str
    origin: str
    place: str
    session: str
    text: str | None


class Quote(NamedTuple):
    """One side of a contradiction."""

    text: str
    day: date | None
    origin: str
    id: str


class Contradiction(NamedTuple):
    """Two statements that cannot both hold, the later first."""

    now: Quote
    earlier: Quote
    how: How
    says_change: bool


def held_for(
    beliefs: Sequence[Belief], words: str, now: datetime, rate: float = 1.0, *, every: bool = False
) -> list[Held]:
    """The beliefs that share a word with ``words`` (all for none), best first; with ``every`` past ones too."""
    asked = _stems(words)
    found: list[tuple[float, Held]] = []
    for one in beliefs:
        if one.status != "held" and not every:
            continue
        common = asked & _stems(one.statement)
        before = _before(one, beliefs)
        common |= asked & {stem for old in before for stem in _stems(old.statement)}
        if asked and len(common) < (2 if len(asked) > 2 else 1):
            continue
        weight = decay(one.weight, hours_since(one.verified, now), one.significance, rate)
        against = tuple(b for b in beliefs if b.status == "disputed" and b.by == one.id)
        found.append((len(common) + weight, Held(one, round(weight, 3), before, against)))
    return [held for _, held in sorted(found, key=lambda pair: -pair[0])]


def _before(belief: Belief, beliefs: Sequence[Belief]) -> tuple[Belief, ...]:
    """What it superseded, and what that did."""
    found: list[Belief] = []
    todo = [belief.id]
    while todo:
        id = todo.pop()
        older = [
            one
            for one in beliefs
            if one.status == "superseded" and one.by == id and one not in found
        ]
        found += older
        todo += [one.id for one in older]
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))


def line_of(held: Held) -> str:
    """One line: *I prefer planes now. (since 2026-08-05; before: I prefer trains.)*"""
    since = f"since {held.belief.since.isoformat()}"
    before = f"; before: {held.before[0].statement}" if held.before else ""
    disputed = f"; disputed by: {held.disputed_by[0].statement}" if held.disputed_by else ""
    return f"{held.belief.statement} ({since}{before}{disputed})"


def evidence_for(belief: Belief, episodes: EpisodeStore) -> list[Evidence]:
    """Every source of a belief, the earliest first."""
    found: list[Evidence] = []
    for reference in belief.derived_from:
        resolved = episodes.resolve(reference)
        if resolved is None:
            found.append(Evidence(reference, "", "unknown", "", "", None))
            continue
        episode, said = resolved
        text = said.text if said else None
        moment = said.moment if said else episode.at
        origin = said.origin if said else "unknown"
        found.append(Evidence(reference, moment, origin, episode.source, episode.session, text))
    return sorted(found, key=lambda one: one.moment)


def unresolved(beliefs: Iterable[Belief], episodes: EpisodeStore) -> list[tuple[Belief, str]]:
    """Beliefs with a source that cannot be found."""
    known = {one.id: len(episodes.statements(one)) for one in episodes.all()}
    gone = episodes.redacted()
    return [
        (one, reference)
        for one in beliefs
        for reference in one.derived_from
        for id, _, number in [reference.partition(".")]
        if id not in known or (id not in gone and not 0 < int(number or 0) <= known[id])
    ]


def contradictions(
    text: str, beliefs: Sequence[Belief], day: date | None = None
) -> list[Contradiction]:
    """What ``text`` says against what is held; within the text too."""
    found: list[Contradiction] = []
    said = list(claims_in(text))
    sides = [
        (claim_of(one.statement), one) for one in beliefs if one.status in ("held", "disputed")
    ]
    sides = [(claim, one) for claim, one in sides if claim is not None]
    for at, claim in enumerate(said):
        now = Quote(claim.text, day, "", "")
        for earlier, belief in sorted(sides, key=lambda side: -trust(side[1].origin)):
            if clash := conflict(claim, earlier):  # type: ignore[arg-type]
                old = Quote(belief.statement, belief.since, belief.origin, belief.id)
                found.append(Contradiction(now, old, clash.how, clash.change))
        for other in said[:at]:
            if clash := conflict(claim, other):
                found.append(
                    Contradiction(now, Quote(other.text, day, "", ""), clash.how, clash.change)
                )
    return found


def standing(beliefs: Sequence[Belief]) -> list[Contradiction]:
    """Contradictions among what is held and disputed, across sessions."""
    found: list[Contradiction] = []
    living = [one for one in beliefs if one.status in ("held", "disputed")]
    for at, one in enumerate(living):
        claim = claim_of(one.statement)
        for other in living[:at]:
            earlier = claim_of(other.statement)
            if claim and earlier and (clash := conflict(claim, earlier)):
                found.append(Contradiction(_quote(one), _quote(other), clash.how, clash.change))
    return found


def _quote(belief: Belief) -> Quote:
    return Quote(belief.statement, belief.since, belief.origin, belief.id)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for stem in stem_text(text).split() if not is_stop(stem))
