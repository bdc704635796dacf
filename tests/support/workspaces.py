"""Small workspaces and moments that the tests of curation share."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Document

WORKSPACES = Path(__file__).parents[1] / "workspaces"
NOW = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
BANDS = Bands()


def acme(folder: Path) -> Workspace:
    """A copy of the small workspace, opened."""
    root = folder / "acme"
    shutil.copytree(WORKSPACES / "acme", root)
    return Workspace(root, Config())


def fixture_of_few(folder: Path) -> Path:
    """A copy of the fixture's workspace without most of its notes, for what takes time with each of them."""
    left_out = ("2026-*", "archive", "daily", "long-term", "projects", "research")
    source = WORKSPACES.parents[1] / "fixtures/workspace"
    return shutil.copytree(source, folder / "workspace", ignore=shutil.ignore_patterns(*left_out))


def index_of(workspace: Workspace) -> str:
    """The index's text on disk."""
    return (workspace.root / "HIPPOCAMPUS.md").read_bytes().decode("utf-8", "surrogateescape")


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file below ``root`` with its bytes."""
    files = (path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def clock(document: Document) -> DecayClock:
    return DecayClock(NOW, Decay(), document.ids)
