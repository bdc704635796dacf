"""The tags of an entry: those that its note's author gave it (INDEX §5.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.index.metadata import slug

_CHARACTERS = 24


def tags_of(passage: Passage, most: int) -> tuple[str, ...]:
    """At most ``most`` lower-case tags."""
    return tuple(dict.fromkeys(_given(passage)))[:most]


def _given(passage: Passage) -> Iterator[str]:
    """The front matter's tags, as a list or as one line."""
    given = passage.note.front_matter.get("tags", ())
    items = re.split(r"[,\s]+", given) if isinstance(given, str) else given
    for item in list(items)[:20] if isinstance(items, list | tuple) else ():
        tag = slug(str(item), _CHARACTERS)
        if any(map(str.isalpha, tag)) and tag != "entry":
            yield tag
