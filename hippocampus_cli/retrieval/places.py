"""From entries to places in notes and back: following pointers, and finding who points at a section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.cache import TextCache
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status, resolve
from hippocampus_cli.workspace.sections import How, find_section

LEADS = frozenset({Status.OK, Status.ABSOLUTE})


class Covering(NamedTuple):
    """An entry that points at a section: ``exact`` by name, else through the whole file or a parent section.

    ``loose``: by a name that is only like the heading.
    """

    located: Located
    exact: bool
    loose: bool = False


class Places:
    """The pointers of one index in one workspace, as it is at one moment."""

    def __init__(self, index: Hierarchy, cache: TextCache, root: Path) -> None:
        self.index = index
        self.cache = cache
        self.root = root
        self._sections: dict[str, Sequence[Section] | None] = {}

    def sections_of(self, path: str) -> Sequence[Section] | None:
        """The sections of a note, ``None`` for what is none; read once."""
        if path not in self._sections:
            self._sections[path] = self.cache.sections_of(path)
        return self._sections[path]

    def follow(self, located: Located) -> Iterator[Resolved[Section]]:
        """What each pointer of an entry leads to."""
        for pointer in located.entry.pointers:
            yield resolve(self.root, pointer, self.sections_of)

    def covering(self, path: str, section: Section) -> list[Covering]:
        """The entries that point at ``section`` of ``path``, the nearest first."""
        found: list[tuple[int, int, Covering]] = []
        sections = self.sections_of(path) or []
        for order, (located, pointer) in enumerate(self.index.pointers.get(path, ())):
            if pointer.section is None:
                found.append((10, order, Covering(located, exact=False)))
            elif target := find_section(sections, pointer.section):
                start, end = target.section.start, target.section.tree_end
                loose = target.how is How.FUZZY
                if target.section.ordinal == section.ordinal:
                    found.append((0, order, Covering(located, exact=True, loose=loose)))
                elif start <= section.start and section.end <= end:
                    nearness = 7 - target.section.level
                    found.append((nearness, order, Covering(located, exact=False, loose=loose)))
        return [covering for _, _, covering in sorted(found, key=lambda row: row[:2])]
