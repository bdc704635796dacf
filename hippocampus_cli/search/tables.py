"""What the engine asks of a store, whichever keeps it: SQLite beside the notes, or PostgreSQL for many machines.

The rows are the same everywhere. Ids of passages are given in the order of their lines, file by file, so those of a
file, and of a section, follow each other. Texts may come as bytes, where they were no UTF-8: see ``restored``. The
columns are those of :mod:`~hippocampus_cli.search.sqlite_tables`. Nothing imports this to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from hippocampus_cli.workspace.file_table import Diff, FileStat
    from hippocampus_cli.workspace.note import Note

ReadNote = Callable[[str], "Note | None"]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]
Record = Sequence[Any]
"""A row as the store has it."""


class Tables(Protocol):
    """One workspace's notes as they stand in a store.

    Nothing here judges: what a term is worth and who is first is the engine's. A failure of the store is an exception
    of its driver, which the store's owner heals.
    """

    def totals(self) -> Record:
        """The numbers of files, sections and passages, and of terms in texts and in headings."""

    def postings(self, terms: Sequence[str]) -> Iterable[Record]:
        """Term, block and packed places of each of ``terms``, by term and block."""

    def terms_like(self, first: str) -> Iterable[str]:
        """The terms that begin with ``first``."""

    def frequencies(self) -> Mapping[str, int]:
        """In how many passages each term stands."""

    def places(self, ids: Sequence[int]) -> Iterable[Record]:
        """The columns ``PLACE`` of these passages."""

    def texts(self, ids: Sequence[int]) -> Iterable[Record]:
        """Id, terms of the title and terms of the text of these passages, in this order."""

    def passages_of(self, path: str) -> Iterable[Record]:
        """Id, first and last line of each passage of a note."""

    def passages_with(self, digests: Sequence[bytes]) -> Iterable[Record]:
        """Digest and id of the passages whose texts have these digests."""

    def digests(self) -> Iterable[Record]:
        """Path, ordinal and digest of every passage: core files first, then the newest."""

    def files(self) -> Iterable[Record]:
        """Id, path, kind, first and last day, first passage and their number, of every file."""

    def paths_without_text(self) -> Iterable[str]:
        """Files that are no notes."""

    def sections_of(self, path: str) -> Sequence[Record] | None:
        """The sections of a note in file order; ``None`` for no such file."""

    def dates_of(self, path: str) -> Record | None:
        """The last day of a file, or ``None``, and when it changed (ns)."""

    def newest_day(self, until: int) -> int | None:
        """The last day that a note is of, ``until`` at the latest; ordinals."""

    def get_meta(self, key: str) -> str | None:
        """What was kept under ``key``."""

    def set_meta(self, key: str, value: str) -> None:
        """Keep ``value`` under ``key``."""

    def kept(self) -> dict[Any, Any]:
        """What this process keeps as long as nobody writes to the store."""

    def snapshot(self) -> AbstractContextManager[object]:
        """What is read within is of one moment, where the store can do that."""

    def changes(self, found: Sequence[FileStat]) -> Diff:
        """How ``found``, sorted by path, differs from the files that are known."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing, and nobody else writes meanwhile."""

    def checksums(self, paths: Sequence[str]) -> Mapping[str, int]:
        """The checksum of each of ``paths`` that is known."""

    def last_ids(self) -> tuple[int, int]:
        """The highest ids of a file and of a passage."""

    def touch(self, path: str, checksum: int, seen: Record) -> bool:
        """Note how a file looks now (size, mtime, read, ctime); whether there is one with that checksum."""

    def remove(self, path: str) -> tuple[Record, Sequence[Record]] | None:
        """Take out a file: its numbers as :meth:`add_totals` takes them, and id, terms of the text and others of each
        of its passages; ``None`` for no such file."""

    def block(self, number: int, terms: Sequence[str], size: int) -> Mapping[str, bytes]:
        """The packed places of ``terms`` in one block, of so many ids."""

    def replace_block(self, number: int, data: Mapping[str, bytes]) -> None:
        """Replace the packed places of these terms in one block; an empty value removes."""

    def insert(
        self, files: Sequence[Record], sections: Iterable[Record], passages: Iterable[Record]
    ) -> None:
        """Add rows of the columns ``FILES``, ``SECTIONS`` and ``PASSAGES``."""

    def add_totals(self, numbers: Sequence[int]) -> None:
        """Add to the numbers of :meth:`totals`."""


class Engine(Protocol):
    """What holds the tables open, and goes on with others where these fail."""

    @property
    def generation(self) -> int:
        """How often the tables were replaced by others."""

    @property
    def connection(self) -> Tables:
        """The tables that are used now."""

    def heal(self, error: Exception, failed: int) -> None:
        """Go on with other tables after ``error``, before which work on these ``failed`` so often. Raises ``error``
        where that would not help."""

    def take_notices(self) -> list[str]:
        """What a person should know, once."""

    def close(self) -> None:
        """Let go of the store."""
