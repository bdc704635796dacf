"""What is said becomes episodes, then beliefs: gate, append, derive, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.entries.arguments import require_text
from hippocampus_cli.errors import FileUnreadable, UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.append import EpisodeDraft, append
from hippocampus_cli.mind.beliefs import ARCHIVED, BeliefStore, added, beliefs_of, named, updated
from hippocampus_cli.mind.derive import Derived, Source, derive, sources_of
from hippocampus_cli.mind.encode import ENCODER, Encoded, encode_log, encode_session
from hippocampus_cli.mind.encode import Refused as RefusedMessage
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Statement, digest
from hippocampus_cli.mind.gate import Gate, note_refusal, open_gate, refusals
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.kinds import NoteKind, date_of, kind_of
from hippocampus_cli.workspace.own_files import MIND, ensure_folder
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.scan import scan

if TYPE_CHECKING:
    from hippocampus_cli.config.context import Compaction
    from hippocampus_cli.config.settings import Scan
    from hippocampus_cli.context.transcripts import Transcript
    from hippocampus_cli.index.document import Document
    from hippocampus_cli.workspace.note import Note

USER = "user"
TOLD = "told/1"
DERIVED_FROM = (ENCODER, TOLD)
PROGRESS = f"{MIND}/derived"
"""How many episodes beliefs were derived from; what the user settled is in beliefs already."""


class Kept(NamedTuple):
    """What was written: episodes, beliefs by their ids, and how much was refused, by category; ``confirmed`` are the
    beliefs that were held already and rest on what the user said now too.
    """

    episodes: tuple[Episode, ...]
    refused: tuple[str, ...]
    added: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()


class Keeper:
    """Writes to the mind of one workspace; ``now`` is the present moment, ``timeout`` in seconds."""

    def __init__(self, root: Path, now: datetime, timeout: float) -> None:
        self.root = root
        self.now = now
        self._timeout = timeout
        self.gate: Gate = open_gate(root)
        self.episodes = EpisodeStore(root)
        self.beliefs = BeliefStore(root, timeout)

    def session(self, transcript: Transcript, source: str, settings: Compaction) -> Kept:
        """Encode a session."""
        return self._keep(
            lambda there: encode_session(
                transcript, there, self.gate, settings, source, USER, self.now
            )
        )

    def logs(self, notes: Iterable[Note], first: date | None = None) -> Kept:
        """Encode what is new in daily logs and core files; ``first`` is the day of the oldest log.

        Beliefs are derived once, at the end: every time the whole file of beliefs is read and written.
        """
        parts = [self._append(partial(self._log, note, first)) for note in notes]
        return self._kept([one for part in parts for one in part])

    def unread(self, note: Note, first: date | None = None) -> int:
        """How many episodes :meth:`logs` would make of it. Nothing is written."""
        return len(self._log(note, first, self.episodes.all()).drafts)

    def _log(self, note: Note, first: date | None, there: Sequence[Episode]) -> Encoded:
        known = [
            said
            for one in there
            if one.session == note.path
            for said in self.episodes.statements(one)
        ]
        return encode_log(note, known, self.gate, USER, self.now, first)

    def believe(self, text: str, names: Sequence[str] = ()) -> Kept:
        """Keep a statement of the user's, at once; ``names`` are what it is asked by.

        Raises :class:`UsageError`, :class:`WriteRefused`.
        """
        require_text(text)
        if not text.strip():
            advice = 'say what: hippo remember --believe "I prefer trains"'
            raise UsageError(reason="there is nothing to believe", advice=advice)
        self._require(" ".join((text, *names)))
        told = self._told(text, "told")
        done = self._keep(lambda _: Encoded([told], []))
        ids = [one.id for one in self.beliefs.all() if one.rests_on(told.id)]
        if names and ids:
            self.beliefs.change(lambda document: (named(document, ids, names), None))
        return done._replace(confirmed=tuple(id for id in ids if id not in done.added))

    def note(self, text: str, session: str, source: str = "hippo") -> Episode:
        """Append what the user decided, on ``source``, without deriving anything from it; the episode."""
        self._require(text)
        drafts = [self._told(text, session)._replace(source=source)]
        made = append(self.root, lambda _: drafts, self.now, self._timeout)
        return (
            made[0] if made else next(one for one in self.episodes.all() if one.id == drafts[0].id)
        )

    def _require(self, text: str) -> None:
        """Raise :class:`WriteRefused` for what the gate refuses, and record the refusal."""
        if category := self.gate.category(text):
            note_refusal(self.root, category, "told", self.now)
        self.gate.require(text)

    def _told(self, text: str, session: str) -> EpisodeDraft:
        at = self.now.isoformat(timespec="seconds")
        said = Statement(USER, at, "told", " ".join(text.split()))
        return EpisodeDraft(
            *(at, at, USER, f"{session}-{digest(at + text)[:8]}", "hippo", "told..told"),
            *(digest(text), f"{session}/1", (said,)),
        )

    def _keep(self, encode: Callable[[Sequence[Episode]], Encoded]) -> Kept:
        return self._kept(self._append(encode))

    def _append(
        self, encode: Callable[[Sequence[Episode]], Encoded]
    ) -> list[Episode | RefusedMessage]:
        """Append what ``encode`` makes: the new episodes, and what the gate refused for the first time."""
        refused: list[RefusedMessage] = []

        def drafts(there: Sequence[Episode]) -> Sequence[EpisodeDraft]:
            made = encode(there)
            known = {RefusedMessage(*one[1:]).key for one in refusals(self.root)}
            for one in made.refused:
                if one.key not in known:
                    note_refusal(self.root, one.category, one.source, self.now, one.mark)
                    refused.append(one)
            return made.drafts

        return [*append(self.root, drafts, self.now, self._timeout), *refused]

    def _kept(self, written: Sequence[Episode | RefusedMessage]) -> Kept:
        """Derive beliefs from what was written."""
        done = self._derive()
        return Kept(
            tuple(one for one in written if isinstance(one, Episode)),
            tuple(one.category for one in written if isinstance(one, RefusedMessage)),
            tuple(one.id for one in done.added),
            done.superseded,
            done.disputed,
        )

    def _derive(self) -> Derived:
        """Derive from every episode that was not used yet; a kill may have left some."""
        there = self.episodes.all()
        done = self._done(len(there))
        new = [one for one in there[done:] if one.encoder in DERIVED_FROM]
        said = {one.id: self.episodes.statements(one) for one in new}
        sources = [
            source for one in new for source in sources_of([one], said, told=one.encoder == TOLD)
        ]
        made = (
            self._changed(sources, {one.id: one.text_path for one in there})
            if sources
            else Derived()
        )
        if done < len(there):
            replace_bytes(ensure_folder(self.root, PROGRESS), f"{len(there)}\n".encode(), PROGRESS)
        return made

    def _changed(self, sources: Sequence[Source], paths: Mapping[str, str]) -> Derived:
        archive = BeliefStore(self.root, self._timeout, ARCHIVED).document()

        def change(document: Document) -> tuple[Document, Derived]:
            done = derive(beliefs_of(document), sources, (*document.by_key, *archive.by_key))
            return updated(added(document, done.added, paths), done.changed), done

        return self.beliefs.change(change)

    def _done(self, total: int) -> int:
        """How many episodes beliefs were derived from."""
        try:
            return min(int(read_regular(self.root / PROGRESS)), total)
        except (OSError, ValueError):
            return total if self.beliefs.all() else 0


def notes_to_encode(root: Path, limits: Scan) -> tuple[list[Note], date | None]:
    """Core files and daily logs, in the order in which they are read, and the day of the oldest log."""
    kinds = NoteKind.DAILY, NoteKind.CONFIG
    paths = [stat.path for stat in scan(root, limits).files if kind_of(stat.path) in kinds]
    days = {path: date_of(path) for path in paths}
    first = min(filter(None, days.values()), default=None)
    notes = []
    for path in sorted(paths, key=lambda path: (days[path] is not None, path)):
        with suppress(FileUnreadable):
            notes.append(read_note(root, path, limits.max_file_bytes))
    return notes, first
