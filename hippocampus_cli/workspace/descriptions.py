"""What each entry said, and of which text, when upkeep last saw both in step (decision D23).

It tells an entry that hippo wrote and nobody touched from one that a person edited, a tag that hippo chose from one
that a person gave, and a section that changed since. It is written with the index, as one: else a kill between the
two would make entries of hippo look like edited ones. A cache all the same: without it upkeep takes an entry for
hippo's own only where it says what hippo would write now, and every tag for a person's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.workspace.fingerprints import body_of, checksum
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import DESCRIPTIONS
from hippocampus_cli.workspace.state import IF_SENSIBLE, encoded, read_state


class Description(NamedTuple):
    """Checksums of what an entry ``said`` and of the ``text`` it was about; ``own``: hippo wrote it, nobody else.

    The ``tags`` are those that hippo chose.
    """

    said: int
    text: int
    own: bool
    tags: tuple[str, ...]


Descriptions = Mapping[str, Description]
"""By the id of the entry."""


def said_by(entry: Entry) -> int:
    """The checksum of what an entry says of its section."""
    return checksum(f"{entry.topic}\n{entry.summary}")


def text_of(note: Note, section: Section | None) -> int:
    """The checksum of what an entry is about: a section with its subsections, or the note."""
    if section is None:
        return checksum(note.text)
    inside = (part for part in note.sections if section.start <= part.start <= section.tree_end)
    return checksum("\n".join(line for part in inside for line in body_of(note, part)))


def load(root: Path) -> dict[str, Description]:
    """The descriptions as last saved; empty where there are none, or none that can be read."""
    with IF_SENSIBLE:
        state = read_state(root, DESCRIPTIONS)
        return {
            str(key): Description(int(said), int(text), bool(own), tuple(map(str, tags)))
            for key, (said, text, own, tags) in state["entries"].items()
        }
    return {}


def written(descriptions: Descriptions) -> bytes:
    """The descriptions as the file that :func:`load` reads."""
    return encoded({"entries": descriptions})
