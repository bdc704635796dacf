"""Sessions of agents, compacted, and the originals of what their summaries point at (COMPACTION).

What is here needs no workspace: originals are noted, and looked for, in one where there is one, and in the user's
own folder.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippocampus_cli.errors import (
    FileUnreadable,
    FileUnwritable,
    MessageNotFound,
    OutsideWorkspace,
)
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.workspace.fence import quoted
from hippocampus_cli.workspace.origin import of_role

if TYPE_CHECKING:
    from hippocampus_cli.config.context import Compaction
    from hippocampus_cli.context.compaction import CompactedSession
    from hippocampus_cli.context.compaction.daily_scores import Scores
    from hippocampus_cli.context.originals import Original
    from hippocampus_cli.context.session_search import Hit
    from hippocampus_cli.context.transcripts import Format, Message, Transcript
    from hippocampus_cli.workspace.fence import Piece, Random

_DAY = pattern(r"\d{4}-\d\d-\d\d")


class Compacted(NamedTuple):
    """A compacted session, the transcript it was read from, and what a person should know."""

    session: CompactedSession
    transcript: Transcript
    notices: list[str]


class PiAnswer(NamedTuple):
    """The answer to Pi's preparation, empty where Pi is to go on by itself, and what a person should know."""

    document: dict[str, Any]
    notices: list[str]


def compact(
    path: Path,
    form: Format | None,
    settings: Compaction,
    root: Path | None,
    *,
    now: datetime,
    fence: bool = False,
    write: bool = True,
) -> Compacted:
    """Compact a session file: what still matters in full, the rest as pointers. ``root`` is the workspace, if any.

    With ``write`` it is noted where the originals are. The file itself is never written to. Raises
    :class:`TranscriptUnreadable`, :class:`FileUnreadable`.
    """
    from hippocampus_cli.context.compaction import compact, spec_settings
    from hippocampus_cli.context.originals import note_transcript, shown_place
    from hippocampus_cli.context.transcripts import Transcript

    told = spec_settings.configured(settings, root)
    with Transcript(path, form) as transcript:
        path = transcript.path
        place = shown_place(root, str(path.resolve()))
        made = compact(transcript, told.settings, place, fence=fence)
        notices = [*told.notices, *transcript.notices()]
    if root is not None and write:
        spec_settings.log(root, told.log, made, now)
        try:
            note_transcript(root, path, transcript.format, made.labels())
        except (FileUnwritable, OutsideWorkspace) as error:
            notices.append(f"the location of the originals is not recorded: {error.message}")
    return Compacted(made, transcript, notices)


def answer_pi(
    text: str,
    settings: Compaction,
    root: Path | None,
    environ: Mapping[str, str],
    random: Random,
    *,
    now: datetime,
    write: bool = True,
) -> PiAnswer:
    """Answer the preparation of a compaction that Pi hands over.

    Empty where there is nothing to compact, or a message is in no file and cannot be copied either: a summary points
    at nothing that is lost.
    """
    from hippocampus_cli.context.compaction import compact, spec_settings
    from hippocampus_cli.context.transcripts.preparation import read_preparation
    from hippocampus_cli.workspace.fence import fenced

    preparation = read_preparation(text)
    told = spec_settings.configured(settings, root)
    notices = [*told.notices]
    if preparation.skipped:
        notices.append(f"{preparation.skipped} null in the list of messages skipped")
    if not preparation.messages:
        return PiAnswer({}, notices)
    there = _ids_in(preparation.file)
    place = str(Path(preparation.file).resolve()) if there else ""
    messages = preparation.session(there)
    made = compact(messages, told.settings, place or preparation.key, fence=True)
    if write:
        if root is not None:
            spec_settings.log(root, told.log, made, now)
        labels = made.labels()
        shown = {key for key, _ in labels}
        loose = [
            message
            for message in messages.all()
            if message.id not in there and (message.id in shown or message.role != "summary")
        ]
        keep = partial(
            _keep, name=place or preparation.key, loose=loose, labels=labels, noted=there
        )
        kept = any(keep(folder, notices=notices) for folder in _folders(root, environ))
        # Without that, the summary may still name the session file.
        if not kept and (loose or not place):
            return PiAnswer({}, notices)
    return PiAnswer({"compaction": preparation.answer(fenced(made.pieces(), random))}, notices)


def fetch(
    root: Path | None,
    environ: Mapping[str, str],
    id: str,
    session: str = "",
    form: Format | None = None,
) -> Original:
    """The original of a pointer: of a session file that is named in that file, else where a record leads to.

    Raises :class:`MessageNotFound`.
    """
    from hippocampus_cli.context.originals import Original, find_original
    from hippocampus_cli.context.transcripts import Transcript

    id = id.removeprefix("#")
    path, folders = _session_file(root, session), _folders(root, environ)
    if path is None:
        return find_original(folders, id, session)
    try:
        with Transcript(path, form) as transcript:
            return Original(transcript.find(id), session, session)
    except MessageNotFound as missing:
        with contextlib.suppress(MessageNotFound):  # a copy of what never came into the file
            return find_original(folders, id, str(path.resolve()))
        raise missing


def text_of(message: Message) -> str:
    """All that a message holds; what is no text is named."""
    said = [part for part in message.parts if part.kind != "media"]
    if len(said) == 1 and said[0].kind in ("text", "tool_result") and said[0].text:
        return said[0].text
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
    day = _DAY.match(message.timestamp or "")
    return quoted(of_role(message.role), day and day[0], place, text_of(message))


def search_sessions(
    folder: Path | None, environ: Mapping[str, str], query: str, limit: int
) -> list[Hit]:
    """The messages with the most words of a question, newest first among equals, of all recorded sessions.

    ``folder`` takes only sessions that worked in it or below. A message has at least half of the words.
    """
    from hippocampus_cli.context.session_search import recorded_sessions, search

    return search(recorded_sessions(Path("~").expanduser(), environ), query, folder, limit)


def pieces_of(hits: Sequence[Hit]) -> list[Piece]:
    """Messages for an agent, with whose words they are, their day, and the way to the whole."""
    return [
        quoted(
            of_role(one.message.role),
            (one.message.timestamp or "")[:10] or None,
            f"{one.agent} `hippo fetch {one.message.id} --session {one.session}`",
            one.text,
        )
        for one in hits
    ]


def score_file(path: Path, agent: str, now: datetime, settings: Compaction) -> Scores:
    """Score the blocks of a daily log, into a file beside it."""
    from hippocampus_cli.context.compaction.daily_scores import score_file

    return score_file(path, agent, now, settings)


def _folders(root: Path | None, environ: Mapping[str, str]) -> list[Path]:
    """Where originals are noted: in the workspace, and in the user's own folder."""
    from hippocampus_cli.workspace.user_folders import data_folder

    own = data_folder(environ, sys.platform, Path("~").expanduser())
    return [*([root] if root else []), own]


def _keep(
    folder: Path,
    notices: list[str],
    *,
    name: str,
    loose: Sequence[Message],
    labels: Sequence[tuple[str, str]],
    noted: Collection[str],
) -> bool:
    """Copy into a folder what is in no file, and note where the rest is; whether that could be done."""
    from hippocampus_cli.context.originals import keep_messages, note_transcript

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_messages(folder, name, loose, labels)
        if noted:
            note_transcript(folder, Path(name), "pi", labels)
    except OSError as error:
        notices.append(f"originals are not kept: {folder}: {error.strerror or error}")
    except (FileUnwritable, OutsideWorkspace) as error:
        notices.append(f"originals are not kept: {error.message}")
    else:
        return True
    return False


def _ids_in(file: str) -> frozenset[str]:
    """The ids in Pi's session file; none where it has none, or it cannot be read."""
    from hippocampus_cli.context.transcripts import Transcript

    if not file:
        return frozenset()
    try:
        with Transcript(Path(file), "pi") as transcript:
            return transcript.ids()
    except FileUnreadable:
        return frozenset()


def _session_file(root: Path | None, named: str) -> Path | None:
    """The session file of this name, seen from here or from the workspace; None for what is no file's name."""
    if not named:
        return None
    for path in (Path(named), *([root / named] if root else [])):
        if "\0" not in named and path.exists():
            return path
    return Path(named) if "/" in named or "." in named or os.sep in named else None
