"""Shell completion of entry ids and tags, read from the index with two regular expressions.

A shell waits for every key press, so nothing is parsed and nothing is ever raised.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from hippocampus_cli.context.lifecycle.store import SessionStore

_HX = re.compile(r"<!--\s*hx:((?:(?!-->|<!--\s*hx:).)*+)-->", re.DOTALL)
_HEADING = re.compile(r"^#{2,6}[ \t]++(.*[^ \t#\n])[ \t#]*$", re.MULTILINE)
_FIELD = r"(?:^|\|)\s*{name}\s*=\s*([^|]*)"
_ID = re.compile(_FIELD.format(name="id"))
_TAGS = re.compile(_FIELD.format(name="tags"))
_LARGEST = 10_000_000  # bytes read at most


def entry_ids(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The ids that start with ``incomplete``, each with its entry's heading."""
    try:
        text = _index_text(ctx)
        return [pair for pair in _ids(text) if pair[0].startswith(incomplete)]
    except Exception:  # a completion that fails must not scribble over a prompt
        return []


def resting_ids(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The ids in the Decay Queue and in the archive that start with ``incomplete``."""
    from hippocampus_cli.index.document import ARCHIVE

    try:
        queue = re.split(
            r"^##[ \t]+Decay Queue\b.*$", _index_text(ctx), maxsplit=1, flags=re.MULTILINE
        )
        text = "".join((*queue[1:], *_texts(_root(ctx), ARCHIVE)))
        return [pair for pair in _ids(text) if pair[0].startswith(incomplete)]
    except Exception:
        return []


def message_ids(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The ids in the newest summaries that start with ``incomplete``, each with what it is."""
    try:
        from hippocampus_cli.context.originals import known_ids
        from hippocampus_cli.markdown.safe import safe_line

        found = ((safe_line(one), safe_line(label)) for one, label in known_ids(_root(ctx)))
        return [pair for pair in found if pair[0].startswith(incomplete)]
    except Exception:
        return []


def tags(ctx: typer.Context, incomplete: str) -> list[str]:
    """The tags that start with ``incomplete``, the most used first."""
    try:
        text = _index_text(ctx)
        counts: dict[str, int] = {}
        for comment in _HX.findall(text):
            for tag in _split(_TAGS.search(comment)):
                counts[tag] = counts.get(tag, 0) + 1
        ranked = sorted(counts, key=lambda tag: (-counts[tag], tag))
        return [tag for tag in ranked if tag.startswith(incomplete)]
    except Exception:
        return []


def session_ids(ctx: typer.Context, incomplete: str) -> list[str]:
    """The ids of sessions that start with ``incomplete``."""
    try:
        return [key for key in _sessions(ctx).ids() if key.startswith(incomplete)]
    except Exception:
        return []


def context_entries(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The ids of a session's entries that start with ``incomplete``, each with its summary's first line."""
    from hippocampus_cli.markdown.safe import safe_line

    try:
        sessions = _sessions(ctx)
        key = ctx.params.get("session_id") or os.environ.get("HIPPO_SESSION")
        session = sessions.read(key) if key else sessions.open_sessions()[-1]
        return [
            (one.id, safe_line(one.summary.partition("\n")[0])[:60])
            for one in session.entries.values()
            if one.id.startswith(incomplete)
        ]
    except Exception:
        return []


def settings(incomplete: str) -> list[tuple[str, str]]:
    """The settings that start with ``incomplete``, each with its meaning."""
    from hippocampus_cli.config import Config

    return [(row.key, row.doc) for row in Config().rows() if row.key.startswith(incomplete)]


def _sessions(ctx: typer.Context) -> SessionStore:
    from hippocampus_cli.context.lifecycle.store import SessionStore

    return SessionStore(_root(ctx), 0)


def _ids(text: str) -> Iterator[tuple[str, str]]:
    from hippocampus_cli.markdown.safe import safe_line

    end = 0
    for comment in _HX.finditer(text):
        if found := _ID.search(comment.group(1)):
            headings = _HEADING.findall(text, end, comment.start())
            yield safe_line(found.group(1).strip()), safe_line(headings[-1]) if headings else ""
        end = comment.end()


def _split(found: re.Match[str] | None) -> list[str]:
    from hippocampus_cli.markdown.safe import safe_line

    words = found.group(1).split(",") if found else []
    return [safe_line(word.strip()) for word in words if word.strip()]


def _index_text(ctx: typer.Context) -> str:
    """The text of the index, that of its topic files before it: the Decay Queue stands last."""
    from hippocampus_cli.index.document import MASTER, TOPICS

    root = _root(ctx)
    return "".join((*_texts(root, TOPICS), _text(root / MASTER)))


def _root(ctx: typer.Context) -> Path:
    from hippocampus_cli.workspace.root import find_workspace

    explicit = ctx.params.get("workspace") or ctx.find_root().params.get("workspace")
    return find_workspace(
        Path.cwd(), Path(explicit) if explicit else None, os.environ.get("HIPPO_WORKSPACE")
    )


def _texts(root: Path, folder: str) -> list[str]:
    return [_text(path) for path in sorted((root / folder).glob("*.md"))]


def _text(path: Path) -> str:
    from hippocampus_cli.workspace.regular import read_regular

    return read_regular(path, _LARGEST).decode("utf-8", "replace").replace("\r\n", "\n")


def one_of(words: Sequence[str]) -> Callable[[str], list[str]]:
    """A completion that offers the fitting ones of ``words``."""
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]
