"""A new experience goes to today's log, which must hold it, then into the index (INDEX §10.1).

A memory that cannot be written waits: another program had today's log, or the index, open for writing for too long.
Each is a JSON line of ``.hippocampus/waiting.jsonl``, which nobody else may read. The next ``remember`` and the next
cycle of upkeep write it.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.anchors.follow_notes import follow_notes_at
from hippocampus_cli.entries.add import add_or_merge, place_for
from hippocampus_cli.entries.arguments import require_priority, require_text
from hippocampus_cli.entries.draft import pointer_to
from hippocampus_cli.entries.index_writer import IndexWriter
from hippocampus_cli.entries.passages import Passage, section_passage
from hippocampus_cli.entries.sections import shelf_of
from hippocampus_cli.entries.tag import clean_tags, refuse_told
from hippocampus_cli.errors import (
    BeingWritten,
    Busy,
    FileUnreadable,
    FileUnwritable,
    HippoError,
    IndexGone,
    IndexNotFound,
    IndexShrunk,
    MemoryKept,
    UsageError,
)
from hippocampus_cli.index import metadata
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority, plain_line
from hippocampus_cli.markdown.lines import chomp, encode, line_ending, newline_of, split_lines
from hippocampus_cli.redaction.redactor import FORGOTTEN_SIGN, holds_placeholder
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.kinds import kind_of
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.note_store import change_note
from hippocampus_cli.workspace.own_files import WAITING, ensure_folder
from hippocampus_cli.workspace.redaction import redacted, redactor_for
from hippocampus_cli.workspace.tombstones import is_forgotten


class Kept(NamedTuple):
    """What was to be remembered: its own words and title, its moment, and what was asked for its entry."""

    text: str
    title: str
    at: datetime
    tags: tuple[str, ...]
    pri: str


def keep(root: Path, one: Kept, timeout: float) -> None:
    """Add a memory to those that wait, once."""
    with locked(root, timeout):
        found = waiting(root)
        if one not in found:
            _write(root, [*found, one])


def let_go(root: Path, one: Kept, timeout: float) -> None:
    """Take a memory from those that wait."""
    with locked(root, timeout):
        _write(root, [other for other in waiting(root) if other != one])


def waiting(root: Path) -> Sequence[Kept]:
    """The memories that wait, oldest first; what is no such line is skipped."""
    try:
        data = read_or_none(root, WAITING) or b""
    except FileUnreadable:
        return ()
    found = []
    for line in data.splitlines():
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            raw = json.loads(line)
            at, tags = datetime.fromisoformat(raw["at"]), tuple(map(str, raw["tags"]))
            found.append(Kept(str(raw["text"]), str(raw["title"]), at, tags, Priority(raw["pri"])))
    return found


def _write(root: Path, those: Iterable[Kept]) -> None:
    """One write for all: the file is gone when nobody waits."""
    lines = [json.dumps(one._asdict() | {"at": one.at.isoformat()}) for one in those]
    path = ensure_folder(root, WAITING)
    if not lines:
        path.unlink(missing_ok=True)
        return
    replace_bytes(path, "".join(f"{line}\n" for line in lines).encode(), WAITING, mode=0o600)


_TITLE = 60  # characters of a title made from the first words
_TELLING = 12  # characters from which a first sentence will do
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Memory:
    """Something to remember, at a moment. ``text`` is kept word for word, ``title`` is one line."""

    text: str
    title: str
    at: datetime

    @property
    def heading(self) -> str:
        return f"{self.at:%H:%M} {self.title}"


@dataclass(frozen=True, slots=True)
class Remembered:
    """Where a memory was written down, and its entry (``None`` where there is no index to hold one).

    ``start_line`` and ``end_line`` are 1-based and inclusive, in the log at ``path``.
    """

    path: str
    section: str
    start_line: int
    end_line: int
    entry: str | None
    notices: tuple[str, ...] = ()


def memory_of(text: str, title: str | None, at: datetime) -> Memory:
    """``text`` as a memory; without a ``title`` its first words are one. Raises :class:`UsageError`."""
    if not text.strip():
        advice = 'say what: hippo remember "The staging database moved to port 5433"'
        raise UsageError(reason="there is nothing to remember", advice=advice)
    if "\0" in text:
        advice = "hippo remembers text; describe what the file is and where it is"
        raise UsageError(reason="that is binary data, not text", advice=advice)
    words = plain_line(title) if title else _first_words(text)
    return Memory(text, _cut(words, _TITLE) or "note", at)


def remembered(log: str | None, memory: Memory, path: str) -> tuple[str, Section]:
    """The log with the memory as its last section, in the log's line endings, and that section.

    The log's own bytes stay as they are. The text stands as it is if it reads as the text of one section
    there; headings, open fences and the like are quoted with ``> ``, each line word for word.
    Raises :class:`FileUnwritable` where the log would swallow it even so.
    """
    before = _begun(log, memory)
    old = Note(path, before)
    for core in _forms(memory):
        new = Note(path, before + _with_endings(core, before))
        if _holds_one_more(old, new, memory):
            return new.text, new.sections[-1]
    raise FileUnwritable(path=path, reason="what it holds would swallow a new section")


def saying(note: Note, memory: Memory) -> Section | None:
    """The section of a log that this memory was written down as, if it was."""
    for section in note.sections:
        titled = " ".join(section.title.split()) == " ".join(memory.heading.split())
        body = note.text_of(section.start + section.heading_lines, section.end)
        if titled and _bare(body) == _bare(memory.text):
            return section
    return None


def _bare(text: str) -> list[str]:
    return " ".join(line.removeprefix(">") for line in split_lines(text)).split()


def _first_words(text: str) -> str:
    """The first sentence, with the next one where it says little."""
    lines = (plain_line(line[: 10 * _TITLE]) for line in split_lines(text))
    words = ""
    for sentence in _SENTENCE.split(next(filter(None, lines), "")):
        words = f"{words} {sentence}".strip()
        if len(words) >= _TELLING:
            break
    return words.removesuffix(".")


def _begun(log: str | None, memory: Memory) -> str:
    if log is None or not log.strip("\ufeff \t\r\n"):
        return (log or "") + f"# {memory.at:%Y-%m-%d}\n"
    return log


def _forms(memory: Memory) -> Iterator[str]:
    """The section's lines in the ways it may stand, the plainest first."""
    lines = [chomp(line) for line in split_lines(memory.text)]
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    heading = f"## {memory.heading}"
    quoted = [f"> {line}".rstrip(" ") if not line.strip() else f"> {line}" for line in lines]
    yield "\n".join([heading, "", *lines])
    yield "\n".join([heading, "", *quoted])
    # A comment that the log never closes would end at a "-->" of the text; another comment stops it first.
    yield "\n".join(["<!-- -->", "", heading, "", *quoted])


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


def _holds_one_more(old: Note, new: Note, memory: Memory) -> bool:
    kept = [(one.level, one.title, one.start, one.end) for one in old.sections]
    there = [(one.level, one.title, one.start) for one in new.sections]
    if len(there) != len(kept) + 1 or [row[:3] for row in kept] != there[:-1]:
        return False
    level, title, _ = there[-1]
    open_ = len(new.blocks.unclosed) > len(old.blocks.unclosed)
    return level == 2 and " ".join(title.split()) == memory.heading and not open_


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = text[: most - 1]
    words, blank, _ = head.rpartition(" ")
    return (words if blank and len(words) > most // 2 else head).rstrip(" ,;:–—-") + "…"


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
    memory = memory_of(text, title, writer.now)
    words = clean_tags(tags)
    refuse_told(words, text)
    wish = Kept(memory.text, memory.title, memory.at, words, pri)
    for one, done in write_waiting(writer):
        if (one.text, one.tags, one.pri) == (wish.text, wish.tags, wish.pri):
            return done  # tried again by who was told that it waits
    return _written(writer, wish)


def write_waiting(writer: IndexWriter) -> list[tuple[Kept, Remembered]]:
    """Write down what waits, as far as that can be done now."""
    found = []
    for one in waiting(writer.root):
        with contextlib.suppress(HippoError):
            done = _written(replace(writer, now=one.at), one, again=True)
            found.append((one, done))
            if done.entry or not _asks_more(one) or is_forgotten(writer.root, done.path):
                let_go(writer.root, one, writer.config.lock.timeout_seconds)
    return found


def _asks_more(memory: Kept) -> bool:
    """Whether something was asked for its entry that its note does not say: it waits for an index that can be
    written."""
    return bool(memory.tags) or memory.pri != metadata.Priority.NORMAL


def _written(writer: IndexWriter, wish: Kept, *, again: bool = False) -> Remembered:
    config, now = writer.config, writer.now
    memory = Memory(wish.text, wish.title, wish.at)
    path = config.remember.log.replace("{date}", f"{now:%Y-%m-%d}").replace("\\", "/")
    written: list[tuple[str, Section]] = []

    def append(log: str | None) -> str:
        there = saying(Note(path, log or ""), memory) if again else None
        written[:] = [(log or "", there) if there else remembered(log, memory, path)]
        return written[0][0]

    try:
        change_note(writer.root, path, append, config.lock.timeout_seconds)
    except BeingWritten as error:
        keep(writer.root, wish, config.lock.timeout_seconds)
        raise MemoryKept(path=path) from error
    log, section = written[0]
    if is_forgotten(writer.root, path):
        notice = f"{path} was forgotten (hippo forget --list): it is neither indexed nor searched"
        return Remembered(path, section.title, section.start, section.tree_end, None, (notice,))
    passage = passage_of(writer.root, Note(path, log), section, now.date())
    entry, notices = index_memory(writer, passage, wish.tags, wish.pri, wish)
    if FORGOTTEN_SIGN in passage.title + passage.body:
        notices += (FORGOTTEN_NOTICE,)
    elif holds_placeholder(passage.title + passage.body):
        notices += (SECRET_NOTICE,)
    if len(encode(log)) > config.scan.max_file_bytes:
        notices += (f"{path} is larger than scan.max_file_bytes: it is not searched",)
    notices += follow_notes_at(writer.root, config, now, writer.opener)
    name = pointer_to(passage).section or section.title
    return Remembered(path, name, section.start, section.tree_end, entry, notices)


def passage_of(root: Path, note: Note, section: Section, day: date) -> Passage:
    """A section of a note as an entry may be drafted from it: without what must not be kept."""
    known = redacted(note, redactor_for(root))
    return section_passage(known, kind_of(note.path), day, known.sections[section.ordinal])


def index_memory(
    writer: IndexWriter,
    passage: Passage,
    tags: tuple[str, ...],
    pri: str,
    wish: Kept | None = None,
) -> tuple[str | None, tuple[str, ...]]:
    """The id of the entry; where there can be none, why. The memory itself is safe in the log.

    A ``wish`` waits where the index is in use: what was asked for its entry is not in the log.
    """
    try:
        drafter = writer.drafter(writer.store.read())
        drafted = drafter.draft(passage, src=metadata.Source.MANUAL)
        merged = clean_tags((*tags, *drafted.tags))[: max(len(tags), drafter.tags)]
        draft = drafted.replaced(tags=merged, pri=metadata.Priority(pri))
        shelf = shelf_of(passage)

        def change(index: Hierarchy) -> tuple[Hierarchy, str]:
            place = place_for(index, draft.pointers[0], shelf)
            return add_or_merge(index, draft, place, tags)

        return writer.change(change, archive=True)[1], ()
    except (IndexGone, IndexShrunk) as error:
        return None, (f"written down but not indexed: {error.message} ({error.advice})",)
    except IndexNotFound:
        if wish and _asks_more(wish):
            with contextlib.suppress(HippoError):
                keep(writer.root, wish, writer.config.lock.timeout_seconds)
        return None, ("there is no index yet: `hippo bootstrap` makes one that finds this too",)
    except HippoError as error:
        if wish and isinstance(error, (BeingWritten, Busy)):
            with contextlib.suppress(HippoError):
                keep(writer.root, wish, writer.config.lock.timeout_seconds)
        return None, (f"written down but not indexed: {error.message}",)
