"""The index as a whole: the master file, the topic files below it, and the archive (INDEX §9.2, D11, D12).

Every entry has one home: a block in one of these files. ``HIPPOCAMPUS.md`` alone is the usual case, and then
nothing here costs anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from hippocampus_cli.config.settings import Index as IndexSettings
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.document import ARCHIVE, MASTER, TOPICS, Document, Header, Located
from hippocampus_cli.index.edit import SectionPath
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.pointers import Pointer


class Hierarchy:
    """The files of an index by their path from the workspace's root. A value: every change makes a new one.

    ``archive`` is empty unless it was asked for when the index was read.
    """

    def __init__(
        self,
        master: Document,
        topics: Mapping[str, Document] | None = None,
        archive: Mapping[str, Document] | None = None,
    ) -> None:
        self.master = master
        self.topics: Mapping[str, Document] = topics or {}
        self.archive: Mapping[str, Document] = archive or {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self.texts == other.texts

    __hash__ = None  # type: ignore[assignment]

    @property
    def files(self) -> dict[str, Document]:
        """Every file: the master, the topics, the archive."""
        return {MASTER: self.master, **self.topics, **self.archive}

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of every file."""
        return {path: document.text for path, document in self.files.items()}

    @cached_property
    def entries(self) -> tuple[Located, ...]:
        """The living entries: the master's in file order, then those of the topic files."""
        if not self.topics:
            return self.master.entries
        found = (*self.master.entries, *(e for one in self.topics.values() for e in one.entries))
        counts = Counter(one.entry.id for one in found)
        living = _unique((MASTER, self.master), *self.topics.items())
        return tuple(one._replace(alone=counts[one.entry.id] == 1) for one in living)

    @cached_property
    def pointers(self) -> Mapping[str, Sequence[tuple[Located, Pointer]]]:
        """The pointers of the living entries by the path they name, in the order of the entries."""
        return _by_path(self.entries)

    @cached_property
    def archived_pointers(self) -> Mapping[str, Sequence[tuple[Located, Pointer]]]:
        """Those of the archived entries, likewise."""
        return _by_path(self.archived)

    @cached_property
    def archived(self) -> tuple[Located, ...]:
        """The entries of the archive. An id that lives, too, or is there twice, gets a key of its own."""
        if not self.archive:
            return ()
        everything = _unique((MASTER, self.master), *self.topics.items(), *self.archive.items())
        return tuple(one for one in everything if one.file.startswith(ARCHIVE))

    @cached_property
    def by_key(self) -> dict[str, Located]:
        """Every entry by its unique key, archived ones included."""
        return {one.key: one for one in (*self.entries, *self.archived)}

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of the living entries."""
        return frozenset(one.entry.id for one in self.entries)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Every id and key that a new entry must not have."""
        aliases = (alias for one in self.entries for alias in one.entry.aka)
        return self.ids.union(self.by_key, (one.entry.id for one in self.archived), aliases)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The key of the entry that an id now stands for: the other was merged into it."""
        return {alias: one.key for one in reversed(self.entries) for alias in one.entry.aka}

    @property
    def header(self) -> Header | None:
        """The master's header."""
        return self.master.header

    @property
    def sharded(self) -> bool:
        """Whether some entries are in topic files."""
        return any(document.entries for document in self.topics.values())

    def budget(self, sizes: IndexSettings) -> int:
        """Tokens that the master may hold as it is now."""
        return min(sizes.max_tokens, sizes.sharded_tokens) if self.sharded else sizes.max_tokens

    def find(self, key: str) -> Located | None:
        """The entry with this key, or the one that took in an entry with this id."""
        return self.by_key.get(key) or self.by_key.get(self.aliases.get(key, ""))

    def with_file(self, path: str, document: Document) -> Hierarchy:
        """The index with one file replaced or added."""
        if path == MASTER:
            return Hierarchy(document, self.topics, self.archive)
        if path.startswith(TOPICS):
            topics = dict(sorted({**self.topics, path: document}.items()))
            return Hierarchy(self.master, topics, self.archive)
        archive = dict(sorted({**self.archive, path: document}.items()))
        return Hierarchy(self.master, self.topics, archive)

    def without_file(self, path: str) -> Hierarchy:
        """The index without a topic file or a month of the archive."""
        topics = {name: one for name, one in self.topics.items() if name != path}
        archive = {name: one for name, one in self.archive.items() if name != path}
        return Hierarchy(self.master, topics, archive)

    def change(self, key: str, change: Callable[[Entry], Entry]) -> Hierarchy:
        """The index with one entry replaced. Raises :class:`EntryNotFound`, :class:`IndexRefused`."""
        return self.change_all({key: change})

    def change_all(self, changes: Mapping[str, Callable[[Entry], Entry]]) -> Hierarchy:
        """As :meth:`change` for many entries by key: all of them, or none."""
        by_file: dict[str, dict[str, Callable[[Entry], Entry]]] = {}
        for key, change in changes.items():
            located, _ = self._home(key)
            by_file.setdefault(located.file, {})[self._local(located)] = change
        result = self
        for path, there in by_file.items():
            result = result.with_file(path, edit.change_entries(self.files[path], there))
        return result

    def set_values(self, values: Mapping[str, Mapping[str, str]]) -> Hierarchy:
        """The index with raw metadata values set, by entry. Unknown keys are skipped."""
        by_file: dict[str, dict[str, Mapping[str, str]]] = {}
        for key, wanted in values.items():
            located = self.by_key.get(key)
            if located:
                by_file.setdefault(located.file, {})[self._local(located)] = wanted
        result = self
        for path, wanted_there in by_file.items():
            document = edit.set_many(self.files[path], wanted_there)
            result = result if document is self.files[path] else result.with_file(path, document)
        return result

    def add(self, section: SectionPath, blocks: Sequence[str], path: str = MASTER) -> Hierarchy:
        """The index with entry blocks added at the end of a section of a file, which is made if need be."""
        document = self.files.get(path) or new_file(path)
        return self.with_file(path, edit.add_entries(document, section, blocks))

    def without(self, keys: Iterable[str]) -> Hierarchy:
        """The index without these entries, wherever they stand. Raises :class:`EntryNotFound`."""
        index, leaving = self, dict[str, list[str]]()
        for key in keys:
            located, _ = self._home(key)
            leaving.setdefault(located.file, []).append(self._local(located))
        for path, local in leaving.items():
            index = index.with_file(path, edit.remove_entries(self.files[path], local))
        return index

    def moved(self, keys: Iterable[str], section: SectionPath, path: str = MASTER) -> Hierarchy:
        """The index with the blocks of these entries moved to the end of a section of a file."""
        return self.moved_to({(path, section): tuple(keys)})

    def moved_to(self, places: Mapping[tuple[str, SectionPath], Sequence[str]]) -> Hierarchy:
        """As :meth:`moved` to several places at once: ``places`` gives the keys by file and section."""
        leaving: dict[str, list[str]] = {}
        arriving: dict[str, dict[SectionPath, list[str]]] = {}
        for (path, section), keys in places.items():
            for key in keys:
                located, _ = self._home(key)
                leaving.setdefault(located.file, []).append(self._local(located))
                there = arriving.setdefault(path, {})
                there.setdefault(section, []).append(edit.block_of(located.entry))
        result = self
        for file, local in leaving.items():
            document = edit.remove_entries(result.files[file], local)
            result = result.with_file(file, document)
        for path, blocks in arriving.items():
            document = result.files.get(path) or new_file(path)
            result = result.with_file(path, edit.add_to_sections(document, blocks))
        return result

    def counted(self, moment: str | None = None) -> Hierarchy:
        """The index with the headers' figures brought up to date; ``moment`` (ISO) is when it was reindexed."""
        result = Hierarchy(edit.set_header(self.master, moment), self.topics, self.archive)
        for path, document in (*self.topics.items(), *self.archive.items()):
            after = edit.set_header(document)
            result = result if after == document else result.with_file(path, after)
        return result

    def _home(self, key: str) -> tuple[Located, Document]:
        located = self.by_key.get(key)
        if located is None:
            return edit.find(self.master, key), self.master
        return located, self.files[located.file]

    def _local(self, located: Located) -> str:
        """The entry's key within its own file."""
        document = self.files[located.file]
        if located.key in document.by_key and document.by_key[located.key].node == located.node:
            return located.key
        return next(one.key for one in document.entries if one.node == located.node)


def assembled(documents: Mapping[str, Document]) -> Hierarchy:
    """The index that these files are, by path; a missing master is an empty one."""
    return Hierarchy(
        documents.get(MASTER, Document(())),
        {path: one for path, one in sorted(documents.items()) if path.startswith(TOPICS)},
        {path: one for path, one in sorted(documents.items()) if path.startswith(ARCHIVE)},
    )


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
    found: dict[str, list[tuple[Located, Pointer]]] = {}
    for located in entries:
        for pointer in located.entry.pointers:
            path = pointer.path.removeprefix("./").replace("\\", "/")
            found.setdefault(path, []).append((located, pointer))
    return found


def _unique(*files: tuple[str, Document]) -> Iterator[Located]:
    """Every entry with its file, and a key that no other has."""
    taken: set[str] = set()
    for path, document in files:
        for one in document.entries:
            key, count = one.key, 1
            while key in taken:
                count += 1
                key = f"{one.entry.id}~{count}"
            taken.add(key)
            yield one if path == MASTER else one._replace(key=key, file=path)


_ARCHIVED = (
    "Entries that faded, were merged or were taken back. Nothing is deleted: `hippo restore ID`\n"
    "brings one back."
)
_TOPIC = "Entries of HIPPOCAMPUS.md that found no room there, by section. A query reads them all the same."
