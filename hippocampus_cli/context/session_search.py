"""Words looked up in the sessions that agents recorded, in each one's own files, which are only read."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.context.transcripts import Format, Message
from hippocampus_cli.context.transcripts.client import Place
from hippocampus_cli.context.transcripts.opencode import lines_of, sessions_of
from hippocampus_cli.context.transcripts.records import LARGEST, Span, parse
from hippocampus_cli.context.transcripts.session import CLIENTS, turn_messages
from hippocampus_cli.text.stop_words import STOP_WORDS
from hippocampus_cli.workspace.file_table import FileStat

_MOST_FILES = 400
_HEAD = 262_144  # bytes in which a session says its folder
_AROUND = 160  # characters before and behind a word that is found
_WORD = re.compile(r"\w+")
_FOLDER = re.compile(rb'"(?:cwd|directory)"\s*:\s*("(?:[^"\\]|\\.)*")')
_GLOBS: tuple[tuple[Format, str], ...] = (
    ("claude-code", ".claude/projects/*/*.jsonl"),
    ("codex", ".codex/sessions/*/*/*/*.jsonl"),
    ("gemini", ".gemini/tmp/*/chats/*.jsonl"),
    ("opencode", ".local/share/opencode/opencode.db"),
    ("openclaw", ".openclaw/agents/*/sessions/*.jsonl"),
    ("pi", ".pi/agent/sessions/*/*.jsonl"),
)


class RecordedSession(NamedTuple):
    """A session of an agent: its file (of a database behind ``#`` the session), when it changed, in seconds, and the
    folder it worked in, empty where it does not say."""

    agent: Format
    path: Path
    changed: float
    folder: str = ""


class Hit(NamedTuple):
    """A message that holds words of a question: ``matched`` of them; ``text`` is what stands around the first."""

    agent: Format
    session: str
    message: Message
    matched: int
    text: str


def recorded_sessions(
    home: Path, moved: Sequence[tuple[Format, Path]] = ()
) -> list[RecordedSession]:
    """The sessions below a home folder, newest first; ``moved`` are folders that variables name, by the agent."""
    found: dict[Path, RecordedSession] = {}
    globs = [(agent, home, glob) for agent, glob in _GLOBS]
    for agent, folder in moved:
        own = dict(_GLOBS)[agent]
        parts = 2 if own.startswith((".pi/", ".local/")) else 1
        globs.append((agent, folder, "/".join(own.split("/")[parts:])))
    for agent, folder, glob in globs:
        with contextlib.suppress(OSError):
            for path in folder.glob(glob):
                for one in _sessions_in(agent, path):
                    found.setdefault(one.path, one)
    return sorted(found.values(), key=lambda one: (-one.changed, str(one.path)))


def search(
    sessions: Iterable[RecordedSession], query: str, folder: Path | None, limit: int
) -> list[Hit]:
    """The messages with the most words of a question, newest first among equals.

    ``folder`` takes only sessions that worked in it or below. A message has at least half of the words.
    """
    words = tuple(dict.fromkeys(_WORD.findall(query.lower())))
    words = tuple(one for one in words if one not in STOP_WORDS) or words
    if not words:
        return []
    found: list[Hit] = []
    chosen = (one for one in sessions if folder is None or _worked_in(one, folder))
    for session in islice(chosen, _MOST_FILES):
        with contextlib.suppress(OSError):
            found += _best(_hits_in(session, words), limit)
    return _best(found, limit)


def _best(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """The hits with the most words, in their order among equals."""
    return sorted(hits, key=lambda one: -one.matched)[:limit]


def _sessions_in(agent: Format, path: Path) -> Iterator[RecordedSession]:
    if agent == "opencode":
        for key, folder, at in sessions_of(path):
            yield RecordedSession(agent, path.with_name(f"{path.name}#{key}"), at, folder)
    else:
        yield RecordedSession(agent, path, FileStat.of(path.stat()).changed_at, _marked(path))


def _marked(path: Path) -> str:
    """The folder of a session of Gemini CLI, which stands in a file beside them."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return (path.parent.parent / ".project_root").read_text(encoding="utf-8").strip()
    return ""


def _worked_in(session: RecordedSession, root: Path) -> bool:
    """Whether a session worked in the folder, or below it."""
    said = [session.folder] if session.folder else list(_folders(session.path))
    with contextlib.suppress(OSError, ValueError):
        return any(Path(one).resolve().is_relative_to(root.resolve()) for one in said if one)
    return False


def _folders(path: Path) -> Iterator[str]:
    with contextlib.suppress(OSError), path.open("rb") as file:
        for found in islice(_FOLDER.finditer(file.read(_HEAD)), 1):
            with contextlib.suppress(ValueError):
                yield str(json.loads(found[1]))


def _hits_in(session: RecordedSession, words: Sequence[str]) -> Iterator[Hit]:
    """The last messages first."""
    least = math.ceil(len(words) / 2)
    signs = [_signs(one) for one in words]
    client = CLIENTS[session.agent]
    hits: list[Hit] = []
    for span, line in _lines(session):
        low = line.lower()
        if sum(any(sign in low for sign in one) for one in signs) < least:
            continue
        value = parse(line)
        turn = None if value is None else client.read(value, Place(span.line))
        if value is None or turn is None or turn.kind == "outside":
            continue
        for message in turn_messages(turn, value, span.line, {}):
            hit = _hit(session, message, words)
            if hit is not None and hit.matched >= least:
                hits.append(hit)
    yield from reversed(hits)


def _hit(session: RecordedSession, message: Message, words: Sequence[str]) -> Hit | None:
    text = " ".join(
        " ".join(part.text for part in message.parts if part.kind != "thinking").split()
    )
    places = [at for at in (_place(text, word) for word in words) if at is not None]
    if not places:
        return None
    first = min(places)
    start, end = max(0, first - _AROUND), min(len(text), first + _AROUND)
    shown = f"{'…' if start else ''}{text[start:end].strip()}{'…' if end < len(text) else ''}"
    return Hit(session.agent, str(session.path), message, len(places), shown)


def _place(text: str, word: str) -> int | None:
    found = re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)
    return None if found is None else found.start()


def _signs(word: str) -> tuple[bytes, ...]:
    """A word as it may stand in a line of JSON."""
    return tuple({word.encode(), json.dumps(word)[1:-1].lower().encode()})


def _lines(session: RecordedSession) -> Iterator[tuple[Span, bytes]]:
    made = lines_of(session.path)
    with session.path.open("rb") if made is None else io.BytesIO(made) as file:
        offset = 0
        for number, line in enumerate(file, 1):
            if len(line) <= LARGEST:
                yield Span(number, offset, len(line)), line
            offset += len(line)
