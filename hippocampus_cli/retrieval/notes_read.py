"""The notes that one answer needs, each read once."""

from __future__ import annotations

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.note import Note


class Notes:
    """Notes by their path, as they were when first asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._read: dict[str, Note | None] = {}

    @property
    def refused(self) -> list[str]:
        """The paths of those that are gone or cannot be read any more."""
        return [path for path, note in self._read.items() if note is None]

    def get(self, path: str) -> Note | None:
        """The note; ``None`` for one that is gone or cannot be read any more."""
        if path not in self._read:
            try:
                self._read[path] = self._library.note(path)
            except (FileUnreadable, OutsideWorkspace):
                self._read[path] = None
        return self._read[path]
