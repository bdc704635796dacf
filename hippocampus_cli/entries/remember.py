"""A new experience goes to today's log, which must hold it, then into the index (INDEX §10.1).

A memory that cannot be written waits: another program had today's log, or the index, open for writing for too long.
The next ``remember`` and the next cycle of upkeep write it. They also write again what a program saved an older copy
of the log over (:mod:`kept`).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from datetime import date, datetime

from hippocampus_cli.entries.add import add_or_merge
from hippocampus_cli.entries.draft import draft, pointer_to
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.kept import (
    Kept,
    Log,
    checksum,
    holds_words,
    keep,
    read,
    saying,
    settle,
    words_of,
)
from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.sections import place_of
from hippocampus_cli.entries.tag import clean_tags, refuse_told, require_priority, require_text
from hippocampus_cli.errors import (
    BeingWritten,
    FileUnreadable,
    FileUnwritable,
    HippoError,
    MemoryKept,
    OutsideWorkspace,
    UsageError,
)
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.markdown.lines import chomp, encode, line_ending, newline_of, split_lines
from hippocampus_cli.redaction.redactor import FORGOTTEN_SIGN, holds_placeholder, secrets_in
from hippocampus_cli.search.embed import follow_notes
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.sentences import sentences_of
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.own_files import WAITING, WAITING_LOCK
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.tombstones import is_forgotten
from hippocampus_cli.workspace.version_control import checked_out

_TITLE = 60  # characters of a title made from the first words


class Remembered(Frozen):
    """Where a memory was written down, and its entry (``None`` where there is no index to hold one).

    ``start_line`` and ``end_line`` are 1-based and inclusive, in the log at ``path``. ``earlier`` are places that may
    speak of the same: ``place``, ``date``, ``text``.
    """

    path: str
    section: str
    start_line: int
    end_line: int
    entry: str | None
    notices: tuple[str, ...] = ()
    earlier: tuple[tuple[str, date, str], ...] = ()


def memory_of(text: str, title: str | None, at: datetime) -> Kept:
    """``text`` as a memory; without a ``title`` its first words are one. Raises :class:`UsageError`."""
    if not text.strip():
        advice = 'say what: hippo remember "The staging database moved to port 5433"'
        raise UsageError(reason="there is nothing to remember", advice=advice)
    if "\0" in text:
        advice = "hippo remembers text; describe what the file is and where it is"
        raise UsageError(reason="that is binary data, not text", advice=advice)
    words = plain_line(title) if title else _first_words(text)
    return Kept(text, shorten(words, _TITLE) or "note", at)


def remembered(log: str | None, memory: Kept, path: str, heading: str = "") -> tuple[str, Section]:
    """The log with the memory as its last section, in the log's line endings, and that section.

    The log's own bytes stay as they are. The text stands as it is if it reads as the text of one section
    there; headings, open fences and the like are quoted with ``> ``, each line word for word. By default the
    ``heading`` is the time and the title. Raises :class:`FileUnwritable` where the log would swallow it even so.
    """
    heading = heading or memory.heading
    before = log or ""
    if not before.strip("\ufeff \t\r\n"):
        before += f"# {memory.at:%Y-%m-%d}\n"
    old = Note(path, before)
    for core in _forms(heading, memory.text):
        new = Note(path, before + _with_endings(core, before))
        if _holds_one_more(old, new, heading):
            return new.text, new.sections[-1]
    raise FileUnwritable(path=path, reason="what it holds would swallow a new section")


def _first_words(text: str) -> str:
    """The first sentence."""
    lines = (plain_line(line[: 10 * _TITLE]) for line in split_lines(text))
    return next(sentences_of(next(filter(None, lines), "")), "").removesuffix(".")


def _forms(heading: str, text: str) -> Iterator[str]:
    """The section's lines in the ways it may stand, the plainest first."""
    lines = [chomp(line) for line in split_lines(text)]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    quoted = [f"> {line}" if line.strip() else ">" for line in lines]
    yield "\n".join([f"## {heading}", "", *lines])
    yield "\n".join([f"## {heading}", "", *quoted])
    # A comment that the log never closes would end at a "-->" of the text; another comment stops it first.
    yield "\n".join(["<!-- -->", "", f"## {heading}", "", *quoted])


def _with_endings(core: str, before: str) -> str:
    """``core`` after a blank line, with the line endings of the text before it."""
    newline = newline_of(before)
    last = split_lines(before)[-1]
    if last.endswith("\r") and newline == "\n":  # a bare "\n" would join it to one line ending
        newline = "\r\n"
    lead = "" if not last.strip() else newline
    if not line_ending(last):
        lead += newline
    return lead + core.replace("\n", newline) + newline


def _holds_one_more(old: Note, new: Note, heading: str) -> bool:
    kept, there = (
        [(section.level, section.title, section.start) for section in note.sections]
        for note in (old, new)
    )
    if there[:-1] != kept or len(new.blocks.unclosed) > len(old.blocks.unclosed):
        return False
    last = new.sections[-1]
    return last.level == 2 and " ".join(last.title.split()) == heading


SAID_NOTICE = "the log of the day says so already: only the tags and the priority that its entry lacked were written"
SECRET_NOTICE = "this holds a secret: it is in the note only, not in the index"
FORGOTTEN_NOTICE = (
    "this holds what was forgotten (hippo forget --list): no question finds that part of it"
)


def remember(
    writer: IndexWriter,
    text: str,
    *,
    title: str | None = None,
    tags: Iterable[str] = (),
    pri: str = "normal",
) -> Remembered:
    """Append ``text`` to the day's log and index it; see :meth:`Workspace.remember` for what is raised."""
    require_text(text, title or "")
    require_priority(pri)
    wish = memory_of(text, title, writer.now)
    words = clean_tags(tags)
    refuse_told(words, text)
    wish = wish._replace(tags=words, pri=pri, path=log_of(writer, writer.now))
    with locked(writer.root, writer.config.lock.timeout_seconds, WAITING_LOCK):
        settled = _settled(writer)
        done = _first_written(writer, wish)
        return done.replaced(notices=(*done.notices, *_told_of(settled)))


def _first_written(writer: IndexWriter, wish: Kept) -> Remembered:
    """Write a memory that is kept first: nobody who saves the log meanwhile can take it away. What the log of the day
    says already is not written again."""
    timeout = writer.config.lock.timeout_seconds
    keep(writer.root, wish, timeout)
    try:
        _, done, is_new = _written(writer, wish)
    except BeingWritten as error:
        raise MemoryKept(path=wish.path) from error
    except HippoError:
        keep(writer.root, wish, timeout, gone=True)
        raise
    return done if is_new else done.replaced(notices=(*done.notices, SAID_NOTICE))


def log_of(writer: IndexWriter, at: datetime) -> str:
    """The path of the log of a moment."""
    return writer.config.remember.log.replace("{date}", f"{at:%Y-%m-%d}").replace("\\", "/")


Settled = tuple[Kept, Remembered, bool]
"""A kept memory, where it stands now, and whether it was not there before."""


def write_waiting(writer: IndexWriter) -> tuple[str, ...]:
    """Write down what waits, and again what a program saved an older copy over, as far as that can be done now; what
    a person should know of it."""
    if not os.path.lexists(writer.root / WAITING):
        return ()
    with (
        contextlib.suppress(HippoError),
        locked(writer.root, writer.config.lock.timeout_seconds, WAITING_LOCK),
    ):
        return _told_of(_settled(writer))
    return ()


def _settled(writer: IndexWriter) -> list[Settled]:
    timeout = writer.config.lock.timeout_seconds
    lacking = settle(writer.root, writer.now, timeout)
    unindexed = [one for one in read(writer.root) if one.written and not one.indexed]
    found = []
    for one in dict.fromkeys((*lacking, *unindexed)):
        with contextlib.suppress(HippoError):
            if one.written and one in lacking and _is_elsewhere(writer, one):
                keep(writer.root, one, timeout, gone=True)
                continue
            found.append(_written(writer, one))
    return found


def _told_of(settled: Iterable[Settled]) -> tuple[str, ...]:
    """What a person should know of memories that were written late, or again."""
    return tuple(
        f"{done.path}:{done.start_line}: written again, the log lacked it (took it out? hippo forget TEXT --notes)"
        if kept.written
        else f"{done.path}:{done.start_line}: written now; it had waited since {kept.at:%Y-%m-%d %H:%M}"
        for kept, done, is_new in settled
        if is_new
    )


def _is_elsewhere(writer: IndexWriter, one: Kept) -> bool:
    """Whether somebody moved a memory into another note."""
    most = writer.config.scan.max_file_bytes
    for stat in scan(writer.root, writer.config.scan).files:
        with contextlib.suppress(FileUnreadable, OutsideWorkspace):
            if holds_words(words_of(read_note(writer.root, stat.path, most).text), one):
                return True
    return False


def _written(writer: IndexWriter, wish: Kept) -> Settled:
    """Write a memory into its log, if it is not there already, and into the index."""
    path, timeout = wish.path or log_of(writer, wish.at), writer.config.lock.timeout_seconds
    read_before: list[str] = []
    result: list[tuple[str, Section]] = []

    def append(log: str | None) -> str:
        there = saying(Note(path, log or ""), wish.text)
        read_before[:] = [] if there else [log or ""]
        result[:] = [(log or "", there) if there else remembered(log, wish, path)]
        if read_before and len(encode(result[0][0])) > writer.config.scan.max_file_bytes:
            reason = (
                f"{path} would be larger than scan.max_file_bytes, and no question would find it"
            )
            raise UsageError(reason=reason, advice="write it to a note of its own, or to several")
        return result[0][0]

    change_note(writer.root, path, append, timeout)
    log, section = result[0]
    then = writer.replaced(now=wish.at)
    done = indexed(then, Note(path, log), section, wish.tags, wish.pri)
    # What was asked for its entry and its note does not say waits for an index that can be written.
    asks_more = wish.tags or wish.pri != metadata.Priority.NORMAL
    kept = wish._replace(
        path=path,
        indexed=not asks_more or bool(done.entry),
        written=writer.now,
        branch=checked_out(writer.root),
    )
    if read_before:
        group = [one for one in read(writer.root) if one.path == path]
        kept = kept._replace(
            before=(*wish.before, checksum(read_before[0])),
            rest=Log(Note(path, log), group).rest,
            look="",
        )
    no_copy = is_forgotten(writer.root, path) or any(secrets_in(wish.text))
    with contextlib.suppress(HippoError):  # it is in the log: the next run finds it
        keep(writer.root, kept, timeout, gone=no_copy)  # a secret stands in its note alone
    return wish, done, bool(read_before)


def indexed(
    writer: IndexWriter,
    note: Note,
    section: Section,
    tags: tuple[str, ...] = (),
    pri: str = "normal",
) -> Remembered:
    """A memory that is in its note, with its entry, which is made where there is none yet."""
    path = note.path
    if is_forgotten(writer.root, path):
        notice = f"{path} was forgotten (hippo forget --list): it is neither indexed nor searched"
        return Remembered(path, section.title, section.start, section.tree_end, None, (notice,))
    known = redacted(note, redactor_for(writer.root))  # what must not be kept is in no entry
    passage = Passage(known, writer.now.date(), known.sections[section.ordinal])
    entry, notices = index_memory(writer, passage, tags, pri)
    if FORGOTTEN_SIGN in passage.title + passage.body:
        notices += (FORGOTTEN_NOTICE,)
    elif holds_placeholder(passage.title + passage.body):
        notices += (SECRET_NOTICE,)
    notices += follow_notes(writer.root, writer.config, writer.opener)
    name = pointer_to(passage).section or section.title
    return Remembered(path, name, section.start, section.tree_end, entry, notices)


def index_memory(
    writer: IndexWriter, passage: Passage, tags: tuple[str, ...], pri: str
) -> tuple[str | None, tuple[str, ...]]:
    """The id of the entry; where there can be none, why. The memory itself is safe in the log."""
    try:
        clock = writer.clock(writer.store.read())
        drafted = draft(passage, clock, src=metadata.Source.MANUAL)
        merged = clean_tags((*tags, *drafted.tags))
        drafted = drafted.replaced(tags=merged, pri=metadata.Priority(pri))

        def change(index: Hierarchy) -> tuple[Hierarchy, str]:
            place = place_of(index.master, drafted)
            return add_or_merge(index, drafted, place, tags)

        return writer.change(change)[1], ()
    except HippoError as error:
        return None, (f"written down but not indexed: {error.message} ({error.advice})",)
