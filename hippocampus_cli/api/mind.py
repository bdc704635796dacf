"""Episodes and beliefs of a workspace: what happened, and what is held true (MIND)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.opened import Opened
from hippocampus_cli.api.turns import in_turn
from hippocampus_cli.errors import HippoError
from hippocampus_cli.mind.gate import meaning_of

if TYPE_CHECKING:
    from hippocampus_cli.connector.model import Model
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.mind.answers import Contradiction, Evidence
    from hippocampus_cli.mind.audit import Audit
    from hippocampus_cli.mind.beliefs import Belief, BeliefStore
    from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Problem, Statement
    from hippocampus_cli.mind.gate import Refusal
    from hippocampus_cli.mind.held import Held
    from hippocampus_cli.mind.keep import Keeper, Kept
    from hippocampus_cli.mind.reconsolidation import Review
    from hippocampus_cli.mind.settle import Settled


@in_turn
class Mind:
    """What ``workspace.mind`` can do. An unknown id raises :class:`BeliefNotFound`, :class:`EpisodeNotFound`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._root = opened.root
        self._timeout = opened.config.lock.timeout_seconds

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
        return self._episodes().all()

    def statements(self, id: str) -> tuple[Statement, ...]:
        """What an episode says, line by line."""
        from hippocampus_cli.mind.errors import EpisodeNotFound

        episode = self._episodes().find(id)
        if episode is None:
            raise EpisodeNotFound(id=id)
        return self._episodes().statements(episode)

    def verify(self) -> list[Problem]:
        """Everything in the episodes that is not as it was written, and beliefs that do not lead to a source."""
        from hippocampus_cli.mind.audit import problems

        return problems(self._root, self._store())

    def redact(self, id: str, *, now: datetime | None = None) -> Episode:
        """Empty the text of an episode; its record and the chain stay."""
        from hippocampus_cli.mind.erase import redact

        return redact(self._root, id, self._opened.moment(now), self._timeout)

    def refusals(self) -> list[Refusal]:
        """What the gate refused, the oldest first: category, moment and source, no content."""
        from hippocampus_cli.mind.gate import refusals

        return refusals(self._root)

    def beliefs(
        self, words: str = "", *, every: bool = False, now: datetime | None = None
    ) -> list[Held]:
        """What is held, about ``words`` where they are given; with ``every`` also what was held."""
        from hippocampus_cli.mind.held import held_for

        rate, moment = self._opened.config.mind.rate, self._opened.moment(now)
        return held_for(self._store().all(), words, moment, rate, every=every)

    def why(self, id: str) -> tuple[Belief, list[Evidence]]:
        """A belief, and all that it rests on."""
        from hippocampus_cli.mind.answers import evidence_for

        belief = self._store().get(id)
        return belief, evidence_for(belief, self._episodes())

    def check(self, text: str = "", *, now: datetime | None = None) -> list[Contradiction]:
        """What ``text`` says against what is held; without one, what is held and disputed against each other.

        Where the environment names a language model, it is asked of what no pattern compares: what it says is marked
        *in other words*. Raises :class:`ModelFailed`, :class:`EmbedderUnavailable` for a model that is named wrongly.
        """
        from hippocampus_cli.mind.answers import check

        moment = self._opened.moment(now)
        model = self._model(moment) if text.strip() else None
        return check(text, self._store().all(), moment, model)

    def settle(self, id: str, *, now: datetime | None = None) -> Settled:
        """Have a statement stand: what conflicts with it does not hold any more."""
        from hippocampus_cli.mind.settle import settle

        with self._undoable(now):
            return settle(self._keeper(now), self._store().get(id))

    def retract(self, id: str, *, now: datetime | None = None) -> Belief:
        """Take a belief back."""
        from hippocampus_cli.mind.settle import retract

        with self._undoable(now):
            return retract(self._keeper(now), self._store().get(id))

    def audit(self, *, now: datetime | None = None) -> Audit:
        """What rests on what: how many beliefs, on whose word, on how much, how many fade."""
        from hippocampus_cli.mind.audit import audit

        rate, moment = self._opened.config.mind.rate, self._opened.moment(now)
        return audit(self._root, self._store(), moment, rate)

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
        from hippocampus_cli.mind.gate import open_gate
        from hippocampus_cli.mind.reconsolidation import Reviewer, as_diff, from_diff

        def choose(reviews: Sequence[Review]) -> Mapping[str, str]:
            return from_diff(edit(as_diff(reviews))) if edit else {}

        moment = self._opened.moment(now)
        model = self._model(moment)
        reviewer = Reviewer(self._root, self._store(), open_gate(self._root), model, moment)
        with self._undoable(moment):
            reviews = reviewer.drain(dry_run=dry_run, choose=choose if edit else None)
        return reviews, model.name if model else ""

    def versions(self, id: str) -> str:
        """The earlier versions of a belief; empty for none."""
        from hippocampus_cli.mind.reconsolidation import versions

        return versions(self._root, self._store().get(id).id)

    def archive(self, *, dry_run: bool = False, now: datetime | None = None) -> list[Belief]:
        """Put beliefs away that weigh next to nothing, whatever their status."""
        from hippocampus_cli.mind.fade import archive_faded

        rate, moment = self._opened.config.mind.rate, self._opened.moment(now)
        with self._undoable(now):
            return archive_faded(self._root, moment, self._timeout, rate, dry_run=dry_run)

    def restore(self, id: str, *, now: datetime | None = None) -> Belief:
        """Bring a belief back from the archive."""
        from hippocampus_cli.mind.fade import restore

        with self._undoable(now):
            return restore(self._root, id, self._opened.moment(now), self._timeout)

    def keep_up(self, *, dry_run: bool = False, now: datetime | None = None) -> tuple[str, ...]:
        """What upkeep does: new logs are encoded, beliefs reviewed, faded ones put away; what a person should know.

        Upkeep never fails for it.
        """
        if dry_run:
            done = self._foreseen(now)
        else:
            try:
                done = self._kept_up(now)
            except HippoError as error:
                done = [f"the mind was left as it is: {error.message}"]
        return tuple(f"mind: {line}" for line in done)

    def _kept_up(self, now: datetime | None) -> list[str]:
        lines = []
        kept = self.encode_notes(now=now)
        if kept.superseded or kept.disputed:
            lines.append(
                f"{len(kept.superseded)} beliefs superseded, {len(kept.disputed)} disputed"
            )
        restated = [review for review in self.review(now=now)[0] if review.outcome == "restated"]
        if restated:
            lines.append(f"{len(restated)} beliefs restated (hippo why ID)")
        faded = self.archive(now=now)
        if faded:
            lines.append(f"{len(faded)} beliefs archived")
        return lines

    def _foreseen(self, now: datetime | None) -> list[str]:
        """The same, of what would be done."""
        from hippocampus_cli.mind.keep import notes_to_encode
        from hippocampus_cli.mind.reconsolidation import waits

        notes, first = notes_to_encode(self._root, self._opened.config.scan)
        keeper = self._keeper(now)
        counts = {
            "notes to encode": sum(bool(keeper.unread(note, first)) for note in notes),
            "beliefs to review": sum(map(waits, self._store().all())),
            "beliefs to archive": len(self.archive(dry_run=True, now=now)),
        }
        line = ", ".join(f"{what}: {count}" for what, count in counts.items() if count)
        return [line] if line else []

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

    def _store(self) -> BeliefStore:
        from hippocampus_cli.mind.beliefs import BeliefStore

        return BeliefStore(self._root, self._timeout)

    def _episodes(self) -> EpisodeStore:
        from hippocampus_cli.mind.episodes import EpisodeStore

        return EpisodeStore(self._root)
