"""A copy of a workspace to measure: its notes, its index and its settings, and nothing else of it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from hippocampus_cli.config import CONFIG_PATH, Config
from hippocampus_cli.errors import FileUnreadable, FileUnwritable
from hippocampus_cli.index.document import MASTER, TOPICS
from hippocampus_cli.workspace.scan import scan


def copy_workspace(root: Path, config: Config, to: Path) -> None:
    """Copy the notes that a query would read, times included.

    The folder itself is only read. A file that goes while this is at work is left out. Raises
    :class:`FileUnreadable`, :class:`FileUnwritable`.
    """
    notes = [stat.path for stat in scan(root, config.scan).files]
    to.mkdir(parents=True)
    for path in (*notes, *_own(root)):
        with contextlib.suppress(FileNotFoundError):
            _copy(root / path, to / path)


def _own(root: Path) -> Iterator[str]:
    """The index with its topic files, and the settings."""
    yield from (path for path in (MASTER, CONFIG_PATH) if (root / path).is_file())
    topics = root / TOPICS
    if topics.is_dir() and not topics.is_symlink():
        yield from (f"{TOPICS}{file.name}" for file in topics.glob("*.md") if file.is_file())


def _copy(source: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileUnwritable(path=str(target), reason=error.strerror or str(error)) from error
    try:
        shutil.copy2(source, target)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileUnreadable(path=str(source), reason=error.strerror or str(error)) from error
