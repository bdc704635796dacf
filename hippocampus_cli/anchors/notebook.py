"""The notes that anchors are drawn from, read as chunks with their stems and, with an embedder, their vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.anchors.chunks import Chunk, chunk_at, worded
from hippocampus_cli.anchors.index import AnchorIndexed, FileRecord, hash_of
from hippocampus_cli.anchors.lookup_database import FileText
from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.workspace.file_table import FileStat, Seen
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.scan import Scan, scan

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.config import Config
    from hippocampus_cli.workspace.note import Note


class Notebook:
    """Reads the notes of one workspace. ``clock`` gives nanoseconds since the epoch."""

    def __init__(
        self, root: Path, config: Config, vectoriser: Vectoriser | None, clock: Callable[[], int]
    ) -> None:
        self.root = root
        self.config = config
        self.vectoriser = vectoriser
        self._clock = clock

    @property
    def embedder(self) -> str:
        """The name of the embedder at hand; empty without one."""
        return self.vectoriser.name if self.vectoriser else ""

    def makes_vectors(self, name: str) -> bool:
        """Whether the embedder at hand is the one that an index was built with."""
        return self.embedder == name

    def scan(self) -> Scan:
        """Every file of the workspace. Raises :class:`FileUnreadable`."""
        return scan(self.root, self.config.scan)

    def stats(self, found: Iterable[FileStat]) -> dict[str, FileStat]:
        """Those of ``found`` that anchors are drawn from, by path."""
        from hippocampus_cli.workspace.ignore import matcher

        sources = self.config.anchors.sources
        wanted = matcher(sources) if sources else None
        return {one.path: one for one in found if wanted is None or wanted(one.path)}

    def note(self, path: str) -> Note:
        """One note without what must not be kept. Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`."""
        note = read_note(self.root, path, self.config.scan.max_file_bytes)
        return redacted(note, redactor_for(self.root))

    def read(self, stat: FileStat) -> tuple[Note, Seen] | None:
        """A note and how its file looked; ``None`` for what cannot be read as one."""
        seen = Seen(stat.size, stat.mtime_ns, self._clock(), stat.ctime_ns)
        try:
            return self.note(stat.path), seen
        except (FileUnreadable, OutsideWorkspace):
            return None

    def text(self, seen: Seen, chunks: Sequence[Chunk], embedder: str) -> FileText:
        """What a twin keeps of a file, for an index that was built with ``embedder``."""
        words = [worded(one) for one in chunks]
        return FileText(seen, chunks, words, self._vectors(chunks, embedder))

    def texts(self, index: AnchorIndexed) -> Iterator[tuple[str, FileText]]:
        """The files of ``index`` that are as they were when it was made; the others are left out."""
        found = {one.path: one for one in self.scan().files}
        for path, record in index.files.items():
            read = self.read(found[path]) if path in found else None
            if read is not None and hash_of(read[0].text) == record.hash:
                chunks = self._chunks_at(read[0], record)
                if chunks is not None:
                    yield path, self.text(read[1], chunks, index.facts.embedder)

    def _chunks_at(self, note: Note, record: FileRecord) -> list[Chunk] | None:
        """The chunks that ``record`` says; ``None`` where the note has no such lines."""
        if any(span.end > len(note.lines) for span in record.chunks):
            return None
        return [chunk_at(note, span) for span in record.chunks]

    def _vectors(self, chunks: Sequence[Chunk], embedder: str) -> Sequence[bytes]:
        if self.vectoriser is None or not self.makes_vectors(embedder) or not chunks:
            return ()
        from hippocampus_cli.anchors.dense import blobs

        return blobs(self.vectoriser.vectors([one.text for one in chunks]))
