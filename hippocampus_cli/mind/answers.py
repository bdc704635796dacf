"""Why something is believed, and what contradicts it: for ``hippo why`` and ``hippo mind check``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.beliefs import Belief, BeliefStore, trust
from hippocampus_cli.mind.claims import claim_of, claims_in
from hippocampus_cli.mind.contradiction import How, conflict
from hippocampus_cli.mind.episodes import Episode, EpisodeStore
from hippocampus_cli.mind.errors import EpisodesDamaged
from hippocampus_cli.mind.held import held_for
from hippocampus_cli.workspace.fence import Piece

if TYPE_CHECKING:
    from hippocampus_cli.mind.reconsolidation import LanguageModel


_ASKED = 5  # beliefs about a text, at most
_LONGEST = 2_000  # characters of it
_CONTRADICTS = (
    "Can the belief and what the text says not both be true of the same thing at the same time? Answer"
    " contradicts=true only if they cannot; a text that speaks of something else contradicts nothing."
)


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

    @property
    def line(self) -> str:
        """Both, with their days: ``“I prefer planes.” (2026-07-09) against “I prefer trains.” (2026-07-02, user)``"""
        said = ", ".join(str(one) for one in (self.earlier.day, self.earlier.origin) if one)
        return f"“{self.now.text}” ({self.now.day}) against “{self.earlier.text}” ({said})"


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


def unresolved(beliefs: Sequence[Belief], episodes: EpisodeStore) -> list[tuple[Belief, str]]:
    """Beliefs with a source that cannot be found, or read. Only the texts of cited episodes are read."""
    cited = {reference.partition(".")[0] for one in beliefs for reference in one.derived_from}
    known = {one.id: _counted(episodes, one) for one in episodes.all() if one.id in cited}
    gone = episodes.redacted()
    return [
        (one, reference)
        for one in beliefs
        for reference in one.derived_from
        for id, _, number in [reference.partition(".")]
        if id not in known or (id not in gone and not _is_one_of(number, known[id]))
    ]


def _counted(episodes: EpisodeStore, episode: Episode) -> int:
    """How many statements an episode has; 0 if its text cannot be read."""
    try:
        return len(episodes.statements(episode))
    except EpisodesDamaged:
        return 0


def _is_one_of(number: str, count: int) -> bool:
    return number.isdecimal() and 0 < int(number) <= count


def contradictions(
    text: str, beliefs: Sequence[Belief], day: date | None = None
) -> list[Contradiction]:
    """Contradictions between ``text`` and the beliefs, and within the text."""
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


def in_other_words(
    text: str, beliefs: Sequence[Belief], model: LanguageModel, day: date
) -> list[Contradiction]:
    """Contradictions between ``text`` and ``beliefs`` that a language model sees and no pattern compares.

    It may be wrong: both quotes are shown, and nothing follows from it. Raises :class:`ModelFailed`.
    """
    from hippocampus_cli.mind.reconsolidation import schema_of

    schema, found = schema_of(contradicts="boolean"), []
    for belief in beliefs[:_ASKED]:
        pieces = [Piece("belief", belief.statement), Piece("text", text[:_LONGEST])]
        if model.ask(_CONTRADICTS, pieces, schema)["contradicts"] is True:
            old = Quote(belief.statement, belief.since, belief.origin, belief.id)
            now = Quote(" ".join(text[:_LONGEST].split()), day, "", "")
            found.append(Contradiction(now, old, "in other words", False))
    return found


def contradicted(root: Path, text: str, day: date) -> Contradiction | None:
    """What ``text`` says against the beliefs of a workspace, the most trusted first; they are read only where it
    claims something."""
    if not any(claims_in(text)):
        return None
    found = contradictions(text, BeliefStore(root, 1.0).all(), day)
    return next((one for one in found if one.earlier.id), None)


def standing(beliefs: Sequence[Belief]) -> list[Contradiction]:
    """Contradictions among held and disputed beliefs, across sessions."""
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


def check(
    text: str, beliefs: Sequence[Belief], now: datetime, model: LanguageModel | None
) -> list[Contradiction]:
    """What ``text`` says against ``beliefs``; without one, which of them are disputed against each other.

    A ``model`` is asked of what no pattern compares.
    """
    if not text.strip():
        return standing(beliefs)
    contradicting = contradictions(text, beliefs, now.date())
    if model is None:
        return contradicting
    known = {contradiction.earlier.id for contradiction in contradicting}
    about = [held.belief for held in held_for(beliefs, text, now)]
    others = [belief for belief in about if belief.id not in known]
    return contradicting + in_other_words(text, others, model, now.date())
