"""``python -m hippocampus_cli.cli.logged ARGUMENT...``: hippo as a scheduler runs it, its output in a log.

The log is that of the workspace named by ``--workspace``; where that has no ``.hippocampus`` (it was moved, or its
disk is not mounted) nothing is made there, and the output is the scheduler's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from hippocampus_cli.cli.main import main
from hippocampus_cli.errors import HippoError

FULL = 256 * 1024
"""Bytes after which a log is set aside as ``.1``, in place of the one before: two of them are kept."""


def run(argv: Sequence[str]) -> int:
    """Run hippo with ``argv``, both outputs appended to the log, between its moments and its exit code."""
    log = _open(Path(argv[argv.index("--workspace") + 1]))
    if log is not None:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(log, stream.fileno())
    _note(f"hippo {' '.join(argv[: argv.index('--workspace')])}")
    code = main(argv)
    _note(f"exit code {code}")
    return code


def _open(root: Path) -> int | None:
    """A descriptor that appends to the log; None where there can be none."""
    from hippocampus_cli.workspace.own_files import FOLDER, LOG, open_to_append

    if not (root / FOLDER).is_dir():
        return None
    path = root / LOG
    try:
        if path.exists() and path.stat().st_size > FULL:
            path.replace(path.with_name(f"{path.name}.1"))
        return open_to_append(root, LOG)
    except (OSError, HippoError):
        return None


def _note(text: str) -> None:
    sys.stdout.write(f"== {datetime.now().astimezone():%Y-%m-%d %H:%M:%S%z} {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
