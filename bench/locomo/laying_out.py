"""A conversation as an agent's workspace: a daily file a day, a heading a session, a bullet a turn."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import NamedTuple

from bench.ageing import age
from bench.locomo.conversation import Conversation, Session, Turn
from hippocampus_cli.benchmark.corpus import Corpus, Line, Span


class LaidOut(NamedTuple):
    """What was written: its lines, where each turn stands by its id, and the morning after the last session."""

    corpus: Corpus
    places: Mapping[str, Line]
    now: datetime


def lay_out(conversation: Conversation, root: Path) -> LaidOut:
    """Write ``memory/YYYY-MM-DD.md`` files below ``root``, a folder of one's own."""
    files: dict[str, list[str]] = {}
    places: dict[str, Line] = {}
    sections = [_append(session, files, places) for session in conversation.sessions]
    for path, lines in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{line}\n" for line in lines)
        file.write_text(text, encoding="utf-8", errors="replace", newline="\n")
        age(file)
    last = max(session.day for session in conversation.sessions)
    morning = datetime.combine(last + timedelta(days=1), time(9), UTC)
    return LaidOut(Corpus(files, frozenset(places.values()), tuple(sections)), places, morning)


def _append(session: Session, files: dict[str, list[str]], places: dict[str, Line]) -> Span:
    path = f"memory/{session.day}.md"
    lines = files.setdefault(path, [f"# {session.day}"])
    lines += ["", f"## Session {session.number}, {session.when}", ""]
    start = len(lines) - 1
    for turn in session.turns:
        lines.append(bullet(turn))
        places[turn.id] = (path, len(lines))
    return Span(path, start, len(lines))


def bullet(turn: Turn) -> str:
    """The line of a turn."""
    photo = f" [shares a photo: {turn.caption}]" if turn.caption else ""
    return f"- {turn.speaker}: {turn.text}{photo}"
