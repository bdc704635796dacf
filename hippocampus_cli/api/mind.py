"""Episodes and beliefs of a workspace: what happened, and what is held true (MIND)."""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.argument_checks import Question, Raw
from hippocampus_cli.api.opened import Opened, present
from hippocampus_cli.api.turns import in_turn

if TYPE_CHECKING:
    from hippocampus_cli.connector.model import Model
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.mind.answers import Contradiction, Evidence
    from hippocampus_cli.mind.audit import Audit
    from hippocampus_cli.mind.beliefs import Belief, BeliefStore
    from hippocampus_cli.mind.episodes import Episode, Problem, Statement
    from hippocampus_cli.mind.gate import Refusal
    from hippocampus_cli.mind.held import Held
    from hippocampus_cli.mind.keep import Keeper, Kept
    from hippocampus_cli.mind.package import Exported, Imported
    from hippocampus_cli.mind.reconsolidation import Review
    from hippocampus_cli.mind.settle import Settled
    from hippocampus_cli.workspace.note import Note


@in_turn
class Mind:
    """What ``workspace.mind`` can do."""

    def __init__(self, workspace: Opened) -> None:
        self._workspace = workspace

    @property
    def lock(self) -> RLock:
        """The lock of the workspace: its calls and these take turns."""
        return self._workspace.lock

    def encode(
        self, path: str | Path, *, form: Format | None = None, now: datetime | None = None
    ) -> Kept:
        """Episodes and beliefs of what is new in a session's file; encoding it again adds nothing.

        Raises :class:`FileUnreadable`, :class:`EpisodesDamaged`, :class:`RulesInvalid`, :class:`Busy`.
        """
        from hippocampus_cli.context.originals import shown_place
        from hippocampus_cli.context.transcripts import Transcript

        root, settings = self._workspace.root, self._workspace.config.compaction
        with Transcript(Path(path), form) as transcript, self._undoable(now):
            source = shown_place(root, str(Path(path).resolve()))
            return self._keeper(now).session(transcript, source, settings)

    def encode_notes(self, *, now: datetime | None = None) -> Kept:
        """Episodes and beliefs of what is new in daily logs and core files: those first, what they say without a date
        is the oldest. Raises as :meth:`encode`."""
        with self._undoable(now):
            notes, first = self._logs()
            return self._keeper(now).logs(notes, first)

    def believe(self, text: str, *, tags: Iterable[str] = (), now: datetime | None = None) -> Kept:
        """Hold a statement of the user's true, at once; ``tags`` are names that it is asked by.

        Raises :class:`UsageError`, :class:`WriteRefused`.
        """
        from hippocampus_cli.entries.tag import clean_tags
        from hippocampus_cli.errors import UsageError

        if not text.strip():
            advice = 'say what: hippo remember --believe "I prefer trains"'
            raise UsageError(reason="there is nothing to believe", advice=advice)
        with self._undoable(now):
            return self._keeper(now).believe(text, clean_tags(tags))

    def episodes(self) -> list[Episode]:
        """Every episode, the oldest first. Raises :class:`EpisodesDamaged`."""
        from hippocampus_cli.mind.episodes import EpisodeStore

        return EpisodeStore(self._workspace.root).all()

    def statements(self, id: Raw) -> tuple[Statement, ...]:
        """What an episode says, line by line. Raises :class:`EpisodeNotFound`."""
        from hippocampus_cli.mind.episodes import EpisodeStore
        from hippocampus_cli.mind.errors import EpisodeNotFound

        store = EpisodeStore(self._workspace.root)
        episode = store.find(id)
        if episode is None:
            raise EpisodeNotFound(id=id)
        return store.statements(episode)

    def verify(self) -> list[Problem]:
        """Everything in the episodes that is not as it was written, and beliefs that do not lead to a source."""
        from hippocampus_cli.mind.audit import problems

        return problems(self._workspace.root, self._store())

    def redact(self, id: Raw, *, now: datetime | None = None) -> Episode:
        """Empty the text of an episode; its record and the chain stay. Raises :class:`EpisodeNotFound`."""
        from hippocampus_cli.mind.erase import redact

        return redact(self._workspace.root, id, now or present(), self._timeout)

    def refusals(self) -> list[Refusal]:
        """What the gate refused, the oldest first: category, moment and source, no content."""
        from hippocampus_cli.mind.gate import refusals

        return refusals(self._workspace.root)

    def beliefs(
        self, words: Question = "", *, every: bool = False, now: datetime | None = None
    ) -> list[Held]:
        """What is held, about ``words`` where they are given; with ``every`` also what was held."""
        from hippocampus_cli.mind.held import held_for

        rate = self._workspace.config.mind.rate
        return held_for(self._store().all(), words, now or present(), rate, every=every)

    def why(self, id: Raw) -> tuple[Belief, list[Evidence]]:
        """A belief, and all that it rests on. Raises :class:`BeliefNotFound`."""
        from hippocampus_cli.mind.answers import evidence_for
        from hippocampus_cli.mind.episodes import EpisodeStore

        belief = self._belief(id)
        return belief, evidence_for(belief, EpisodeStore(self._workspace.root))

    def check(self, text: str = "", *, now: datetime | None = None) -> list[Contradiction]:
        """What ``text`` says against what is held; without one, what is held and disputed against each other.

        Where the environment names a language model, it is asked of what no pattern compares: what it says is marked
        *in other words*. Raises :class:`ModelFailed`, :class:`EmbedderUnavailable` for a model that is named wrongly.
        """
        from hippocampus_cli.mind.answers import contradictions, in_other_words, standing

        moment, beliefs = now or present(), self._store().all()
        if not text.strip():
            return standing(beliefs)
        found = contradictions(text, beliefs, moment.date())
        model = self._model(moment)
        if model is None:
            return found
        from hippocampus_cli.mind.held import held_for

        told = {one.earlier.id for one in found}
        about = [one.belief for one in held_for(beliefs, text, moment)]
        others = [one for one in about if one.id not in told]
        return found + in_other_words(text, others, model, moment.date())

    def settle(self, id: Raw, *, now: datetime | None = None) -> Settled:
        """Have a statement stand: what conflicts with it does not hold any more. Raises :class:`BeliefNotFound`."""
        from hippocampus_cli.mind.settle import settle

        with self._undoable(now):
            return settle(self._keeper(now), self._belief(id))

    def retract(self, id: Raw, *, now: datetime | None = None) -> Belief:
        """Take a belief back. Raises :class:`BeliefNotFound`."""
        from hippocampus_cli.mind.settle import retract

        with self._undoable(now):
            return retract(self._keeper(now), self._belief(id))

    def audit(self, *, now: datetime | None = None) -> Audit:
        """What rests on what: how many beliefs, on whose word, on how much, how many fade."""
        from hippocampus_cli.mind.audit import audit

        rate = self._workspace.config.mind.rate
        return audit(self._workspace.root, self._store(), now or present(), rate)

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

        def choose(found: Sequence[Review]) -> Mapping[str, str]:
            return from_diff(edit(as_diff(found))) if edit else {}

        moment, root = now or present(), self._workspace.root
        model = self._model(moment)
        reviewer = Reviewer(root, self._store(), open_gate(root), model, moment)
        with self._undoable(moment):
            found = reviewer.drain(dry_run=dry_run, choose=choose if edit else None)
        return found, model.name if model else ""

    def versions(self, id: Raw) -> str:
        """The earlier versions of a belief; empty for none. Raises :class:`BeliefNotFound`."""
        from hippocampus_cli.mind.reconsolidation import versions

        return versions(self._workspace.root, self._belief(id).id)

    def _model(self, now: datetime) -> Model | None:
        """The language model that the environment names."""
        environ = self._workspace._environ
        if not environ.get("HIPPO_MIND_MODEL"):
            return None  # what speaks to servers is not loaded
        import os
        import time

        from hippocampus_cli.connector.model import Model, access_in
        from hippocampus_cli.embedding.api.transport import Pace

        access = access_in(environ)
        pace = Pace(60.0, 0, time.monotonic, time.sleep)
        day = now.date().isoformat()
        return Model(access, self._workspace.root, day, pace, os.urandom) if access else None

    def export(
        self,
        file: str | Path,
        *,
        paths: Iterable[str] = (),
        mind_only: bool = False,
        key_file: str | Path | None = None,
        passphrase: str | None = None,
    ) -> Exported:
        """Write notes, index, archive and mind into one file that is not there yet; ``paths`` choose among notes.

        Raises :class:`UsageError`, :class:`FileUnwritable`, :class:`ExtraMissing` to sign or encrypt without it.
        """
        from hippocampus_cli.api.packages import export

        key = Path(key_file) if key_file else None
        about = self._workspace.root, self._workspace.config, Path(file)
        return export(*about, tuple(paths), mind_only, key, passphrase)

    def import_file(
        self,
        file: str | Path,
        *,
        signed_by: str = "",
        own: bool = False,
        passphrase: str = "",
        dry_run: bool = False,
        now: datetime | None = None,
    ) -> Imported:
        """Add what a package has and this memory has not; nothing is overwritten.

        Raises :class:`PackageInvalid`, :class:`OutsideWorkspace`, :class:`FileUnreadable`, :class:`ExtraMissing`;
        then nothing was changed.
        """
        from hippocampus_cli.api.packages import read_package
        from hippocampus_cli.mind.gate import open_gate
        from hippocampus_cli.mind.package import import_package

        root, moment = self._workspace.root, now or present()
        package = read_package(Path(file), signed_by, passphrase)
        package.own = own or bool(signed_by)
        with self._undoable(moment):
            parts = root, package, open_gate(root), self._timeout, moment
            return import_package(*parts, dry_run=dry_run)

    def archive(self, *, dry_run: bool = False, now: datetime | None = None) -> list[Belief]:
        """Put beliefs away that weigh next to nothing, whatever their status."""
        from hippocampus_cli.mind.fade import archive_faded

        rate = self._workspace.config.mind.rate
        places = self._workspace.root, now or present(), self._timeout
        with self._undoable(now):
            return archive_faded(*places, rate, dry_run=dry_run)

    def restore(self, id: Raw, *, now: datetime | None = None) -> Belief:
        """Bring a belief back from the archive. Raises :class:`BeliefNotFound`."""
        from hippocampus_cli.mind.fade import restore

        with self._undoable(now):
            return restore(self._workspace.root, id, now or present(), self._timeout)

    @property
    def _timeout(self) -> float:
        return self._workspace.config.lock.timeout_seconds

    def _logs(self) -> tuple[list[Note], date | None]:
        """Core files and daily logs, in the order in which they are read, and the day of the oldest log."""
        from hippocampus_cli.errors import FileUnreadable
        from hippocampus_cli.workspace.kinds import NoteKind, date_of, kind_of
        from hippocampus_cli.workspace.read import read_note
        from hippocampus_cli.workspace.scan import scan

        root, limits = self._workspace.root, self._workspace.config.scan
        kinds = NoteKind.DAILY, NoteKind.CONFIG
        paths = [one.path for one in scan(root, limits).files if kind_of(one.path) in kinds]
        days = {path: date_of(path) for path in paths}
        first = min(filter(None, days.values()), default=None)
        notes = []
        for path in sorted(paths, key=lambda path: (days[path] is not None, path)):
            with suppress(FileUnreadable):
                notes.append(read_note(root, path, limits.max_file_bytes))
        return notes, first

    def _undoable(self, now: datetime | None) -> AbstractContextManager[None]:
        """What becomes of beliefs within can be undone."""
        from hippocampus_cli.maintenance.belief_history import recorded

        return recorded(self._workspace.root, self._timeout, now or present())

    def _keeper(self, now: datetime | None) -> Keeper:
        from hippocampus_cli.mind.keep import Keeper

        return Keeper(self._workspace.root, now or present(), self._timeout)

    def _store(self) -> BeliefStore:
        from hippocampus_cli.mind.beliefs import BeliefStore

        return BeliefStore(self._workspace.root, self._timeout)

    def _belief(self, id: str) -> Belief:
        from hippocampus_cli.mind.errors import BeliefNotFound

        found = next((one for one in self._store().all() if one.id == id), None)
        if found is None:
            raise BeliefNotFound(id=id)
        return found


def would_keep_up(workspace: Opened, now: datetime) -> tuple[str, ...]:
    """What :func:`keep_up` would do. Nothing is written."""
    from hippocampus_cli.mind.reconsolidation import waits

    mind = Mind(workspace)
    notes, first = mind._logs()
    keeper = mind._keeper(now)
    new = sum(bool(keeper.unread(note, first)) for note in notes)
    due = sum(map(waits, mind._store().all()))
    faded = len(mind.archive(dry_run=True, now=now))
    counts = ("notes to encode", new), ("beliefs to review", due), ("beliefs to archive", faded)
    said = ", ".join(f"{what}: {count}" for what, count in counts if count)
    return (f"mind: {said}",) if said else ()


def keep_up(workspace: Opened, now: datetime) -> tuple[str, ...]:
    """What upkeep does in a workspace that has a mind: new logs are encoded, beliefs reviewed, faded ones put away.

    What a person should know; upkeep itself never fails for it.
    """
    from hippocampus_cli.errors import HippoError

    mind, said = Mind(workspace), []
    try:
        kept = mind.encode_notes(now=now)
        if kept.superseded or kept.disputed:
            said.append(f"{len(kept.superseded)} beliefs superseded, {len(kept.disputed)} disputed")
        restated = [one for one in mind.review(now=now)[0] if one.outcome == "restated"]
        if restated:
            said.append(f"{len(restated)} beliefs restated (hippo why ID)")
        if faded := mind.archive(now=now):
            said.append(f"{len(faded)} beliefs archived")
    except HippoError as error:
        said.append(f"the mind was left as it is: {error.message}")
    return tuple(f"mind: {one}" for one in said)
