"""What the tests of commands share."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ACME = Path(__file__).parents[1] / "workspaces/acme"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an index and nothing else, which one stands in."""
    root = tmp_path / "agent"
    root.mkdir()
    (root / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small workspace with an index, which one stands in, on the first of February 2026."""
    root = tmp_path / "acme"
    shutil.copytree(ACME, root)
    monkeypatch.chdir(root)
    monkeypatch.setenv("HIPPO_NOW", "2026-02-01T09:00:00+00:00")
    return root
