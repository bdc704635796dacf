"""Relations between entries: passages that link to each other (INDEX §5.2 ``rel``)."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.worth import stem_of
from hippocampus_cli.workspace.note import fold

_LINK = re.compile(  # to another note: by markdown, by a wikilink, by its path in the text
    r"\[[^\[\]\n]*\]\(<?(?![^()\s]*:)([^()\s<>]+)|\[\[([^\[\]\n|]+)|(?<![\w/.-])([\w./-]+\.md)\b"
)

MOST = 2  # relations of an entry


def relations(passages: Sequence[Passage], ids: Sequence[str]) -> list[tuple[str, ...]]:
    """For each passage the ids of at most :data:`MOST` others that it links to or that link to it.

    Relations are mutual; ties go by position, so the same passages give the same relations.
    """
    chosen: list[list[int]] = [[] for _ in passages]
    for one, other in dict.fromkeys(sorted(_linked(passages))):
        if len(chosen[one]) < MOST and len(chosen[other]) < MOST:
            chosen[one].append(other)
            chosen[other].append(one)
    return [tuple(ids[position] for position in found) for found in chosen]


def _linked(passages: Sequence[Passage]) -> Iterator[tuple[int, int]]:
    """Pairs of which one links to the other: relative to its note, else relative to the root, else by name."""
    places: dict[str, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        path = passage.note.path.casefold()
        for name in {path, stem_of(path), fold(passage.title)}:
            places[name].append(number)
    for number, passage in enumerate(passages):
        folder = posixpath.dirname(passage.note.path)
        for link in _LINK.finditer(passage.body):
            path = link[link.lastindex or 0].strip().partition("#")[0]
            paths = map(posixpath.normpath, (posixpath.join(folder, path), path.lstrip("/")))
            names = (*map(str.casefold, paths), fold(path))
            there = next((places[name] for name in names if name in places), [])
            for other in there[:1]:
                if passages[other].note is not passage.note:
                    yield min(number, other), max(number, other)
