"""The workspace that is asked: a copy, built without what came later, brought in step, filled up if wished."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from bench.corf.dataset import Gold, Query
from bench.made_up import write_made_up
from hippocampus_cli.api import Workspace
from hippocampus_cli.index.files import MASTER
from hippocampus_cli.markdown.lines import decode, encode, split_lines

Progress = Callable[[int, int], object]
_CHUNKS_A_FILE = 4  # of the made-up notes: one a section


def stage(
    workspace: Workspace, queries: Iterable[Query], chunks: int, now: datetime, progress: Progress
) -> int:
    """Make a copy ready to be asked; how many notes were made up. ``progress`` is told of the build.

    An index that has to be drawn up for the hybrid query is out of the way while anchors are built: what it
    names depends on the day, and figures of the same notes should be the same tomorrow.
    """
    drawn = None
    if not workspace.store.exists():
        workspace.bootstrap(now=now)
        drawn = (workspace.root / MASTER).rename(workspace.root.parent / MASTER)
    files = fill(workspace.root, chunks)
    build_in_two(workspace, later(queries), now, progress)
    if drawn:
        drawn.rename(workspace.root / MASTER)
    return files


def later(queries: Iterable[Query]) -> dict[str, set[int]]:
    """The lines that came after the build, by file."""
    found: dict[str, set[int]] = {}
    for query in queries:
        if query.updated_after_build:
            for gold in query.gold:
                found.setdefault(gold.path, set()).update(_lines(gold))
    return found


def build_in_two(
    workspace: Workspace, missing: dict[str, set[int]], now: datetime, progress: Progress
) -> None:
    """Build the anchors without ``missing`` lines, put them back, and update the files they stand in."""
    root = workspace.root
    kept = root.parent / "kept"
    for path, lines in missing.items():
        (kept / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / path, kept / path)
        (root / path).write_bytes(_without((root / path).read_bytes(), lines))
    workspace.anchors_build(now=now, progress=progress)
    for path in missing:
        shutil.copy2(kept / path, root / path)
    if missing:
        workspace.anchors_update(*missing, now=now)


def fill(root: Path, chunks: int) -> int:
    """Add made-up notes of about ``chunks`` chunks; how many notes."""
    files = -(-max(0, chunks) // _CHUNKS_A_FILE)
    write_made_up(root / "made-up", files)
    return files


def _lines(gold: Gold) -> range:
    return range(gold.start, gold.end + 1)


def _without(data: bytes, lines: set[int]) -> bytes:
    left = (line for at, line in enumerate(split_lines(decode(data)), 1) if at not in lines)
    return encode("".join(left))
