"""Reading one note from disk."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.index.metadata import unescape
from hippocampus_cli.markdown.lines import decode
from hippocampus_cli.workspace.paths import inner_path, real_path
from hippocampus_cli.workspace.regular import read_regular, reading

if TYPE_CHECKING:
    from hippocampus_cli.workspace.note import Note

SNIFF = 8192
"""Bytes of a file in which binary data shows."""
BINARY = "it holds binary data, not text"
_TEXT = 0.99  # of what has a NUL and is text all the same
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_note(root: Path, path: str, max_bytes: int) -> Note:
    """The note at ``path`` (relative, ``/``-separated), decoded so that every byte can be written back.

    Raises:
        OutsideWorkspace: the path, or a link on its way, leads out of ``root``.
        FileUnreadable: it is missing, not a regular file, forbidden, binary, or above ``max_bytes``.
    """
    from hippocampus_cli.workspace.note import Note  # what reads bytes has no use for sections

    data = read_file(root, path, max_bytes)
    if is_binary(data):
        raise FileUnreadable(path=path, reason=BINARY)
    return Note(path, decode(data))


def read_file(root: Path, path: str, max_bytes: int) -> bytes:
    """The bytes of the file at ``path``; raises as :func:`read_note` does, binary data is allowed."""
    with reading(path):
        return read_regular(_locate(root, path), max_bytes, whole=True)


def is_binary(data: bytes) -> bool:
    """Whether ``data`` is no text that hippo reads: UTF-16, or a NUL in the first 8 KB. A few among many lines of
    UTF-8 are what an interrupted write left, and divide words as blanks do."""
    head = data[:SNIFF]
    if b"\0" not in head:
        return data.startswith(_UTF16)
    text = head.decode("utf-8", "ignore").replace("\0", "").encode()
    return len(text) < _TEXT * len(head)


def _locate(root: Path, path: str) -> str:
    relative = inner_path(path)
    if relative and "%" in relative and not os.path.lexists(root / relative):
        # spelled as in a pointer: bytes that are no UTF-8, line breaks
        relative = unescape(relative)
    real = None if relative is None else real_path(os.fspath(root), relative)
    if real is None:
        raise OutsideWorkspace(path=path, reason="this path leads out of the workspace")
    return os.path.join(root, real)
