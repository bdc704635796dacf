"""Shell completion of ids, tags and settings. What fails offers nothing: it must not scribble over a prompt."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from hippocampus_cli.markdown.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.api import EntryState
    from hippocampus_cli.context.lifecycle.store import SessionStore

Offers = Iterable[tuple[str, str]]


def _offering(
    find: Callable[[Path, typer.Context], Offers],
) -> Callable[[typer.Context, str], list[tuple[str, str]]]:
    """A completion with those words that ``find`` finds in the workspace and that fit, each with what it is."""

    def offer(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        from hippocampus_cli.workspace.root import find_workspace

        try:
            named = ctx.params.get("workspace") or ctx.find_root().params.get("workspace")
            explicit = Path(named) if named else None
            root = find_workspace(Path.cwd(), explicit, os.environ.get("HIPPO_WORKSPACE"))
            found = find(root, ctx)
            return [
                (safe_line(word), safe_line(about)[:60])
                for word, about in found
                if word.startswith(incomplete)
            ]
        except Exception:
            return []

    return offer


@_offering
def entry_ids(root: Path, _: typer.Context) -> Offers:
    """The ids of entries."""
    return ((entry.id, entry.topic) for entry in _entries(root))


@_offering
def resting_ids(root: Path, _: typer.Context) -> Offers:
    """The ids in the Decay Queue and in the archive."""
    queued = [entry for entry in _entries(root) if entry.queued]
    return ((entry.id, entry.topic) for entry in [*queued, *_entries(root, archived=True)])


@_offering
def tags(root: Path, _: typer.Context) -> Offers:
    """The tags, the most used first."""
    counts = Counter(tag for entry in _entries(root) for tag in entry.tags)
    ranked = sorted(counts, key=lambda tag: (-counts[tag], tag))
    return ((tag, f"{counts[tag]} entries") for tag in ranked)


@_offering
def message_ids(root: Path, _: typer.Context) -> Offers:
    """The ids in the newest summaries."""
    from hippocampus_cli.context.originals import known_ids

    return known_ids(root)


@_offering
def session_ids(root: Path, _: typer.Context) -> Offers:
    """The ids of sessions."""
    return ((id, "") for id in _sessions(root).ids())


@_offering
def context_entries(root: Path, ctx: typer.Context) -> Offers:
    """The ids of a session's entries."""
    key = ctx.params.get("session_id") or os.environ.get("HIPPO_SESSION")
    sessions = _sessions(root)
    session = sessions.read(key) if key else sessions.open_sessions()[-1]
    return ((entry.id, entry.summary.partition("\n")[0]) for entry in session.entries.values())


def settings(incomplete: str) -> list[tuple[str, str]]:
    """The settings that start with ``incomplete``, each with its meaning."""
    from hippocampus_cli.config import Config

    return [(row.key, row.doc) for row in Config().rows() if row.key.startswith(incomplete)]


def _entries(root: Path, *, archived: bool = False) -> list[EntryState]:
    from hippocampus_cli.api.workspace import open_workspace

    with open_workspace(root) as opened:
        return opened.entries.list(archived=archived, sort="file")


def _sessions(root: Path) -> SessionStore:
    from hippocampus_cli.context.lifecycle.store import SessionStore

    return SessionStore(root, 0)
