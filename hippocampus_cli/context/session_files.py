"""Sessions that agents recorded: compacted, originals fetched, searched (COMPACTION)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hippocampus_cli.config import Config
from hippocampus_cli.context.compaction import CompactedSession, compact
from hippocampus_cli.context.compaction.spec_settings import SpecSettings, configured
from hippocampus_cli.context.originals import (
    Original,
    find_original,
    keep_messages,
    note_transcript,
    shown_place,
)
from hippocampus_cli.context.session_search import SessionHit, recorded_sessions, search
from hippocampus_cli.context.transcripts import Format, Message, Transcript
from hippocampus_cli.context.transcripts.preparation import Preparation, read_preparation
from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    OutsideWorkspace,
)
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.fence import Piece, Random, fenced, quoted
from hippocampus_cli.workspace.origin import of_role
from hippocampus_cli.workspace.user_folders import hippo_folder


class Compacted(NamedTuple):
    """A compacted session, the transcript it was read from, and what a person should know."""

    session: CompactedSession
    transcript: Transcript
    notices: list[str]


class PiAnswer(NamedTuple):
    """The answer to Pi's preparation, empty where Pi is to go on by itself, and what a person should know."""

    document: dict[str, Any]
    notices: list[str]


@dataclass
class SessionFiles:
    """The sessions that agents recorded, for somebody who may have a workspace at ``root``.

    Originals are noted, and looked for, in the workspace and in the user's own folder.
    """

    root: Path | None
    environ: Mapping[str, str]
    config: Callable[[], Config]

    def compact(
        self,
        path: str | Path,
        *,
        form: Format | None = None,
        tokens: int | None = None,
        fence: bool = False,
        write: bool = True,
    ) -> Compacted:
        """Compact an agent's session file: what still matters in full, the rest as pointers.

        ``form`` is seen from the file; ``tokens`` is the summary's budget, by default the setting; ``fence`` counts
        the lines that quote each part to an agent. With ``write`` it is noted in the workspace where the originals
        are, so that :meth:`fetch` finds them. The file itself is never written to. Raises
        :class:`TranscriptUnreadable`, :class:`FileUnreadable`.
        """
        root, told = self.root, self._configured(tokens)
        with Transcript(Path(path), form) as transcript:
            place = shown_place(root, str(transcript.path.resolve()))
            made = compact(transcript, told.settings, place, fence=fence)
            notices = [*told.notices, *transcript.notices()]
        if root is not None and write:
            file, form = transcript.path, transcript.format
            _noted([root], lambda folder: note_transcript(folder, file, form, made.ids), notices)
        return Compacted(made, transcript, notices)

    def answer_pi(
        self, text: str, random: Random, *, tokens: int | None = None, write: bool = True
    ) -> PiAnswer:
        """Answer the preparation of a compaction that Pi hands over: the session's file up to there, else its
        messages.

        Empty where there is nothing to compact, or where messages are in no file and cannot be copied either: a
        summary points at nothing that is lost.
        """
        preparation = read_preparation(text)
        told = self._configured(tokens)
        notices = [*told.notices]
        if not preparation.messages:
            return PiAnswer({}, notices)
        with _in_file(preparation) or contextlib.nullcontext() as transcript:
            place = str(transcript.path.resolve()) if transcript else ""
            name = place or preparation.key
            session = transcript or preparation.session()
            made = compact(session, told.settings, name, fence=True)
        if write:

            def note(folder: Path) -> None:
                if place:
                    note_transcript(folder, Path(place), "pi", made.ids)
                else:
                    keep_messages(folder, name, preparation.session().all())

            # The summary names a session file itself.
            if not _noted(self._folders(), note, notices) and not place:
                return PiAnswer({}, notices)
        return PiAnswer({"compaction": preparation.answer(fenced(made.pieces, random))}, notices)

    def fetch(self, id: str, *, session: str = "", form: Format | None = None) -> Original:
        """The original of a pointer: of a session file that is named in that file, else where a record leads to.

        ``session`` is the file, or what a summary names. Raises :class:`MessageNotFound`.
        """
        id = id.removeprefix("#")
        path = _session_file(self.root, session)
        if path is None:
            return find_original(self._folders(), id, session)
        with Transcript(path, form) as transcript:
            return Original(transcript.find(id), session, session)

    def search(self, query: str, *, limit: int = 10, everywhere: bool = False) -> list[SessionHit]:
        """Messages with words of a question in the sessions that agents recorded in the workspace, or everywhere."""
        sessions = recorded_sessions(Path("~").expanduser(), self.environ)
        return search(sessions, query, None if everywhere else self.root, limit)

    def _configured(self, tokens: int | None) -> SpecSettings:
        settings = self.config().compaction
        if tokens is not None:
            settings = settings._replace(tokens=tokens)
        return configured(settings, self.root)

    def _folders(self) -> list[Path]:
        """Where originals are noted: in the workspace, and in the user's own folder."""
        own = hippo_folder("data", self.environ, Path("~").expanduser())
        return [*([self.root] if self.root else []), own]


def text_of(message: Message) -> str:
    """All that a message holds; what is no text is named."""
    blocks: list[str] = []
    for part in message.parts:
        kind = message._replace(parts=(part,)).media or part.kind.replace("_", " ")
        label = f"[{kind} {part.name}".rstrip() + "]\n"
        plain = part.kind in ("text", "tool_result") and not part.media
        blocks.append(part.text if plain else f"{label}{part.text}".rstrip())
    return "\n\n".join(blocks)


def piece_of(original: Original) -> Piece:
    """An original for an agent, with whose words they are, day and place."""
    message = original.message
    place = f"{original.path}:{message.line}" if original.path else f"#{message.id}"
    return quoted(of_role(message.role), message.day, place, text_of(message))


def pieces_of(hits: Sequence[SessionHit]) -> list[Piece]:
    """Messages for an agent, with whose words they are, their day, and the way to the whole."""
    return [
        quoted(
            of_role(hit.message.role),
            hit.message.day,
            f"{hit.agent} `hippo fetch {hit.message.id} --session {hit.session}`",
            hit.text,
        )
        for hit in hits
    ]


def _noted(folders: Sequence[Path], note: Callable[[Path], None], notices: list[str]) -> bool:
    """Note in the first folder that can be written where the originals are; whether there is one."""
    for folder in folders:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            note(folder)
            return True
        except OSError as error:
            notices.append(f"originals are not kept: {folder}: {error.strerror or error}")
        except (FileUnwritable, OutsideWorkspace) as error:
            notices.append(f"originals are not kept: {error.message}")
    return False


def _in_file(preparation: Preparation) -> Transcript | None:
    """Pi's session file up to what stays; None where there is none that holds it, or it cannot be read."""
    with contextlib.suppress(FileUnreadable):
        transcript = Transcript(Path(preparation.file), "pi") if preparation.file else None
        if transcript and transcript.end_before(str(preparation.raw.get("firstKeptEntryId"))):
            return transcript
    return None


def _session_file(root: Path | None, named: str) -> Path | None:
    """The session file of this name, seen from here or from the workspace; None for what is no file's name."""
    if not named:
        return None
    for path in (Path(named), *([root / named] if root else [])):
        if "\0" not in named and path.exists():
            return path
    return Path(named) if "/" in named or "." in named or os.sep in named else None
