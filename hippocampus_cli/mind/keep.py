"""What is said becomes episodes, then beliefs: gate, append, derive, in this order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.entries.tag import require_text
from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.mind.append import USER, EpisodeDraft, append
from hippocampus_cli.mind.beliefs import ARCHIVE_BELOW, Belief, BeliefStore, beliefs_of, weight_at
from hippocampus_cli.mind.derive import Address, Derived, Quotation, derive
from hippocampus_cli.mind.encode import (
    ENCODER,
    Encoded,
    encode_note,
    encode_session,
    said_in,
)
from hippocampus_cli.mind.episodes import Episode, EpisodeStore, Statement, digest
from hippocampus_cli.mind.errors import WriteRefused
from hippocampus_cli.mind.gate import Gate, Refusal, note_refusal, open_gate, refusals
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import MIND
from hippocampus_cli.workspace.resolve import Notes
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.state import keep

if TYPE_CHECKING:
    from hippocampus_cli.config.context import Compaction
    from hippocampus_cli.config.settings import Scan
    from hippocampus_cli.context.transcripts import Transcript
    from hippocampus_cli.index.document import Document

TOLD = "told/1"
_DERIVED_FROM = {ENCODER: None, TOLD: Address()}
"""The encoders of episodes that beliefs are derived from; what was told has an address, if an empty one."""
PROGRESS = f"{MIND}/derived"
"""The last episodes that beliefs were derived from, by hash; what the user settled is in beliefs already."""


class MindKept(NamedTuple):
    """What was written: episodes, beliefs by their ids, and how much was refused, by category; ``confirmed`` are the
    beliefs that were held already and rest on what the user said now too, ``left`` those whose lines are gone.
    """

    episodes: tuple[Episode, ...]
    refused: tuple[str, ...]
    added: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class Settled(NamedTuple):
    """The belief that holds now, the episode that says so, and what it replaced."""

    belief: Belief
    episode: str
    superseded: tuple[str, ...]


class Keeper:
    """Writes to the mind of one workspace; ``now`` is the present moment, ``timeout`` in seconds."""

    def __init__(self, root: Path, now: datetime, timeout: float) -> None:
        self.root = root
        self.now = now
        self._timeout = timeout
        self.gate: Gate = open_gate(root)
        self.episodes = EpisodeStore(root)
        self.beliefs = BeliefStore(root, timeout)

    def session(self, transcript: Transcript, source: str, settings: Compaction) -> MindKept:
        """Encode a session."""
        zone = self.now.tzinfo
        return self._keep(
            lambda there: encode_session(transcript, there, self.gate, settings, source, zone)
        )

    def notes(self, notes: Sequence[Note]) -> MindKept:
        """Encode what is new in daily logs. What was held because of lines that are gone is not held any more."""
        kept = self._keep(lambda there: self._encoded(notes, there))
        return kept._replace(left=self._let_go(notes))

    def _encoded(self, notes: Iterable[Note], there: list[Episode]) -> Encoded:
        """The episodes of what is new in notes."""
        known: defaultdict[str, set[str]] = defaultdict(set)
        for episode in there:
            if episode.is_of_log:
                known[episode.session].update(s.text for s in self.episodes.statements(episode))
        for note in notes:
            yield from encode_note(note, known[note.path], self.gate)

    def _let_go(self, notes: Iterable[Note]) -> tuple[str, ...]:
        """Retract the beliefs that rest only on lines which no log has any longer."""
        lines = {statement.text for note in notes for statement in said_in(note)}

        def has_left(reference: str) -> bool:
            episode, said = self.episodes.resolve(reference)
            return bool(episode and said and episode.is_of_log and said.text not in lines)

        gone = [b.id for b in self.beliefs.held() if all(map(has_left, b.derived_from))]
        self._retract(gone)
        return tuple(gone)

    def _retract(self, ids: Collection[str]) -> list[Belief]:
        today = self.now.date()
        return self.beliefs.revise(ids, lambda belief: belief.ended(today))

    def believe(self, text: str, address: Address | None = None, session: str = "told") -> MindKept:
        """Keep a statement of the user's, at once. Raises :class:`UsageError`, :class:`WriteRefused`."""
        require_text(text)
        if not text.strip():
            advice = 'say what: hippo remember --believe "I prefer trains"'
            raise UsageError(reason="there is nothing to believe", advice=advice)
        address = address or Address()
        self._require(" ".join((text, *address[:3], *address.tags)))
        told = self._told(text, session)._replace(encoder=TOLD)
        return self._keep(lambda _: iter([told]), address)

    def settle(self, id: str) -> Settled:
        """Confirm a belief by the user's word; the others of its address are superseded. Raises
        :class:`BeliefNotFound`, :class:`WriteRefused`."""
        belief = self.beliefs.get(id)
        same = (b for b in self.beliefs.held() if b.address and b.address == belief.address)
        over = tuple(other.id for other in same if other.id != id)
        self.believe(belief.statement, Address(replaces=over), "settled")
        settled = self.beliefs.get(id)
        return Settled(settled, settled.episodes[-1], over)

    def retract(self, id: str) -> Belief:
        """Retract a belief by the user's word. Raises :class:`BeliefNotFound`.

        Where it came from is noted, not its words: a rule of refusal that is newer may be against them.
        """
        sources = "+".join(self.beliefs.get(id).derived_from)
        self.note(f"Not so any more: {sources}", "retracted")
        return self._retract([id])[0]

    def archive(self, rate: float) -> list[Belief]:
        """Put away what has faded: it stays in the file, and is held again once it is settled, or said."""
        held = self.beliefs.held()
        faded = [belief.id for belief in held if weight_at(belief, self.now, rate) < ARCHIVE_BELOW]
        return self.beliefs.revise(faded, lambda belief: belief.replaced(status="archived"))

    def note(self, text: str, session: str) -> None:
        """Append what the user decided, without deriving anything from it."""
        self._require(text)
        append(self.root, lambda _: [self._told(text, session)], self.now, self._timeout)

    def _require(self, text: str) -> None:
        """Raise :class:`WriteRefused` for what the gate refuses, and record the refusal."""
        if category := self.gate.category(text):
            note_refusal(self.root, Refusal(category, "told"), self.now)
            raise WriteRefused(category=category)

    def _told(self, text: str, session: str) -> EpisodeDraft:
        """The episode of one statement of the user."""
        at = self.now.isoformat(timespec="seconds")
        return EpisodeDraft(
            session=f"{session}-{digest(at + text)[:8]}",
            source="hippo",
            source_sha256=digest(text),
            encoder=f"{session}/1",
            statements=(Statement(USER, at, "told", " ".join(text.split())),),
        )

    def _keep(
        self, encode: Callable[[list[Episode]], Encoded], address: Address | None = None
    ) -> MindKept:
        """Append what ``encode`` makes, note what the gate refused for the first time, and derive beliefs."""
        refused: dict[Refusal, None] = {}

        def drafts(there: list[Episode]) -> Iterator[EpisodeDraft]:
            known = {refusal._replace(at="") for refusal in refusals(self.root)}
            for made in encode(there):
                if isinstance(made, EpisodeDraft):
                    yield made
                elif made not in known:
                    refused[made] = None

        episodes = append(self.root, drafts, self.now, self._timeout)
        for refusal in refused:
            note_refusal(self.root, refusal, self.now)
        done = self._derive(address)
        return MindKept(
            tuple(episodes),
            tuple(each.category for each in refused),
            tuple(belief.id for belief in done.added),
            done.ids("superseded"),
            done.ids("held"),
        )

    def _derive(self, address: Address | None) -> Derived:
        """Derive from every episode that was not used yet; a kill may have left some. ``address`` is of the last."""
        there, done = self.episodes.all(), self.episodes.noted(PROGRESS)
        waiting: list[Episode] = []
        for number, episode in reversed([*enumerate(there, 1)]):
            if done & {episode.sha256, str(number)}:  # hippo counted them once
                done.update(episode.prev.split("+"))
            else:
                waiting.append(episode)
        sources = [
            Quotation(f"{episode.id}.{number}", said, _DERIVED_FROM[episode.encoder])
            for episode in reversed(waiting)
            if episode.encoder in _DERIVED_FROM
            for number, said in enumerate(self.episodes.statements(episode), 1)
        ]
        if address and sources:
            sources[-1] = sources[-1]._replace(address=address)
        paths = {episode.id: episode.text_path for episode in there}

        def change(document: Document) -> tuple[Document, Derived]:
            made = derive(beliefs_of(document), sources, document.by_key)
            return made.written(document, paths), made

        derived = self.beliefs.change(change) if sources else Derived()
        if waiting:
            keep(self.root, PROGRESS, f"{self.episodes.head()}\n".encode())
        return derived


def notes_to_encode(root: Path, limits: Scan) -> list[Note]:
    """The daily logs without their secrets, in the order of their paths."""
    paths = (stat.path for stat in scan(root, limits).files)
    daily = sorted(path for path in paths if kind_of(path) is NoteKind.DAILY)
    return [note for note in map(Notes(root, limits.max_file_bytes).note, daily) if note]
