"""Notes as the text cache takes them: read, and taken apart into records, outside of any transaction."""

from __future__ import annotations

import zlib

from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.search.changes import ReadNote
from hippocampus_cli.search.records import aliases_of, records_of
from hippocampus_cli.search.writing import ReadFile
from hippocampus_cli.workspace.dates import period_of
from hippocampus_cli.workspace.files import FileStat
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.reader import Reader
from hippocampus_cli.workspace.redaction import redacted

_NOT_A_NOTE = -1  # in the place of a checksum


def text_note(reader: Reader, redactor: Redactor, path: str) -> Note | None:
    """A note without what must not be kept; ``None`` for a file that is none.

    Raises :class:`FileUnreadable`, :class:`OutsideWorkspace`.
    """
    try:
        return redacted(reader.note(path), redactor)
    except FileUnreadable as error:
        if "binary" in error.message:
            return None
        raise


def taken_apart(stat: FileStat, read: ReadNote, now: int, known: int | None = None) -> ReadFile:
    """The file of ``stat`` as read at ``now`` (nanoseconds since the epoch), whether it is a note or not.

    Where its text has the checksum ``known`` already, it is not taken apart again.
    """
    days = period_of(stat.path)
    try:
        note = read(stat.path)
    except (FileUnreadable, OutsideWorkspace):
        return ReadFile(stat, now, _NOT_A_NOTE, days, None)
    if note is None:
        return ReadFile(stat, now, _NOT_A_NOTE, days, ())
    checksum = zlib.crc32(note.text.encode("utf-8", "surrogatepass"))
    if checksum == known:
        return ReadFile(stat, now, checksum, days, (), as_before=True)
    return ReadFile(stat, now, checksum, days, records_of(note, days), aliases_of(note))
