"""The index as a whole: the master file, the topic files below it, and the archive (INDEX §9.2, D11, D12).

Every entry has one home: a block in one of these files. ``HIPPOCAMPUS.md`` alone is the usual case, and then
nothing here costs anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from hippocampus_cli.config.settings import Index as IndexSettings
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.document import (
    ARCHIVE,
    MASTER,
    TOPICS,
    Document,
    Header,
    Located,
    unique_key,
)
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.pointers import Pointer

_Work = TypeVar("_Work")


class Hierarchy:
    """The files of an index by their path from the workspace's root. A value: every change makes a new one.

    ``archive`` is empty unless it was asked for when the index was read.
    """

    def __init__(self, files: Mapping[str, Document]) -> None:
        files = {MASTER: Document(()), **files}  # a missing master counts as empty
        order = sorted(files, key=lambda path: (path != MASTER, path.startswith(ARCHIVE), path))
        self.files: Mapping[str, Document] = {path: files[path] for path in order}
        """Every file: the master, the topics, the archive."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self.files == other.files

    __hash__ = None  # type: ignore[assignment]

    @property
    def master(self) -> Document:
        return self.files[MASTER]

    @cached_property
    def topics(self) -> dict[str, Document]:
        return {path: document for path, document in self.files.items() if path.startswith(TOPICS)}

    @cached_property
    def archive(self) -> dict[str, Document]:
        return {path: document for path, document in self.files.items() if path.startswith(ARCHIVE)}

    @property
    def texts(self) -> dict[str, str]:
        """The text of every file."""
        return {path: document.text for path, document in self.files.items()}

    @cached_property
    def _located(self) -> tuple[Located, ...]:
        """Every entry with its file, and a key that no other has."""
        taken: set[str] = set()
        return tuple(
            Located(entry, unique_key(entry.id, taken), node, line, section, path)
            for path, document in self.files.items()
            for entry, _, node, line, section, _, _ in document.entries
        )

    @cached_property
    def entries(self) -> tuple[Located, ...]:
        """The living entries: the master's in file order, then those of the topic files."""
        living = tuple(located for located in self._located if not located.is_archived)
        counts = Counter(located.entry.id for located in living)
        return tuple(
            located._replace(alone=False) if counts[located.entry.id] > 1 else located
            for located in living
        )

    @cached_property
    def pointers(self) -> Mapping[str, Sequence[tuple[Located, Pointer]]]:
        """The pointers of the living entries by the path they name, in the order of the entries."""
        return _by_path(self.entries)

    @cached_property
    def archived_pointers(self) -> Mapping[str, Sequence[tuple[Located, Pointer]]]:
        """The same for archived entries."""
        return _by_path(self.archived)

    @cached_property
    def archived(self) -> tuple[Located, ...]:
        """The entries of the archive. An id that is also alive, or occurs twice, gets its own key."""
        return tuple(located for located in self._located if located.is_archived)

    @cached_property
    def by_key(self) -> dict[str, Located]:
        """Every entry by its unique key, archived ones included."""
        return {located.key: located for located in (*self.entries, *self.archived)}

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of the living entries."""
        return frozenset(located.entry.id for located in self.entries)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every id and key that a new entry must not have."""
        return frozenset((*self.by_key, *self.aliases))

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The key of the entry that an id was merged into."""
        return {
            alias: located.key for located in reversed(self.entries) for alias in located.entry.aka
        }

    @property
    def header(self) -> Header | None:
        """The master's header."""
        return self.master.header

    @cached_property
    def beyond(self) -> tuple[Located, ...]:
        """The entries in topic files."""
        return tuple(located for located in self.entries if located.file != MASTER)

    def budget(self, sizes: IndexSettings) -> int:
        """Tokens that the master may hold now."""
        return min(sizes.max_tokens, sizes.sharded_tokens) if self.beyond else sizes.max_tokens

    def find(self, key: str) -> Located | None:
        """The entry with this key, or the one that an entry with this id was merged into."""
        return self.by_key.get(key) or self.by_key.get(self.aliases.get(key, ""))

    def with_file(self, path: str, document: Document) -> Hierarchy:
        """The index with one file replaced or added."""
        return Hierarchy({**self.files, path: document})

    def change(self, key: str, change: Callable[[Entry], Entry]) -> Hierarchy:
        """The index with one entry replaced. Raises :class:`EntryNotFound`, :class:`IndexRefused`."""
        return self.change_all({key: change})

    def change_all(self, changes: Mapping[str, Callable[[Entry], Entry]]) -> Hierarchy:
        """As :meth:`change` for many entries by key: all of them, or none."""
        return self._edit(changes, edit.change_entries)

    def set_values(self, values: Mapping[str, Mapping[str, str]]) -> Hierarchy:
        """The index with raw metadata values set, by entry. Unknown keys are skipped."""
        known = {key: raw for key, raw in values.items() if key in self.by_key}
        return self._edit(known, edit.set_many)

    def add(self, section: SectionPath, blocks: Sequence[str], path: str = MASTER) -> Hierarchy:
        """The index with entry blocks added at the end of a section of a file, which is created if necessary."""
        document = self.files.get(path) or new_file(path)
        return self.with_file(path, edit.add_entries(document, section, blocks))

    def without(self, keys: Iterable[str]) -> Hierarchy:
        """The index without these entries, wherever they stand. Raises :class:`EntryNotFound`."""
        return self._edit(dict.fromkeys(keys), edit.remove_entries)

    def moved(self, keys: Iterable[str], section: SectionPath, path: str = MASTER) -> Hierarchy:
        """The index with the blocks of these entries moved to the end of a section of a file."""
        return self.moved_to({(path, section): tuple(keys)})

    def moved_to(self, places: Mapping[tuple[str, SectionPath], Sequence[str]]) -> Hierarchy:
        """As :meth:`moved` to several places at once: ``places`` gives the keys by file and section."""
        result = self.without(key for keys in places.values() for key in keys)
        for (path, section), keys in places.items():
            blocks = [edit.block_of(self.by_key[key].entry) for key in keys]
            result = result.add(section, blocks, path) if blocks else result
        return result

    def counted(self, moment: str | None = None) -> Hierarchy:
        """The index with the headers' figures brought up to date; ``moment`` (ISO) is when it was reindexed."""
        counted = {path: edit.set_header(document) for path, document in self.files.items()}
        return Hierarchy({**counted, MASTER: edit.set_header(self.master, moment)})

    @cached_property
    def _local_keys(self) -> dict[tuple[str, int], str]:
        """Each entry's key within its own file, by file and node."""
        return {
            (path, located.node): located.key
            for path, document in self.files.items()
            for located in document.entries
        }

    def _edit(
        self,
        work: Mapping[str, _Work],
        change: Callable[[Document, Mapping[str, _Work]], Document],
    ) -> Hierarchy:
        """The index with each file changed that has some of these entries. Raises :class:`EntryNotFound`.

        ``change`` gets the work by the entries' keys in the file alone.
        """
        files: dict[str, dict[str, _Work]] = {}
        for key, wanted in work.items():
            located = edit.find(self.by_key, key)
            local = self._local_keys[located.file, located.node]
            files.setdefault(located.file, {})[local] = wanted
        changed = {path: change(self.files[path], there) for path, there in files.items()}
        return Hierarchy({**self.files, **changed})


def new_file(path: str) -> Document:
    """An empty topic file or month of the archive, with its header and a title that says what it is."""
    from hippocampus_cli.index.parse import parse

    name = path.rpartition("/")[2].removesuffix(".md")
    if path.startswith(ARCHIVE):
        title, words = f"Archive {name}", _ARCHIVED
    else:
        title, words = name.replace("-", " ").capitalize(), _TOPIC
    header = "<!-- hippocampus.md v1.0 | entries: 0 -->"
    return parse(f"{header}\n# {title}\n\n{words}\n")


def topic_file(section: SectionPath) -> str:
    """The topic file for entries of a section: ``.hippocampus/topics/projects.md``."""
    return f"{TOPICS}{metadata.slug(section[-1] if section else 'other')}.md"


def archive_file(month: str) -> str:
    """The archive of a month written ``YYYY-MM``."""
    return f"{ARCHIVE}{month}.md"


def _by_path(entries: Iterable[Located]) -> dict[str, list[tuple[Located, Pointer]]]:
    pointers: dict[str, list[tuple[Located, Pointer]]] = {}
    for located in entries:
        for pointer in located.entry.pointers:
            path = pointer.path.removeprefix("./").replace("\\", "/")
            pointers.setdefault(path, []).append((located, pointer))
    return pointers


_ARCHIVED = (
    "Entries that faded, were merged or were taken back. Nothing is deleted: `hippo restore ID`\n"
    "brings one back."
)
_TOPIC = "Entries of HIPPOCAMPUS.md that found no room there, by section. A query reads them all the same."
