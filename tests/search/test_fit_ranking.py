"""The tool that the weights were chosen with is there to be run again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_it_can_be_asked_for_help() -> None:
    pytest.importorskip("numpy")
    command = [sys.executable, "-m", "tools.fit_ranking", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "LoCoMo" in done.stdout
