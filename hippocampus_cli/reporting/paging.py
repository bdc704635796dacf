"""Writing a page to a file that a person named. Nothing but hippo's own is ever written over."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.errors import FileUnwritable, UsageError
from hippocampus_cli.reporting import markdown, page
from hippocampus_cli.workspace.atomic import replace_bytes

_MARKS = (markdown.MARK.encode(), page.MARK.encode())
_HEAD = 4096  # bytes in which a page has its mark


def write_page(path: Path, text: str) -> None:
    """Write a page; an older one at ``path`` is replaced whole, a link stays a link.

    Raises :class:`UsageError` where something else is there, :class:`FileUnwritable`.
    """
    write_over_own(path, text, _MARKS, "report")


def write_over_own(path: Path, text: str, marks: Sequence[bytes], kind: str) -> None:
    """The same for a file of another ``kind``, told by any of the ``marks`` near its beginning."""
    data = text.encode("utf-8", "replace")
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            path.write_bytes(data)  # a pipe or a terminal must not be replaced by a file
            return
        if mode is not None and not _is_own(path, marks):
            reason = f"{path} is there already, and is no {kind} of hippo's"
            raise UsageError(reason=reason, advice="name another file, or move that one away")
    except OSError as error:
        raise FileUnwritable(path=str(path), reason=error.strerror or str(error)) from error
    replace_bytes(Path(os.path.realpath(path)), data, str(path))


def _is_own(path: Path, marks: Sequence[bytes]) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or any(mark in head for mark in marks)
