"""What each entry said, and of which text, when upkeep last saw both in step (decision D23).

It tells an entry that hippo wrote and nobody touched from one that a person edited, and a section that changed since.
A cache: without it upkeep takes an entry for hippo's own only where it says what hippo would write now.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import HippoError
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.fingerprints import body_of, checksum
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder
from hippocampus_cli.workspace.regular import read_regular

_FILE = f"{CACHE}/descriptions.json"
_VERSION = 1


class Description(NamedTuple):
    """Checksums of what an entry ``said`` and of the ``text`` it was about; ``own``: hippo wrote it, nobody else."""

    said: int
    text: int
    own: bool


Descriptions = Mapping[str, Description]
"""By the id of the entry."""


def said_by(entry: Entry) -> int:
    """The checksum of what an entry says of its section."""
    return checksum(f"{entry.topic}\n{entry.summary}")


def text_of(note: Note, section: Section | None) -> int:
    """The checksum of what an entry is about: a section with its subsections, or the note."""
    if section is None:
        return checksum(note.text)
    inside = (one for one in note.sections if section.start <= one.start <= section.tree_end)
    return checksum("\n".join(line for one in inside for line in body_of(note, one)))


def load(root: Path) -> dict[str, Description]:
    """The descriptions as last saved; empty where there are none, or none that can be read."""
    try:
        kept = json.loads(read_regular(root / _FILE))
        if kept["version"] != _VERSION:
            return {}
        rows = kept["entries"].items()
        return {str(key): Description(int(row[0]), int(row[1]), bool(row[2])) for key, row in rows}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        return {}


def save(root: Path, descriptions: Descriptions) -> None:
    """Keep the descriptions for the next time; a folder that cannot be written keeps none."""
    kept = {"version": _VERSION, "entries": descriptions}
    with contextlib.suppress(HippoError):
        path = ensure_folder(root, _FILE)
        replace_bytes(path, json.dumps(kept, separators=(",", ":")).encode("utf-8"), _FILE)
