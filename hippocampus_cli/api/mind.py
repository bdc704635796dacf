"""Episodes and beliefs of a workspace: what happened, and what is held true (MIND)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hippocampus_cli.api.turns import WorkspacePart, in_turn
from hippocampus_cli.context.originals import shown_place
from hippocampus_cli.context.transcripts import Format, Transcript
from hippocampus_cli.entries.tag import clean_tags
from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.checks import Diagnostic
from hippocampus_cli.maintenance.belief_history import recorded
from hippocampus_cli.mind.beliefs import Belief, BeliefStore
from hippocampus_cli.mind.derive import Address, Evidence, evidence_for, problems
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Statement
from hippocampus_cli.mind.gate import Refusal, meaning_of, refusals
from hippocampus_cli.mind.held import Contradiction, HeldBelief, contradicted_by, held_for, standing
from hippocampus_cli.mind.keep import Keeper, MindKept, Settled, notes_to_encode


@in_turn
class Mind(WorkspacePart):
    """What ``workspace.mind`` can do. An unknown id raises :class:`BeliefNotFound`, :class:`EpisodeNotFound`."""

    @property
    def _beliefs(self) -> BeliefStore:
        """What is held, as it is now."""
        return BeliefStore(self._root, self._timeout)

    @property
    def _episodes(self) -> EpisodeStore:
        """What was said, as it is now."""
        return EpisodeStore(self._root)

    def encode(self, path: str | Path | None = None, *, form: Format | None = None) -> MindKept:
        """Episodes and beliefs of what is new in a session's file, or without one in daily logs; encoding it again
        adds nothing.

        Raises :class:`FileUnreadable`, :class:`EpisodesDamaged`, :class:`RulesInvalid`, :class:`Busy`.
        """
        with self._keeping() as keeper:
            if path is None:
                return keeper.notes(notes_to_encode(self._root, self._config.scan))
            with Transcript(Path(path), form) as transcript:
                source = shown_place(self._root, str(Path(path).resolve()))
                return keeper.session(transcript, source, self._config.compaction)

    def believe(
        self,
        text: str,
        *,
        tags: Iterable[str] = (),
        subject: str = "",
        attribute: str = "",
        replaces: Iterable[str] = (),
    ) -> MindKept:
        """Hold a statement of the user's true, at once; ``tags`` are names that it is asked by. It may say of what
        ``subject`` and ``attribute`` it speaks, and what it ``replaces``: beliefs by their ids, or places as
        ``path:line``, which are outdated then.

        Raises :class:`UsageError`, :class:`WriteRefused`, :class:`NothingThere`; for places :class:`IndexNotFound`.
        """
        curation, replaces = self._workspace.curation, tuple(replaces)
        old = tuple(curation.held_at(replaces)) if replaces else ()  # refused before it is held
        address = Address(subject.strip(), attribute.strip(), tags=clean_tags(tags), replaces=old)
        lines = [place for place in replaces if ":" in place]
        if lines:
            self._workspace.index()  # without one nothing is marked
        with self._keeping() as keeper:
            kept = keeper.believe(text, address)
        if lines:
            curation.outdate(lines, who="user")
        return kept

    def episodes(self) -> list[Episode]:
        """Every episode, the oldest first. Raises :class:`EpisodesDamaged`."""
        return self._episodes.all()

    def statements(self, id: str) -> tuple[Statement, ...]:
        """What an episode says, line by line."""
        store = self._episodes
        return store.statements(store.get(id))

    def diagnostics(self) -> list[Diagnostic]:
        """Everything in the episodes that is not as it was written, and beliefs that do not lead to a source."""
        return [
            Diagnostic(line, "mind", what, path=path)
            for path, line, what, _ in problems(self._root, self._beliefs)
        ]

    def refusals(self) -> list[Refusal]:
        """What the gate refused, the oldest first: category, moment and source, no content."""
        return refusals(self._root)

    def beliefs(self, words: str = "", *, every: bool = False) -> list[HeldBelief]:
        """What is held, about ``words`` where they are given; with ``every`` also what was held."""
        return held_for(self._beliefs.all(), words, self._now, self._config.mind.rate, every=every)

    def why(self, id: str) -> tuple[Belief, list[Evidence]]:
        """A belief, and all that it rests on."""
        belief = self._beliefs.get(id)
        return belief, evidence_for(belief, self._episodes)

    def check(self, text: str = "") -> list[Contradiction]:
        """The beliefs of whose address ``text`` says something else; without one, addresses with several values."""
        beliefs = self._beliefs.all()
        return contradicted_by(text, beliefs) if text.strip() else standing(beliefs)

    def settle(self, id: str) -> Settled:
        """Have a statement stand: what conflicts with it does not hold any more."""
        with self._keeping() as keeper:
            return keeper.settle(id)

    def retract(self, id: str) -> Belief:
        """Take a belief back."""
        with self._keeping() as keeper:
            return keeper.retract(id)

    def archive(self) -> list[Belief]:
        """Put beliefs away that weigh next to nothing."""
        with self._keeping() as keeper:
            return keeper.archive(self._config.mind.rate)

    def keep_up(self) -> tuple[str, ...]:
        """What upkeep does: new logs are encoded, faded beliefs put away; what a person should know.

        Upkeep never fails for it.
        """
        try:
            kept, archived = self.encode(), self.archive()
        except HippoError as error:
            return (f"mind: the mind was left as it is: {error.message}",)
        counts = {
            "beliefs added": len(kept.added),
            "beliefs whose lines are gone": len(kept.left),
            "beliefs archived": len(archived),
        }
        line = ", ".join(f"{what}: {count}" for what, count in counts.items() if count)
        return (f"mind: {line}",) if line else ()

    @contextmanager
    def _keeping(self) -> Iterator[Keeper]:
        """What changes beliefs; what becomes of them within can be undone."""
        now = self._now
        with recorded(self._root, self._timeout, now):
            yield Keeper(self._root, now, self._timeout)
