"""Episodes and beliefs of a workspace: what happened, and what is held true (MIND)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.opened import Opened
from hippocampus_cli.api.turns import in_turn
from hippocampus_cli.errors import HippoError
from hippocampus_cli.mind.answers import Contradiction, Evidence, check, evidence_for
from hippocampus_cli.mind.audit import Audit, audit, problems
from hippocampus_cli.mind.beliefs import Belief, BeliefStore
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Problem, Statement
from hippocampus_cli.mind.erase import redact
from hippocampus_cli.mind.errors import EpisodeNotFound
from hippocampus_cli.mind.fade import archive_faded, restore
from hippocampus_cli.mind.gate import Refusal, meaning_of, open_gate, refusals
from hippocampus_cli.mind.held import Held, held_for
from hippocampus_cli.mind.reconsolidation import Review, Reviewer, versions, waits
from hippocampus_cli.mind.settle import Settled, retract, settle

if TYPE_CHECKING:
    from hippocampus_cli.connector.model import Model
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.mind.keep import Keeper, Kept


@in_turn
class Mind:
    """What ``workspace.mind`` can do. An unknown id raises :class:`BeliefNotFound`, :class:`EpisodeNotFound`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._root = opened.root
        self._timeout = opened.config.lock.timeout_seconds
        self._episodes = EpisodeStore(opened.root)
        self._beliefs = BeliefStore(opened.root, self._timeout)

    def encode(
        self, path: str | Path, *, form: Format | None = None, now: datetime | None = None
    ) -> Kept:
        """Episodes and beliefs of what is new in a session's file; encoding it again adds nothing.

        Raises :class:`FileUnreadable`, :class:`EpisodesDamaged`, :class:`RulesInvalid`, :class:`Busy`.
        """
        from hippocampus_cli.context.originals import shown_place
        from hippocampus_cli.context.transcripts import Transcript

        settings = self._opened.config.compaction
        with Transcript(Path(path), form) as transcript, self._undoable(now):
            source = shown_place(self._root, str(Path(path).resolve()))
            return self._keeper(now).session(transcript, source, settings)

    def encode_notes(self, *, now: datetime | None = None) -> Kept:
        """Episodes and beliefs of what is new in daily logs and core files: those first, what they say without a date
        is the oldest. Raises as :meth:`encode`."""
        from hippocampus_cli.mind.keep import notes_to_encode

        with self._undoable(now):
            notes, first = notes_to_encode(self._root, self._opened.config.scan)
            return self._keeper(now).logs(notes, first)

    def believe(self, text: str, *, tags: Iterable[str] = (), now: datetime | None = None) -> Kept:
        """Hold a statement of the user's true, at once; ``tags`` are names that it is asked by.

        Raises :class:`UsageError`, :class:`WriteRefused`.
        """
        from hippocampus_cli.entries.tag import clean_tags

        with self._undoable(now):
            return self._keeper(now).believe(text, clean_tags(tags))

    def episodes(self) -> list[Episode]:
        """Every episode, the oldest first. Raises :class:`EpisodesDamaged`."""
        return self._episodes.all()

    def statements(self, id: str) -> tuple[Statement, ...]:
        """What an episode says, line by line."""
        episode = self._episodes.find(id)
        if episode is None:
            raise EpisodeNotFound(id=id)
        return self._episodes.statements(episode)

    def verify(self) -> list[Problem]:
        """Everything in the episodes that is not as it was written, and beliefs that do not lead to a source."""
        return problems(self._root, self._beliefs)

    def redact(self, id: str, *, now: datetime | None = None) -> Episode:
        """Empty the text of an episode; its record and the chain stay."""
        return redact(self._root, id, self._opened.moment(now), self._timeout)

    def refusals(self) -> list[Refusal]:
        """What the gate refused, the oldest first: category, moment and source, no content."""
        return refusals(self._root)

    def beliefs(
        self, words: str = "", *, every: bool = False, now: datetime | None = None
    ) -> list[Held]:
        """What is held, about ``words`` where they are given; with ``every`` also what was held."""
        rate, moment = self._opened.config.mind.rate, self._opened.moment(now)
        return held_for(self._beliefs.all(), words, moment, rate, every=every)

    def why(self, id: str) -> tuple[Belief, list[Evidence]]:
        """A belief, and all that it rests on."""
        belief = self._beliefs.get(id)
        return belief, evidence_for(belief, self._episodes)

    def check(self, text: str = "", *, now: datetime | None = None) -> list[Contradiction]:
        """What ``text`` says against what is held; without one, what is held and disputed against each other.

        Where the environment names a language model, it is asked of what no pattern compares: what it says is marked
        *in other words*. Raises :class:`ModelFailed`, :class:`EmbedderUnavailable` for a model that is named wrongly.
        """
        moment = self._opened.moment(now)
        model = self._model(moment) if text.strip() else None
        return check(text, self._beliefs.all(), moment, model)

    def settle(self, id: str, *, now: datetime | None = None) -> Settled:
        """Have a statement stand: what conflicts with it does not hold any more."""
        with self._undoable(now):
            return settle(self._keeper(now), self._beliefs.get(id))

    def retract(self, id: str, *, now: datetime | None = None) -> Belief:
        """Take a belief back."""
        with self._undoable(now):
            return retract(self._keeper(now), self._beliefs.get(id))

    def audit(self, *, now: datetime | None = None) -> Audit:
        """What rests on what: how many beliefs, on whose word, on how much, how many fade."""
        rate, moment = self._opened.config.mind.rate, self._opened.moment(now)
        return audit(self._root, self._beliefs, moment, rate)

    def review(
        self,
        *,
        dry_run: bool = False,
        edit: Callable[[str], str] | None = None,
        now: datetime | None = None,
    ) -> tuple[list[Review], str]:
        """Review the beliefs that were retrieved since: restated where three checks allow it, else kept.

        ``edit`` is given what would be restated, as a diff; what it leaves there is kept.
        The second is the name of the model that was asked, empty for none: then nothing is restated. Raises
        :class:`ModelFailed`, :class:`EmbedderUnavailable` where the environment names a model wrongly.
        """
        moment = self._opened.moment(now)
        model = self._model(moment)
        reviewer = Reviewer(self._root, self._beliefs, open_gate(self._root), model, moment)
        with self._undoable(moment):
            reviews = reviewer.drain(dry_run=dry_run, edit=edit)
        return reviews, model.name if model else ""

    def versions(self, id: str) -> str:
        """The earlier versions of a belief; empty for none."""
        return versions(self._root, self._beliefs.get(id).id)

    def archive(self, *, dry_run: bool = False, now: datetime | None = None) -> list[Belief]:
        """Put beliefs away that weigh next to nothing, whatever their status."""
        rate, moment = self._opened.config.mind.rate, self._opened.moment(now)
        with self._undoable(now):
            return archive_faded(self._root, moment, self._timeout, rate, dry_run=dry_run)

    def restore(self, id: str, *, now: datetime | None = None) -> Belief:
        """Bring a belief back from the archive."""
        with self._undoable(now):
            return restore(self._root, id, self._opened.moment(now), self._timeout)

    def keep_up(self, *, dry_run: bool = False, now: datetime | None = None) -> tuple[str, ...]:
        """What upkeep does: new logs are encoded, beliefs reviewed, faded ones put away; what a person should know.

        Upkeep never fails for it.
        """
        try:
            counts = self._foreseen(now) if dry_run else self._kept_up(now)
        except HippoError as error:
            return (f"mind: the mind was left as it is: {error.message}",)
        line = ", ".join(f"{what}: {count}" for what, count in counts.items() if count)
        return (f"mind: {line}",) if line else ()

    def _kept_up(self, now: datetime | None) -> dict[str, int]:
        kept = self.encode_notes(now=now)
        reviews, _ = self.review(now=now)
        return {
            "beliefs superseded": len(kept.superseded),
            "beliefs disputed": len(kept.disputed),
            "beliefs restated (hippo why ID)": sum(
                review.outcome == "restated" for review in reviews
            ),
            "beliefs archived": len(self.archive(now=now)),
        }

    def _foreseen(self, now: datetime | None) -> dict[str, int]:
        """The same, of what would be done."""
        from hippocampus_cli.mind.keep import notes_to_encode

        notes, first = notes_to_encode(self._root, self._opened.config.scan)
        keeper = self._keeper(now)
        return {
            "notes to encode": sum(bool(keeper.unread(note, first)) for note in notes),
            "beliefs to review": sum(map(waits, self._beliefs.all())),
            "beliefs to archive": len(self.archive(dry_run=True, now=now)),
        }

    def _model(self, now: datetime) -> Model | None:
        """The language model that the environment names."""
        if not self._opened.environ.get("HIPPO_MIND_MODEL"):
            return None  # what speaks to servers is not loaded
        from hippocampus_cli.connector.model import model_in

        return model_in(self._opened.environ, self._root, now.date())

    def _undoable(self, now: datetime | None) -> AbstractContextManager[None]:
        """What becomes of beliefs within can be undone."""
        from hippocampus_cli.maintenance.belief_history import recorded

        return recorded(self._root, self._timeout, self._opened.moment(now))

    def _keeper(self, now: datetime | None) -> Keeper:
        from hippocampus_cli.mind.keep import Keeper

        return Keeper(self._root, self._opened.moment(now), self._timeout)
