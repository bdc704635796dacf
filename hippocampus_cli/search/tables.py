"""What a store of passages goes by. Nothing imports this to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from hippocampus_cli.search.postgres.engine import PostgresEngine
    from hippocampus_cli.search.sqlite_tables import SqliteEngine
    from hippocampus_cli.search.sqlite_tables import Tables as Tables
    from hippocampus_cli.workspace.note import Note

Engine: TypeAlias = "SqliteEngine | PostgresEngine"
"""What holds the tables open, and goes on with others where these fail."""
ReadNote = Callable[[str], "Note"]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]
Record = Sequence[Any]
"""A row as the store has it."""
