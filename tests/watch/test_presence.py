from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli.errors import AlreadyWatched, FileUnwritable
from hippocampus_cli.watch.presence import sole_watch
from hippocampus_cli.workspace.own_files import WATCHING

SINCE = datetime(2026, 8, 1, 9, 14, tzinfo=UTC)
HOLD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from hippocampus_cli.watch.presence import sole_watch
with sole_watch(Path(sys.argv[1]), 4711, datetime(2026, 8, 1, 9, 14, tzinfo=UTC)):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_is_told_who_the_first_is(tmp_path: Path) -> None:
    with sole_watch(tmp_path, 17, SINCE):
        with pytest.raises(AlreadyWatched) as refused, sole_watch(tmp_path, 18, SINCE):
            pass
        assert refused.value.message == (
            "this workspace is already being watched, by process 17 since 2026-08-01 09:14"
        )
    with sole_watch(tmp_path, 18, SINCE):
        pass


def test_git_does_not_see_it(tmp_path: Path) -> None:
    with sole_watch(tmp_path, 17, SINCE):
        pass
    assert "*.lock" in (tmp_path / ".hippocampus/.gitignore").read_text().splitlines()
    assert WATCHING.endswith(".lock")


def test_a_watch_that_was_killed_is_none(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    with holder:
        assert holder.stdout and holder.stdout.readline() == b"held\n"
        with pytest.raises(AlreadyWatched, match="4711"), sole_watch(tmp_path, 18, SINCE):
            pass
        holder.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        holder.wait(timeout=20)
    with sole_watch(tmp_path, 18, SINCE):
        pass


def test_what_is_no_lock_is_replaced(tmp_path: Path) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / WATCHING).write_bytes(b"not a database, but long enough to be looked at" * 50)
    with (
        sole_watch(tmp_path, 17, SINCE),
        pytest.raises(AlreadyWatched, match="process 17"),
        sole_watch(tmp_path, 18, SINCE),
    ):
        pass


def test_a_lock_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / WATCHING).mkdir(parents=True)
    with pytest.raises(FileUnwritable), sole_watch(tmp_path, 17, SINCE):
        pass
