"""``HIPPOCAMPUS.md`` on disk: read it, change it, and lose nothing on the way (decision D16).

Every change: lock, re-read, apply to what is there *now*, serialise, verify, compare, write, sync, rename.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hippocampus_cli.errors import FileUnreadable, IndexNotFound, IndexRefused, OutsideWorkspace
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import INDEX, is_inside

_ROUNDS = 20
_SNIFF = 8192
Change = Callable[[Document], Document]


class IndexStore:
    """The index of one workspace. ``timeout`` is how long a writer waits for the others, in seconds."""

    def __init__(self, root: Path, timeout: float = 10.0) -> None:
        self.root = root
        self.timeout = timeout
        self._last: tuple[bytes, Document] = (b"", parse(""))  # the same bytes are parsed once

    @property
    def path(self) -> Path:
        """The file itself; a link inside the workspace is followed, so that it stays a link."""
        path = self.root / INDEX
        if not path.is_symlink():
            return path
        if not is_inside(self.root, path):
            reason = f"{INDEX} is a link that leads out of the workspace"
            raise OutsideWorkspace(path=INDEX, reason=reason)
        return Path(os.path.realpath(path))

    def exists(self) -> bool:
        """Whether there is something at the index's place, be it readable or not."""
        return os.path.lexists(self.root / INDEX)

    def read(self) -> Document:
        """The index now. Raises :class:`IndexNotFound`, :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        return self._parsed(self._bytes())

    def change(self, change: Change, *, create: Document | None = None) -> Document:
        """Apply ``change`` to the index as it is at this moment and write the result; returns it.

        ``change`` may run several times (when an editor saves between reading and writing) and must be
        pure. ``create`` stands in for a missing file. Nothing is written where nothing changed.
        """
        with locked(self.root, self.timeout):
            for _ in range(_ROUNDS):
                before = self._bytes_or_none(missing_ok=create is not None)
                self._refuse_other_encodings(before)
                old = self._parsed(before) if before is not None else create
                assert old is not None
                new = change(old)
                data = encode(new.text)
                if data == before:
                    return new
                self._verify(new, data)
                if self._bytes_or_none(missing_ok=True) == before:
                    replace_bytes(self.path, data, INDEX)
                    return new
        raise IndexRefused(path=INDEX, reason="another program keeps writing to it")

    def _bytes(self) -> bytes:
        data = self._bytes_or_none(missing_ok=False)
        assert data is not None
        return data

    def _bytes_or_none(self, *, missing_ok: bool) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError as error:
            if missing_ok and not (self.root / INDEX).is_symlink():
                return None
            raise IndexNotFound(path=INDEX) from error
        except IsADirectoryError as error:
            raise FileUnreadable(path=INDEX, reason="it is a folder") from error
        except OSError as error:
            reason = "it is a folder" if self.path.is_dir() else error.strerror or str(error)
            raise FileUnreadable(path=INDEX, reason=reason) from error

    def _refuse_other_encodings(self, data: bytes | None) -> None:
        """UTF-16 (which some shells write) reads as text without entries; appending UTF-8 would ruin it."""
        if data and b"\0" in data[:_SNIFF]:
            reason = "it is not UTF-8 text (UTF-16?); save it as UTF-8"
            raise IndexRefused(path=INDEX, line=1, reason=reason)

    def _parsed(self, data: bytes) -> Document:
        if self._last[0] != data:
            self._last = (data, parse(decode(data)))
        return self._last[1]

    def _verify(self, document: Document, data: bytes) -> None:
        """Refuse to write what would not read back as the document that was meant."""
        if self._parsed(data) != document:
            raise IndexRefused(path=INDEX, reason="the change would not read back as it was meant")
