"""What is kept across a compaction: written to the cache before it, returned after it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.context.session_ids import check_id
from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.integrations.hook_event import Event
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.fence import Piece, Random, fenced
from hippocampus_cli.workspace.own_files import CACHE, SESSIONS, ensure_folder
from hippocampus_cli.workspace.read import read_file

if TYPE_CHECKING:
    from hippocampus_cli.context.compaction import CompactedSession
    from hippocampus_cli.context.key_data import Kind
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.redaction.redactor import Redactor

_FOLDER = f"{CACHE}/handover"
_LARGEST = 1_000_000  # bytes
_WINDOW_SHARE = 4  # entries may take this fraction of what is returned
_SMALLEST_SUMMARY = 150  # tokens
_WAY = "<!-- the original of a #id: hippo fetch ID"
_TO_THE_LETTER: tuple[Kind, ...] = ("command", "path", "url", "identifier")
_MOST_VERBATIM = 300  # tokens
_LETTER = "Where the summary speaks of one of these, write it to the letter"
_VALUES = "values that were named"
_POINTER = re.compile(r" #[\w.]+$", re.MULTILINE)
_INTRODUCTION = (
    "Kept by hippo from before the compaction; `hippo fetch ID` gives the original of a #ID."
)
_QUOTED = "what was said and done before the compaction, as pointers"


def save(event: Event, form: Format, sessions: ContextSessions, random: Random) -> str:
    """Compact the event's transcript, record where its messages are, and store its sparse index in a fence.

    Returns what the agent's own summary should keep to the letter. Raises :class:`FileUnreadable`,
    :class:`FileUnwritable`, :class:`OutsideWorkspace`, :class:`UsageError`.
    """
    from hippocampus_cli.context.originals import note_transcript
    from hippocampus_cli.markdown.lines import encode
    from hippocampus_cli.workspace.atomic import replace_bytes
    from hippocampus_cli.workspace.redaction import redactor_for

    name = _name(event)
    path = Path(event.text("transcript_path"))
    if path.suffix != ".jsonl" and not path.name.startswith("opencode.db#"):
        raise FileUnreadable(path=str(path), reason="a transcript is a .jsonl file")
    text, made = _given_back(
        path, form, sessions, _window(event, sessions), redactor_for(sessions.root), random
    )
    note_transcript(sessions.root, path, form, made.ids)
    replace_bytes(ensure_folder(sessions.root, name), encode(text), name, mode=0o600)
    return _verbatim(redactor_for(sessions.root).redact(made.summary), random)


def _verbatim(summary: str, random: Random) -> str:
    """What another summary should quote exactly: values that users and decisions name."""
    from hippocampus_cli.context.compaction.summary_format import code
    from hippocampus_cli.context.key_data import key_data

    told = (line for line in summary.splitlines() if not line.startswith(("<!--", "[TOOL:", "#")))
    kept: list[str] = []
    for datum in key_data(_POINTER.sub("", "\n".join(told)), _TO_THE_LETTER):
        line = f"- {code(datum.text)}"
        if tokens("\n".join([*kept, line])) <= _MOST_VERBATIM:
            kept.append(line)
    return f"{_LETTER}:\n{fenced([Piece(_VALUES, chr(10).join(kept))], random)}" if kept else ""


def _given_back(
    path: Path,
    form: Format,
    sessions: ContextSessions,
    window: list[Piece],
    redactor: Redactor,
    random: Random,
) -> tuple[str, CompactedSession]:
    """The text to return for a transcript, without secrets, and its summary."""
    from hippocampus_cli.entries.brief import HOW

    own = f"{_INTRODUCTION} {HOW}\n"
    most = sessions.config.hook.return_tokens - tokens(own)
    first = Piece(_QUOTED)
    listed = _redacted(window, redactor)
    room = most - tokens(fenced([first, *listed], random))
    for rest in (listed, listed, listed, []):  # again where visible control codes take room
        made = _compacted(sessions, path, form, room)
        pieces = [first, *_redacted(made.pieces, redactor), *rest]
        text = fenced(pieces, random)
        if (over := tokens(text) - most) <= 0:
            break
        room = min(room, made.budget) - over
    return own + text, made


def _redacted(pieces: list[Piece], redactor: Redactor) -> list[Piece]:
    """The pieces without secrets; the line with the command for originals is kept."""
    redact = redactor.redact
    return [
        piece if piece.head.startswith(_WAY) else Piece(*map(redact, piece)) for piece in pieces
    ]


def take(event: Event, root: Path) -> str | None:
    """What was kept for the event's session, once; ``None`` where there is nothing."""
    name = _name(event)
    try:
        data = read_file(root, name, _LARGEST)
    except (FileUnreadable, OutsideWorkspace):
        return None
    with contextlib.suppress(OSError):
        (root / name).unlink()
    return data.decode("utf-8", "replace")


def _compacted(sessions: ContextSessions, path: Path, form: Format, room: int) -> CompactedSession:
    """The summary of a transcript within so many tokens."""
    from hippocampus_cli.context.session_files import SessionFiles

    files = SessionFiles(sessions.root, {}, lambda: sessions.config)
    room = min(sessions.config.compaction.tokens, max(room, _SMALLEST_SUMMARY))
    return files.compact(path, form=form, tokens=room, fence=True, write=False).session


def _window(event: Event, sessions: ContextSessions) -> list[Piece]:
    """The session's strong entries, and the command to read them."""
    from hippocampus_cli.context.lifecycle.window import HEAD, pieces_of

    if not (sessions.root / SESSIONS / event.session).is_dir():
        return []
    session = sessions.chosen(event.session)
    window = sessions.window(session.id, sessions.config.hook.return_tokens // _WINDOW_SHARE)
    if not window.blocks:
        return []
    return [Piece(f"{HEAD} These are of `--session {event.session}`."), *pieces_of(session, window)]


def _name(event: Event) -> str:
    return f"{_FOLDER}/{check_id(event.session)}.md"
