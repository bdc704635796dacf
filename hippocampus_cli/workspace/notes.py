"""The notes of a workspace, each read once, when it is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.resolve import PointerLike, Resolved, resolve


@dataclass
class Notes:
    """Reads notes and follows pointers. Short-lived: it keeps what it read."""

    root: Path
    max_bytes: int
    redactor: Redactor = field(init=False)
    _read: dict[str, Note | None] = field(default_factory=dict, init=False)
    _kept_out: dict[str, Mapping[str, str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.redactor = redactor_for(self.root)

    def as_written(self, path: str) -> Note:
        """The note at ``path`` to be shown. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        return read_note(self.root, path, self.max_bytes)

    def note(self, path: str) -> Note | None:
        """The note at ``path``, or ``None`` for what cannot be read as one.

        It is without what must not be kept in anything derived from it.
        """
        if path not in self._read:
            try:
                written = self.as_written(path)
                self._read[path] = known = redacted(written, self.redactor)
                if known is not written:
                    spans = self.redactor.spans(written.text)
                    self._kept_out[path] = {written.text[a:b]: kind for a, b, kind in spans}
            except (FileUnreadable, OutsideWorkspace):
                self._read[path] = None
        return self._read[path]

    def kept_out(self, path: str) -> Mapping[str, str]:
        """What was taken out of a note, each with its kind; empty where nothing was, or it was not read."""
        return self._kept_out.get(path, {})

    def sections_of(self, path: str) -> Sequence[Section] | None:
        """The sections of a note, ``None`` for what is no note."""
        note = self.note(path)
        return None if note is None else note.sections

    def follow(self, pointer: PointerLike) -> Resolved[Section]:
        """Where a pointer leads; nothing outside the workspace is opened."""
        return resolve(self.root, pointer, self.sections_of)
