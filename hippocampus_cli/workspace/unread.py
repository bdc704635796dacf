"""The notes that cannot be read, and text files that may be notes: neither is searched nor indexed, so the user has
to be told."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.read import BINARY, SNIFF, is_binary
from hippocampus_cli.workspace.regular import read_regular, reason_of
from hippocampus_cli.workspace.scan import Reason, Scan, Skipped

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
_FEWEST = 3  # files of an ending that are worth a word
_MOST = 20  # endings that are looked into
_CUT = 4  # bytes of a character that is cut at the end of what is read


class OtherEnding(NamedTuple):
    """An ending of text files that are not read as notes, and how many there are."""

    ending: str
    files: int


def other_endings(root: Path, skipped: Iterable[Skipped]) -> tuple[OtherEnding, ...]:
    """Endings that may be those of notes, the most frequent first. A few files of each are opened."""
    paths: dict[str, list[str]] = {}
    for path, why in skipped:
        stem, _, ending = path.lower().rpartition(".")
        if why is Reason.KIND and stem and ending.isalnum() and not ending.isdigit():
            paths.setdefault(ending, []).append(path)
    never = _NEVER_NOTES.split()
    counts = [
        OtherEnding(ending, len(there))
        for ending, there in paths.items()
        if ending not in never and len(there) >= _FEWEST
    ]
    counts.sort(key=lambda other: (-other.files, other.ending))
    return tuple(
        other
        for other in counts[:_MOST]
        if all(_is_text(root, path) for path in paths[other.ending][:_FEWEST])
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
