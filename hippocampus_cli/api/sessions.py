"""What agents recorded of their sessions, searched. No workspace is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hippocampus_cli.context.session_search import Hit
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.workspace.fence import Piece

_MOVED: tuple[tuple[str, Format], ...] = (
    ("CLAUDE_CONFIG_DIR", "claude-code"),
    ("CODEX_HOME", "codex"),
    ("PI_CODING_AGENT_DIR", "pi"),
    ("OPENCLAW_STATE_DIR", "openclaw"),
    ("XDG_DATA_HOME", "opencode"),
)
"""The variables that move the folder in which an agent keeps its sessions."""


def search_sessions(
    root: Path | None, environ: Mapping[str, str], query: str, *, limit: int = 10
) -> list[Hit]:
    """Messages with words of a question, in all recorded sessions that worked in ``root``; without one, in all."""
    from hippocampus_cli.context.session_search import recorded_sessions, search

    moved = [(agent, Path(environ[name])) for name, agent in _MOVED if environ.get(name)]
    found = recorded_sessions(Path("~").expanduser(), moved)
    return search(found, query, root, limit)


def pieces_of(hits: Sequence[Hit]) -> list[Piece]:
    """Messages for an agent, with whose words they are, their day, and the way to the whole."""
    from hippocampus_cli.api.compaction import origin_of
    from hippocampus_cli.workspace.fence import quoted

    return [
        quoted(
            origin_of(one.message),
            (one.message.timestamp or "")[:10] or None,
            f"{one.agent} `hippo fetch {one.message.id} --session {one.session}`",
            one.text,
        )
        for one in hits
    ]
