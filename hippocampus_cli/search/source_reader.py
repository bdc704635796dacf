"""Reading notes as anything may be derived from them: without what must not be kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.workspace.read import read_note

if TYPE_CHECKING:
    from hippocampus_cli.redaction.redactor import Redactor
    from hippocampus_cli.workspace.note import Note

ReadNote = Callable[[str], "Note | None"]
Progress = Callable[[int, int], None]
Clock = Callable[[], int]


class SourceReader:
    """Reads the notes at ``root`` that are no larger than ``max_bytes``. It keeps what it was told to leave out until
    :meth:`renew`."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self.root = root
        self.max_bytes = max_bytes
        self._redactor: Redactor | None = None

    def __call__(self, path: str) -> Note | None:
        """A note; ``None`` for a file that is none. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        try:
            return self.source(path)
        except FileUnreadable as error:
            if "binary" in error.message:
                return None
            raise

    def source(self, path: str) -> Note:
        """One note by itself. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        return self._redacted(read_note(self.root, path, self.max_bytes))

    def renew(self) -> None:
        """From now on what was forgotten meanwhile is left out too."""
        self._redactor = None

    def _redacted(self, note: Note) -> Note:
        from hippocampus_cli.workspace.redaction import redacted, redactor_for

        self._redactor = self._redactor or redactor_for(self.root)
        return redacted(note, self._redactor)
