"""Shell completion of ids, tags and settings. What fails offers nothing: it must not scribble over a prompt."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import typer

from hippocampus_cli import api
from hippocampus_cli.config import Config
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.workspace.root import find_workspace

Root = Callable[[], Path]
Offers = Iterable[tuple[str, str]]


def completion(kind: str) -> Callable[[typer.Context, str], list[tuple[str, str]]]:
    """A completion with the words of a ``kind`` of the workspace that fit, each with what it is."""

    def offer(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        try:
            named = ctx.params.get("workspace") or ctx.find_root().params.get("workspace")
            explicit = Path(named) if named else None
            variable = os.environ.get("HIPPO_WORKSPACE")
            root = partial(find_workspace, Path.cwd(), explicit, variable)
            return [
                (safe_line(word), safe_line(about)[:60])
                for word, about in _KINDS[kind](root)
                if word.startswith(incomplete)
            ]
        except Exception:
            return []

    return offer


def _entry_ids(root: Root) -> Offers:
    return ((entry.id, entry.topic) for entry in _entries(root))


def _resting_ids(root: Root) -> Offers:
    """The ids in the Decay Queue and in the archive."""
    queued = [entry for entry in _entries(root) if entry.queued]
    return ((entry.id, entry.topic) for entry in [*queued, *_entries(root, archived=True)])


def _tags(root: Root) -> Offers:
    """The tags, the most used first."""
    counts = Counter(tag for entry in _entries(root) for tag in entry.tags)
    ranked = sorted(counts, key=lambda tag: (-counts[tag], tag))
    return ((tag, f"{counts[tag]} entries") for tag in ranked)


def _settings(root: Root) -> Offers:
    return ((row.key, row.doc) for row in Config().rows())


def _entries(root: Root, *, archived: bool = False) -> list[api.EntryState]:
    with api.workspace.open_workspace(root()) as opened:
        return opened.entries.list(archived=archived, sort="file")


_KINDS: dict[str, Callable[[Root], Offers]] = {
    "entry_ids": _entry_ids,
    "resting_ids": _resting_ids,
    "tags": _tags,
    "settings": _settings,
}
