"""Words looked up in the sessions that agents recorded, in each one's own files, which are only read."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.context.transcripts import Format, Message
from hippocampus_cli.context.transcripts.clients import SessionPlace
from hippocampus_cli.context.transcripts.databases import sessions_of
from hippocampus_cli.context.transcripts.records import parse
from hippocampus_cli.context.transcripts.session import CLIENTS, open_lines, turn_messages
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.workspace.file_table import FileStat

_MOST_FILES = 400
_HEAD = 262_144  # bytes in which a session says its folder
_AROUND = 160  # characters before and behind a word
_WORD = re.compile(r"\w+")
_FOLDER = re.compile(rb'"(?:cwd|directory)"\s*:\s*("(?:[^"\\]|\\.)*")')
_STORES: tuple[tuple[Format, str, str, str], ...] = (
    ("claude-code", "CLAUDE_CONFIG_DIR", ".claude", "projects/*/*.jsonl"),
    ("codex", "CODEX_HOME", ".codex", "sessions/*/*/*/*.jsonl"),
    ("gemini", "", ".gemini", "tmp/*/chats/*.jsonl"),
    ("opencode", "XDG_DATA_HOME", ".local/share", "opencode/opencode.db"),
    ("openclaw", "OPENCLAW_STATE_DIR", ".openclaw", "agents/*/sessions/*.jsonl"),
    ("openclaw", "OPENCLAW_STATE_DIR", ".openclaw", "agents/*/agent/openclaw-agent.sqlite"),
    ("pi", "PI_CODING_AGENT_DIR", ".pi/agent", "sessions/*/*.jsonl"),
)
"""Where an agent keeps its sessions: the variable that moves the folder, the folder at home, the files in it."""


class RecordedSession(NamedTuple):
    """A session of an agent: its file (of a database behind ``#`` the session), when it changed, in seconds, and the
    folder it worked in, empty where it does not say."""

    agent: Format
    path: Path
    changed: float
    folder: str


class SessionHit(NamedTuple):
    """A message that holds words of a question: ``matched`` of them; ``text`` is what stands around the first."""

    agent: Format
    session: str
    message: Message
    matched: int
    text: str


def recorded_sessions(home: Path, environ: Mapping[str, str]) -> list[RecordedSession]:
    """The sessions at home and where variables lead, newest first."""
    sessions: dict[Path, RecordedSession] = {}
    for agent, variable, own, glob in _STORES:
        moved = environ.get(variable)
        for folder in (home / own, *([Path(moved)] if moved else [])):
            with contextlib.suppress(OSError):
                for path in folder.glob(glob):
                    sessions.update(
                        (session.path, session) for session in _sessions_in(agent, path)
                    )
    return sorted(sessions.values(), key=lambda session: (-session.changed, str(session.path)))


def search(
    sessions: Sequence[RecordedSession], query: str, folder: Path | None, limit: int
) -> list[SessionHit]:
    """The messages with the most words of a question, each once, newest first among equals.

    ``folder`` takes only sessions that worked in it or below. A message has at least half of the words.
    """
    every = dict.fromkeys(_WORD.findall(query.lower()))
    words = [word for word in every if word not in STOP_WORDS] or list(every)
    hits: dict[tuple[str, ...], SessionHit] = {}
    chosen = (session for session in sessions if folder is None or _worked_in(session, folder))
    for session in islice(chosen, _MOST_FILES if words else 0):
        with contextlib.suppress(FileUnreadable):
            for hit in list(_hits_in(session, words))[::-1]:
                # A resumed session's file repeats the first one's.
                message = hit.message
                hits.setdefault((message.id, message.timestamp or hit.session, hit.text), hit)
    return sorted(hits.values(), key=lambda hit: -hit.matched)[:limit]


def _sessions_in(agent: Format, path: Path) -> Iterator[RecordedSession]:
    if stored := sessions_of(path):
        for key, folder, changed in stored:
            database = path.with_name(f"{path.name}#{key}")
            yield RecordedSession(agent, database, changed / 1_000, folder)
        return
    folder = ""  # of Gemini CLI it stands in a file beside the sessions
    with contextlib.suppress(OSError, UnicodeDecodeError):
        folder = (path.parent.parent / ".project_root").read_text(encoding="utf-8").strip()
    yield RecordedSession(agent, path, FileStat.of(path.stat()).changed_at, folder)


def _worked_in(session: RecordedSession, root: Path) -> bool:
    """Whether a session worked in the folder, or below it."""
    folder = session.folder
    with contextlib.suppress(OSError, ValueError, FileUnreadable):
        if not folder:
            with open_lines(session.path) as file:
                said = _FOLDER.search(file.read(_HEAD))
            folder = str(json.loads(said[1])) if said else ""
        return bool(folder) and Path(folder).resolve().is_relative_to(root.resolve())
    return False


def _hits_in(session: RecordedSession, words: Sequence[str]) -> Iterator[SessionHit]:
    least = math.ceil(len(words) / 2)
    # A word as it may stand in a line of JSON.
    forms = [{word.encode(), json.dumps(word)[1:-1].lower().encode()} for word in words]
    with open_lines(session.path) as file:
        for number, line in enumerate(file, 1):
            low = line.lower()
            if sum(any(map(low.__contains__, of)) for of in forms) < least:
                continue
            value = parse(line) or {}
            turn = CLIENTS[session.agent].read(value, SessionPlace(number))
            if turn and turn.kind != "outside":
                hits = (
                    _hit(session, message, words)
                    for message in turn_messages(turn, value, number, {})
                )
                yield from (hit for hit in hits if hit and hit.matched >= least)


def _hit(session: RecordedSession, message: Message, words: Sequence[str]) -> SessionHit | None:
    parts = (part.text for part in message.parts if part.kind != "thinking")
    text = " ".join(" ".join(parts).split())
    places = [re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in words]
    starts = [place.start() for place in places if place]
    if not starts:
        return None
    start, end = max(0, min(starts) - _AROUND), min(starts) + _AROUND
    shown = f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"
    return SessionHit(session.agent, str(session.path), message, len(starts), shown)
