"""What was remembered is kept beside its log until it is safe there (decision D33).

A program that had read the log before may save its older reading over it: an editor, an agent that writes the whole
file back, a sync service. So ``.hippocampus/waiting.jsonl`` holds each memory, a JSON line that nobody else may read,
before it is written into its log, and for a day after that; then a run that finds it there lets go of it. A day,
because that long a log is today's.

Until then a log that lacks it is taken for an older reading. Only where a later run had found the memory, and the log
is now the same without it, somebody has taken it out.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from hippocampus_cli.errors import FileUnreadable, HippoError, OutsideWorkspace
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.redaction.redactor import secrets_in
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import WAITING, ensure_folder
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.regular import writing
from hippocampus_cli.workspace.state import rows
from hippocampus_cli.workspace.tombstones import is_forgotten
from hippocampus_cli.workspace.version_control import checked_out

KEPT = timedelta(days=1)
_LARGEST = 50_000_000  # bytes of a log
_SEEN, _AWAY = "seen", "away"
"""A run has found the memory in its log; the log is gone since: deleted, or it comes back as another one."""
_FEWEST_WORDS = 3
"""Fewer may stand in a log by chance."""


class Kept(NamedTuple):
    """What was to be remembered: its own words and title, its moment, and what was asked for its entry.

    ``path`` is its log. ``written`` is when it was written there last, ``None`` as long as it waits. ``before`` are
    checksums of the log as it was before that; ``rest`` is one of the log without what is kept. ``look`` tells of the
    file as a later run found the memory in it (empty: none did). ``branch`` is what git had checked out.
    ``indexed``: its entry has what was asked for.
    """

    text: str
    title: str
    at: datetime
    tags: tuple[str, ...] = ()
    pri: str = "normal"
    path: str = ""
    written: datetime | None = None
    before: tuple[str, ...] = ()
    rest: str = ""
    look: str = ""
    branch: str = ""
    indexed: bool = False

    @property
    def identity(self) -> tuple[object, ...]:
        """What does not change while it is kept."""
        return self[:5]

    @property
    def heading(self) -> str:
        """That of its section in the log."""
        return f"{self.at:%H:%M} {self.title}"


def keep(root: Path, record: Kept, timeout: float, *, gone: bool = False) -> None:
    """Add a memory to those that are kept, or take its new state; keep one no longer that is ``gone``.

    Raises :class:`Busy`, :class:`FileUnwritable`."""

    def change(kept: Iterable[Kept]) -> list[Kept]:
        others = [other for other in kept if other.identity != record.identity]
        return others if gone else [*others, record]

    _change(root, change, timeout)


def settle(root: Path, now: datetime, timeout: float) -> list[Kept]:
    """The memories that their logs lack; what a run has found, and what need not be kept any more, is noted down
    where that can be written."""
    if not os.path.lexists(root / WAITING):
        return []
    kept, lacking = review(root, now)
    if kept != read(root):
        with contextlib.suppress(HippoError):
            _change(root, lambda _: review(root, now)[0], timeout)
    return lacking


def review(root: Path, now: datetime) -> tuple[list[Kept], list[Kept]]:
    """The memories as they are to be kept from now on, and those of them that their logs lack. Nothing is written."""
    kept: list[Kept] = []
    lacking: list[Kept] = []
    branch = checked_out(root)
    by_log = groupby(sorted(read(root), key=attrgetter("path")), key=attrgetter("path"))
    for path, those in by_log:
        group = list(those)
        try:
            note = read_note(root, path, _LARGEST) if os.path.lexists(root / path) else None
            log = Log(note, group)
        except (FileUnreadable, OutsideWorkspace):  # another run decides
            kept += group
            lacking += [record for record in group if record.written is None]
            continue
        for record in group:
            after = _reviewed(record, log, now, branch)
            kept += [after] if after else []
            lacking += [record] if after and log.lacks(after, branch) else []
    return sorted(kept, key=attrgetter("at")), sorted(lacking, key=attrgetter("at"))


def to_show(root: Path, kept: Sequence[Kept]) -> list[Kept]:
    """Memories as they may be shown outside of their logs: without secrets, and without what was forgotten."""
    redact = redactor_for(root).redact
    return [
        record._replace(text=redact(record.text), title=redact(record.title))
        for record in kept
        if not is_forgotten(root, record.path)
    ]


def waiting_lines(root: Path, now: datetime) -> list[str]:
    """Where each memory is to be written that its log lacks, and its heading."""
    shown = to_show(root, review(root, now)[1])
    return [f"{record.path} § {record.heading}" for record in shown]


def _reviewed(record: Kept, log: Log, now: datetime, branch: str) -> Kept | None:
    """A memory after a look at its log; ``None``: it need not be kept any more."""
    late = record.written is not None and now - record.written >= KEPT
    if record.written and record.branch != branch:
        return None if late else record
    if log.gone:  # moved away while it is saved, or deleted after it had been seen
        after = record._replace(look=_AWAY) if record.look else record
        return None if late and record.look else after
    if log.was_edited(record):
        return None
    if log.holds(record):
        if record.indexed and (late or any(True for _ in secrets_in(record.text))):
            return None
        return record._replace(
            written=record.written or now, branch=branch, rest=log.rest, look=_SEEN
        )
    return None if record.look == _SEEN and log.was_meant(record) else record


class Log:
    """A log as it is now (``None``: gone), with the memories that are kept for it."""

    def __init__(self, note: Note | None, group: Sequence[Kept]) -> None:
        self.gone = note is None
        self.note = note or Note("", "")
        self._words = words_of(self.note.text)
        self._group = group
        sections = (saying(self.note, record.text) for record in group)
        self._own = {section.ordinal: section for section in sections if section}

    def holds(self, record: Kept) -> bool:
        """Whether a memory is there: as it was written, moved, or edited."""
        if saying(self.note, record.text) or holds_words(self._words, record):
            return True
        heading = words_of(record.heading)
        return any(words_of(section.title) == heading for section in self._others)

    def was_edited(self, record: Kept) -> bool:
        """Whether somebody edited a memory with its heading, and nothing else in the log: its time is still there,
        and half of the heading's words."""
        if record.written is None or self.holds(record):
            return False
        time, *words = record.heading.split()
        return any(
            section.title.startswith(f"{time} ")
            and 2 * len(set(words).intersection(section.title.split())) >= len(words)
            and record.rest == self._rest_without([*self._own.values(), section])
            for section in self._others
        )

    @property
    def _others(self) -> Iterator[Section]:
        """The sections that are no kept memory as it was written."""
        return (each for each in self.note.sections if each.ordinal not in self._own)

    def lacks(self, record: Kept, branch: str) -> bool:
        """Whether a memory is to be written, for the first time or again."""
        if record.written and self.gone:
            return not record.look
        here = record.written is None or record.branch == branch
        return here and not self.holds(record)

    def was_meant(self, record: Kept) -> bool:
        """Whether somebody took a memory out that a run had found: the rest is as it was, and no older reading."""
        older = {checksum for each in self._group for checksum in each.before}
        return self.rest == record.rest and checksum(self.note.text) not in older

    @cached_property
    def rest(self) -> str:
        """A checksum of the log without the memories that are kept, and without blank lines."""
        return self._rest_without([*self._own.values()])

    def _rest_without(self, sections: Sequence[Section]) -> str:
        out = {n for section in sections for n in range(section.start, section.end + 1)}
        lines = (line.strip() for n, line in enumerate(self.note.lines, 1) if n not in out)
        return checksum("\n".join(filter(None, lines)))


def saying(note: Note, text: str) -> Section | None:
    """The section of a note that says exactly this, quoted or not, under any heading."""
    wanted = words_of(text)
    for section in note.sections:
        body = note.text_of(section.start + section.heading_lines, section.end)
        if section.level and words_of(body) == wanted:
            return section
    return None


def holds_words(words: str, record: Kept) -> bool:
    """Whether the ``words`` of a note (:func:`words_of`) have a memory among them."""
    wanted = words_of(record.text)
    return len(wanted.split()) >= _FEWEST_WORDS and wanted in words


def words_of(text: str) -> str:
    """The words of a text between single spaces, quoted or not."""
    words = " ".join(line.removeprefix(">") for line in split_lines(text)).split()
    return f" {' '.join(words)} "


def checksum(text: str) -> str:
    """A checksum of a text, with its length."""
    data = text.encode("utf-8", "surrogatepass")
    return f"{len(data)}-{zlib.crc32(data):08x}"


def read(root: Path) -> list[Kept]:
    """The memories that are kept, oldest first; what is no such line is skipped, and what was forgotten in part."""
    try:
        data = read_or_none(root, WAITING) or b""
    except (FileUnreadable, OutsideWorkspace):
        return []
    return [*rows(data.splitlines(), _kept)]


def _kept(row: Any) -> Kept:
    """Raises :class:`ValueError` for what no run of hippo has written, as :class:`KeyError` and others do."""
    json.dumps(row, ensure_ascii=False).encode()  # refuses halves of characters
    if row.get("checksum", checksum(row["text"])) != checksum(row["text"]):
        raise ValueError
    record = Kept(**{name: row[name] for name in Kept._fields if name in row})
    written = row.get("written")
    return record._replace(
        title=str(record.title),
        at=_moment(row["at"]),
        tags=tuple(map(str, record.tags)),
        pri=Priority(record.pri),
        path=_log_path(str(record.path)),
        written=_moment(written) if written else None,
        before=tuple(map(str, record.before)),
    )


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment


def _log_path(path: str) -> str:
    """The path, if it can be one of a log; else the settings say which. A workspace may be somebody else's."""
    parts = set(path.split("/"))
    is_log = path.lower().endswith((".md", ".markdown")) and not parts & {"", ".."}
    return path if is_log else ""


def _row(record: Kept) -> dict[str, object]:
    moments = {
        "at": record.at.isoformat(),
        "written": record.written.isoformat() if record.written else None,
    }
    return record._asdict() | moments | {"checksum": checksum(record.text)}


def _change(root: Path, change: Callable[[Sequence[Kept]], Iterable[Kept]], timeout: float) -> None:
    """One write for all: the file is gone when nothing is kept."""
    with locked(root, timeout):
        lines = [json.dumps(_row(record)) for record in change(read(root))]
        path = ensure_folder(root, WAITING)
        if lines:
            text = "".join(f"{line}\n" for line in lines)
            replace_bytes(path, text.encode(), WAITING, mode=0o600)
            return
        with writing(WAITING):
            path.unlink(missing_ok=True)
