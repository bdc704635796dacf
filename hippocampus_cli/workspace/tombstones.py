"""``.hippocampus/forgotten.jsonl``: what was forgotten, without any of it (its *tombstones*).

A tombstone says when, what sort of thing, and in how many places it was. Texts and paths are in it as salted slow
hashes, so that what is derived later from a note that still holds them, or from an old file that a sync brings back,
can leave them out. The file is not under version control and only its owner may read it: whoever has the hashes and
their salt can confirm a guess, which is little for a key and much for a name.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.redaction.phrases import Hashes, Phrase
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import FORGOTTEN, ensure_folder, refuse_outside
from hippocampus_cli.workspace.regular import read_regular, reading
from hippocampus_cli.workspace.state import SENSELESS

_VERSION = 1
_BY_ITSELF = "removed"
"""The sort of tombstones that older versions wrote for what only looked like a secret: nobody asked for them."""
_LARGEST = 50_000_000


class Tombstone(NamedTuple):
    """One thing that was forgotten. ``sort`` is ``text``, ``path`` or ``session`` (of older versions ``span``, too).
    ``places`` is how often it was in files of hippo's own.
    """

    number: int
    at: datetime
    sort: str
    places: int = 0
    phrases: tuple[Phrase, ...] = ()
    paths: tuple[Phrase, ...] = ()
    session: str = ""


class Forgotten:
    """The tombstones of one workspace. ``matcher`` finds forgotten texts, ``None`` where none is forgotten."""

    def __init__(self, salt: bytes, tombstones: Sequence[Tombstone]) -> None:
        self.tombstones = tuple(tombstones)
        self.hashes = Hashes(salt)
        phrases = [phrase for stone in tombstones for phrase in stone.phrases]
        self.matcher = self.hashes.matcher(phrases) if phrases else None
        self._paths = {path for stone in tombstones for path in stone.paths}
        self._sieves = {path.sieve for path in self._paths}

    def is_path(self, path: str) -> bool:
        """Whether the note at ``path`` was forgotten, or a folder that it is in."""
        if not self._paths:
            return False
        parts = path.split("/")
        folders = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
        return any(
            self.hashes.sieve((_PATH, folder)) in self._sieves  # which is quick
            and path_phrase(self.hashes, folder) in self._paths
            for folder in folders
        )

    def is_note(self, path: str) -> bool:
        """Whether a note is to be left out: it was forgotten, or its name holds a text that was."""
        return self.is_path(path) or bool(self.matcher and any(self.matcher(path)))

    def next_number(self) -> int:
        """The number of the next tombstone."""
        return max((stone.number for stone in self.tombstones), default=0) + 1


_NOTHING = Forgotten(b"", ())
_PATH = "\0path"


def path_phrase(hashes: Hashes, path: str) -> Phrase:
    """What stands for a note's or a folder's path in a tombstone."""
    return hashes.phrase((_PATH, path))


def load(root: Path) -> Forgotten:
    """The tombstones of a workspace.

    Raises :class:`OutsideWorkspace`, :class:`FileUnreadable`: what was forgotten must not come back because a file
    cannot be read.
    """
    path = root / FORGOTTEN
    try:
        look = FileStat.of(os.stat(path), os.fspath(path))
    except OSError:
        return _NOTHING
    refuse_outside(root, path)
    return _loaded(look)


def is_forgotten(root: Path, path: str) -> bool:
    """Whether the note at ``path`` is left out of everything. Raises as :func:`load`."""
    return load(root).is_note(path)


@lru_cache(maxsize=16)
def _loaded(look: FileStat) -> Forgotten:
    """The tombstones in the file that looks so."""
    with reading(FORGOTTEN):
        data = read_regular(look.path, _LARGEST)
    try:
        return _parsed(data)
    except SENSELESS as error:
        raise FileUnreadable(
            path=FORGOTTEN,
            reason="it is damaged; put it right or restore it, or what was forgotten may come back",
        ) from error


def change(
    root: Path, timeout: float, change: Callable[[Forgotten], Iterable[Tombstone]]
) -> Forgotten:
    """Write the tombstones that ``change`` makes of those that there are.

    Raises :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`Busy`, :class:`OutsideWorkspace`.
    """
    with locked(root, timeout):
        before = load(root)
        if not before.hashes.salt:
            before = Forgotten(secrets.token_bytes(16), ())
        data = _written(before.hashes.salt, change(before))
        replace_bytes(ensure_folder(root, FORGOTTEN), data, FORGOTTEN, mode=0o600)
        _loaded.cache_clear()
    return _parsed(data)


def _parsed(data: bytes) -> Forgotten:
    if not data.strip():
        return _NOTHING
    head, *rows = map(json.loads, data.splitlines())
    if head["version"] != _VERSION:
        raise ValueError
    stones = [_tombstone(row) for row in rows if row["sort"] != _BY_ITSELF]
    return Forgotten(bytes.fromhex(head["salt"]), stones)


def _tombstone(row: dict[str, Any]) -> Tombstone:
    row["number"], row["at"] = int(row["id"]), datetime.fromisoformat(row["at"])
    for name in ("phrases", "paths"):
        row[name] = tuple(Phrase(*phrase) for phrase in row.get(name, ()))
    # older versions had more
    return Tombstone(**{name: row[name] for name in Tombstone._fields if name in row})


def _written(salt: bytes, tombstones: Iterable[Tombstone]) -> bytes:
    rows: list[dict[str, object]] = [{"version": _VERSION, "salt": salt.hex()}]
    for stone in tombstones:
        fields = {"id": stone.number, **stone._asdict()}
        del fields["number"]
        rows.append({key: value for key, value in fields.items() if value})
    return b"".join(
        f"{json.dumps(row, separators=(',', ':'), default=datetime.isoformat)}\n".encode()
        for row in rows
    )
