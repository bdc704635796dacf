"""What the engine asks of a store, whichever keeps it: SQLite beside the notes, or PostgreSQL for many machines.

The rows are the same everywhere. Ids of passages are given in the order of their lines, file by file, so those of a
file, and of a section, follow each other. Texts may come as bytes, where they were no UTF-8: see ``restored``. The
columns are those of :mod:`~hippocampus_cli.search.sqlite_tables`. Nothing imports this to run.

Nothing in a store judges: what a term is worth and who is first is the engine's. A failure is an exception of its
driver, which the store's owner heals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from hippocampus_cli.search.postgres.engine import PostgresEngine
    from hippocampus_cli.search.postgres.tables import PostgresTables
    from hippocampus_cli.search.sqlite_tables import SqliteEngine, SqliteTables
    from hippocampus_cli.workspace.note import Note

Tables: TypeAlias = "SqliteTables | PostgresTables"
"""One workspace's notes as they stand in a store."""
Engine: TypeAlias = "SqliteEngine | PostgresEngine"
"""What holds the tables open, and goes on with others where these fail."""
ReadNote = Callable[[str], "Note | None"]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]
Record = Sequence[Any]
"""A row as the store has it."""
