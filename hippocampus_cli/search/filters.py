"""Which files a search may speak of."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.file_table import restored
from hippocampus_cli.workspace.kinds import kind_of

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Record, Tables


class Filter(NamedTuple):
    """Conditions that a file has to meet, all of them; an empty one is met by every file.

    ``paths`` are patterns as in ``.gitignore``, one of which must match; ``kinds`` are note kinds.
    ``since`` and ``until`` bound the days a file is about; a file of no day is then left out.
    """

    paths: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        return any(self)

    def has_days(self, first: int | None, last: int | None) -> bool:
        """Whether what is of these days, ordinals, passes."""
        if first is None or last is None:
            return not (self.since or self.until)
        begins, ends = self.since or date.min, self.until or date.max
        return last >= begins.toordinal() and first <= ends.toordinal()


def allowed(db: Tables, where: Filter) -> frozenset[int]:
    """The ids of the passages that ``where`` lets pass.

    Raises ``UsageError`` for a pattern that is none.
    """
    rows = [row for row in db.files() if where.has_days(row[2], row[3])]
    if where.kinds:
        rows = [row for row in rows if kind_of(restored(row[1])) in where.kinds]
    if where.paths:
        from hippocampus_cli.workspace.ignore import matcher

        matches = matcher(where.paths)
        rows = [row for row in rows if matches(restored(row[1]))]
    return passages_in(rows)


def passages_in(files: Iterable[Record]) -> frozenset[int]:
    """The ids of the passages of these rows of files."""
    return frozenset(chain.from_iterable(range(first, first + n) for *_, first, n in files))
