"""Reading many notes one after the other, and naming those that cannot be read.

Where a folder leads is found out once, not for each of its files. A note that cannot be read is neither searched
nor indexed, so the user has to be told.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal, real_file
from hippocampus_cli.workspace.read import BINARY, SNIFF, content, is_binary, note_of, read_note
from hippocampus_cli.workspace.regular import FLAGS, read_regular, reason_of
from hippocampus_cli.workspace.scan import Reason, Scan, Skipped

# Below an open folder that was found inside, a name that is no link cannot lead outside, whatever is renamed.
_CAN = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW") and hasattr(os, "O_DIRECTORY")
_NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NOT_A_LINK


class Reader:
    """Reads notes of one workspace; fastest in path order. It holds one folder open until :meth:`close`."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self._root = root
        self._max_bytes = max_bytes
        self._folder: str | None = None
        self._descriptor = -1

    def note(self, path: str) -> Note:
        """As :func:`~hippocampus_cli.workspace.read.read_note`."""
        folder, _, name = path.rpartition("/")
        plain = name not in ("", ".", "..") and not is_absolute(path)
        if _CAN and plain and self._opened(folder):
            # a link, gone, forbidden, impossible: below each has its error
            with contextlib.suppress(OSError, ValueError):
                file = os.open(name, FLAGS | _NOT_A_LINK, dir_fd=self._descriptor)
                return note_of(path, content(file, path, self._max_bytes))
        return read_note(self._root, path, self._max_bytes)

    def close(self) -> None:
        """Release the folder; another note opens its own."""
        self._folder = None
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _opened(self, folder: str) -> bool:
        """Whether ``folder``, relative to the root, is the one that is open."""
        if folder == self._folder:
            return True
        self.close()
        if is_possible(folder) and normal(folder) == folder:
            real = real_file(os.path.realpath(self._root), folder)
            with contextlib.suppress(OSError):
                self._descriptor = os.open(real, _FOLDER) if real else -1
                self._folder = folder if real else None
        return self._folder is not None


_REASONS = {
    Reason.TOO_LARGE: "larger than scan.max_file_bytes; split it, or raise that setting",
    Reason.UNREADABLE: "not readable",
}


class Unread(NamedTuple):
    """A note that could not be read, and why; the path of a folder, with all below it, ends in ``/``."""

    path: str
    reason: str


def passed_over(skipped: Iterable[Skipped]) -> list[Unread]:
    """What a scan took for notes and left aside all the same."""
    return [Unread(path, _REASONS[why]) for path, why in skipped if why in _REASONS]


def unread_notes(root: Path, found: Scan) -> list[Unread]:
    """Every note of a scan that cannot be read, in path order. Of each file the beginning is read."""
    return sorted([*passed_over(found.skipped), *_refused(root, found.files)])


_NEVER_NOTES = """
py pyc pyi ipynb js jsx mjs cjs ts tsx map vue svelte css scss less html htm xml xsd xsl svg c h cc cpp hpp m go rs
java kt kts scala swift rb php pl pm lua r jl sql sh bash zsh fish ps1 bat cmd ino ex exs erl hs clj dart cs fs vb
gradle cmake make mk tf proto graphql mmd wasm lock sum mod cfg conf ini env properties plist service timer log
out err pid csv tsv jsonl ndjson bak tmp swp orig rej diff patch pem crt key pub asc sig
"""
"""Endings of sources, settings, data and copies: text that nobody means by a note."""
_SNIFFED = 20  # endings that are looked into, and files of each
_LOOKED_INTO = 3
_CUT = 4  # bytes of a character that is cut at the end of what is read
_FILE_NAME = re.compile(r"(?<![\w.-])[\w-][\w.-]*\.\w+")


class OtherEnding(NamedTuple):
    """An ending of text files that are not read as notes; ``named`` are those of them that a core note names."""

    ending: str
    files: int
    named: tuple[str, ...]


def other_endings(
    root: Path, skipped: Iterable[Skipped], core: Iterable[str]
) -> tuple[OtherEnding, ...]:
    """Endings that may be those of notes, first those that the ``core`` texts name. A few files of each are opened.

    A few files that nobody names are not worth a word.
    """
    never = _NEVER_NOTES.split()
    paths: dict[str, list[str]] = {}
    for path, why in skipped:
        stem, _, ending = path.rpartition(".")
        if why is Reason.KIND and stem and ending.isalnum() and not ending.isdigit():
            paths.setdefault(ending.lower(), []).append(path)
    words = {word for text in core for word in _FILE_NAME.findall(text)}
    found = [
        OtherEnding(ending, len(there), tuple(p for p in there if p.rpartition("/")[2] in words))
        for ending, there in paths.items()
        if ending not in never
    ]
    found = [one for one in found if one.named or one.files >= _LOOKED_INTO]
    found.sort(key=lambda one: (-len(one.named), -one.files, one.ending))
    return tuple(
        one
        for one in found[:_SNIFFED]
        if all(_is_text(root, path) for path in paths[one.ending][:_LOOKED_INTO])
    )


def _is_text(root: Path, path: str) -> bool:
    try:
        data = read_regular(os.path.join(root, path), SNIFF)
    except OSError:
        return False
    text = data.decode(errors="ignore").encode()
    return bool(data) and not is_binary(data) and len(data) - len(text) < _CUT


def _refused(root: Path, files: Iterable[FileStat]) -> Iterator[Unread]:
    for stat in files:
        try:
            if is_binary(read_regular(os.path.join(root, stat.path), SNIFF)):
                yield Unread(stat.path, BINARY)
        except OSError as error:
            yield Unread(stat.path, reason_of(error))
