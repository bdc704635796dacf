"""Writing a page to a file that a person named. Nothing but a report is ever written over."""

from __future__ import annotations

import os
import stat
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
    data = text.encode("utf-8", "replace")
    try:
        mode = path.stat().st_mode if path.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            path.write_bytes(data)  # a pipe or a terminal must not be replaced by a file
            return
        if mode is not None and not _is_page(path):
            reason = f"{path} is there already, and is no report of hippo's"
            raise UsageError(reason=reason, advice="name another file, or move that one away")
    except OSError as error:
        raise FileUnwritable(path=str(path), reason=error.strerror or str(error)) from error
    replace_bytes(Path(os.path.realpath(path)), data, str(path))


def _is_page(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return not head or any(mark in head for mark in _MARKS)
