"""The tags of an entry: those that its note's author gave it, else the folder that it lies in (INDEX §5.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.index.metadata import slug

_CHARACTERS = 24


def tags_of(passage: Passage, most: int) -> tuple[str, ...]:
    """At most ``most`` lower-case tags."""
    return tuple(dict.fromkeys(_given(passage)))[:most] or _folder(passage)


def _given(passage: Passage) -> Iterator[str]:
    """The front matter's tags, as a list or as one line."""
    given = passage.note.front_matter.get("tags", ())
    items = re.split(r"[,\s]+", given) if isinstance(given, str) else given
    for item in list(items)[:20] if isinstance(items, list | tuple) else ():
        tag = slug(str(item), _CHARACTERS)
        if any(map(str.isalpha, tag)) and tag != "entry":
            yield tag


def _folder(passage: Passage) -> tuple[str, ...]:
    """The name of a folder within a folder: the outermost ones are kinds of notes, not subjects."""
    folders = passage.note.path.split("/")[1:-1]
    tag = slug(folders[-1], _CHARACTERS) if folders else ""
    return (tag,) if any(map(str.isalpha, tag)) else ()
