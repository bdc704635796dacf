"""Whether a file of hippo's own is as hippo left it: a *seal* beside it says how it looked then.

No copy, no file that was handed over and none that was written to keeps the moment of its last change, which the
kernel sets. On Windows, where that is the moment of the file's making, its size and time of change tell.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from hippocampus_cli.workspace.own_files import SEAL, give_to_owner


def is_as_left(path: Path) -> bool:
    """Whether the file looks as hippo left it; also where there is none, or an empty one."""
    try:
        look = _look(path)
        if not look:
            return True
        with open(f"{path}{SEAL}", "rb") as file:
            return file.read(len(look) + 1) == look
    except OSError:
        return False


def seal(path: Path) -> None:
    """Note how the file looks. Whoever has changed it since finds it other than that, and looks closer."""
    with contextlib.suppress(OSError):
        look, target = _look(path), f"{path}{SEAL}"
        temporary = f"{target}.{os.getpid()}"  # renamed over whatever may lie there, a link too
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(temporary, flags, 0o600)
        try:
            os.write(handle, look)
        finally:
            os.close(handle)
        give_to_owner(Path(temporary))
        os.replace(temporary, target)


def _look(path: Path) -> bytes:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return b""
    look = f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}\n"
    return look.encode() if status.st_size else b""
