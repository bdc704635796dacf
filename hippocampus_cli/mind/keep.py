"""What is said becomes episodes, then beliefs: gate, append, derive, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.append import EpisodeDraft, append
from hippocampus_cli.mind.beliefs import ARCHIVED, BeliefStore, added, beliefs_of, updated
from hippocampus_cli.mind.derive import Derived, Source, derive, sources_of
from hippocampus_cli.mind.encode import Encoded, encode_log, encode_session
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Statement, digest
from hippocampus_cli.mind.gate import Gate, note_refusal, open_gate, refusals

if TYPE_CHECKING:
    from hippocampus_cli.config.context import Compaction
    from hippocampus_cli.context.transcripts import Transcript
    from hippocampus_cli.index.document import Document
    from hippocampus_cli.workspace.note import Note

USER = "user"


class Kept(NamedTuple):
    """What was written: episodes, beliefs by their ids, and how much was refused, by category."""

    episodes: tuple[Episode, ...]
    refused: tuple[str, ...]
    added: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()


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

    def log(self, note: Note) -> Kept:
        """Encode what is new in a daily log, or a core file."""

        def encoded(there: Sequence[Episode]) -> Encoded:
            known = [
                said
                for one in there
                if one.session == note.path
                for said in self.episodes.statements(one)
            ]
            return encode_log(note, known, self.gate, USER, self.now)

        return self._keep(encoded)

    def believe(self, text: str) -> Kept:
        """Keep a statement of the user's, at once. Raises :class:`WriteRefused`."""
        self.gate.require(text)
        return self._keep(lambda _: Encoded([self._told(text, "told")], []), told=True)

    def note(self, text: str, session: str, source: str = "hippo") -> Episode:
        """Append what the user decided, on ``source``, without deriving anything from it; the episode."""
        self.gate.require(text)
        drafts = [self._told(text, session)._replace(source=source)]
        made = append(self.root, lambda _: drafts, self.now, self._timeout)
        return (
            made[0] if made else next(one for one in self.episodes.all() if one.id == drafts[0].id)
        )

    def _told(self, text: str, session: str) -> EpisodeDraft:
        at = self.now.isoformat(timespec="seconds")
        said = Statement(USER, at, "told", " ".join(text.split()))
        return EpisodeDraft(
            *(at, at, USER, f"{session}-{digest(at + text)[:8]}", "hippo", "told..told"),
            *(digest(text), "told/1", (said,)),
        )

    def _keep(self, encode: Callable[[Sequence[Episode]], Encoded], *, told: bool = False) -> Kept:
        refused: list[str] = []
        texts: dict[str, tuple[Statement, ...]] = {}

        def drafts(there: Sequence[Episode]) -> Sequence[EpisodeDraft]:
            made = encode(there)
            known = {(one.category, one.source) for one in refusals(self.root)}
            for one in made.refused:
                if one not in known:
                    note_refusal(self.root, one.category, one.source, self.now)
                    refused.append(one.category)
            texts.update((one.id, one.statements) for one in made.drafts)
            return made.drafts

        episodes = append(self.root, drafts, self.now, self._timeout)
        done = self._derive(sources_of(episodes, texts, told=told))
        return Kept(
            tuple(episodes),
            tuple(refused),
            tuple(one.id for one in done.added),
            done.superseded,
            done.disputed,
        )

    def _derive(self, sources: Iterable[Source]) -> Derived:
        sources = list(sources)
        if not sources:
            return Derived()
        archived = [
            one.key for one in BeliefStore(self.root, self._timeout, ARCHIVED).document().entries
        ]
        paths = {one.id: one.text_path for one in self.episodes.all()}

        def change(document: Document) -> tuple[Document, Derived]:
            beliefs = beliefs_of(document)
            done = derive(beliefs, sources, (*document.by_key, *archived))
            return updated(added(document, done.added, paths), done.changed), done

        return self.beliefs.change(change)

    def catch_up(self) -> Derived:
        """Derive from episodes that no belief knows: who was killed between the two left them so."""
        there = self.episodes.all()
        said = {one.id: self.episodes.statements(one) for one in there}
        return self._derive(sources_of(there, said))


def joined(done: Sequence[Kept]) -> Kept:
    """Several as one."""
    return Kept(
        tuple(one for part in done for one in part.episodes),
        tuple(one for part in done for one in part.refused),
        tuple(one for part in done for one in part.added),
        tuple(one for part in done for one in part.superseded),
        tuple(one for part in done for one in part.disputed),
    )
