"""Everything that is wrong with an index: the file itself, and where its pointers lead."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.entries.kept import waiting_lines
from hippocampus_cli.errors import HippoError, IndexShrunk
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import checks
from hippocampus_cli.index.checks import LEFT_BEHIND, Diagnostic, Severity
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, parse_pointers
from hippocampus_cli.markdown.lines import decode, split_lines
from hippocampus_cli.redaction.redactor import secrets_in
from hippocampus_cli.text.plain_text import ELSEWHERE
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace import descriptions
from hippocampus_cli.workspace.commit import read_or_none
from hippocampus_cli.workspace.descriptions import Description, Descriptions, said_by, text_of
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.own_files import BELIEFS, FOLDERS, WAITING, blocked_folder
from hippocampus_cli.workspace.read import is_binary
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.resolve import Notes, Resolved, Status
from hippocampus_cli.workspace.scan import scan
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.unread import unread_notes

SHOWN_LINES = 8
_WHY_NOT = {
    Status.MISSING_FILE: "there is no such file",
    Status.MISSING_SECTION: "the file has no such section",
    Status.UNREADABLE: "it cannot be read as a note (hippo status says why)",
    Status.OUTSIDE: "it leads out of the workspace and is not followed",
    Status.ELSEWHERE: "it leads into another memory: kept, and not followed",
    Status.FOLDER: "a folder",
    Status.ABSOLUTE: "an absolute path: it works on this machine only",
}


class Lead(Frozen):
    """What one pointer leads to. Public: the field names are the keys of ``--json``.

    ``status`` is ``ok``, ``absolute``, ``folder``, ``missing-file``, ``missing-section``, ``unreadable``,
    ``elsewhere`` or ``outside``;
    ``remark`` says why not, or what is odd. Lines are 1-based and inclusive, and ``None`` where nothing
    was found; ``text`` is the first of them.
    """

    pointer: str
    status: str
    path: str
    section: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    text: str = ""
    remark: str = ""


class Follower(Notes):
    """Follows pointers in one workspace, and shows what they lead to."""

    def moved_on(self, entry: Entry, known: Description | None) -> bool:
        """Whether what a person's entry is about was changed since, and no longer has its words (decision D23).

        Of hippo's own entries the next daily cycle writes anew what they say.
        """
        if known is None or known.own or known.said != said_by(entry):
            return False
        found = self.follow(entry.pointers[0]) if len(entry.pointers) == 1 else None
        note = self.note(found.path) if found and found.status is Status.OK else None
        if found is None or note is None or text_of(note, found.section) == known.text:
            return False
        text = note.text_of(*_span(note, found.section))
        said = telling_terms(f"{entry.topic} {text} {ELSEWHERE}")
        return not set(said).issuperset(telling_terms(entry.summary))

    def lead(self, pointer: Pointer) -> Lead:
        """The same with the first :data:`SHOWN_LINES` lines of the text."""
        found = self.follow(pointer)
        lead = Lead(str(pointer), found.status.value, found.path, remark=remark_on(found))
        readable = found.status in (Status.OK, Status.ABSOLUTE)
        note = self.note(found.path) if readable else None
        if note is None:
            return lead.replaced(remark="not a text to read") if readable else lead
        start, end = _span(note, found.section)
        return lead.replaced(
            section=found.section.title if found.section else None,
            start_line=start,
            end_line=end,
            text=self.as_written(found.path).text_of(start, min(end, start + SHOWN_LINES - 1)),
        )


def remark_on(found: Resolved) -> str:
    """Why a pointer names nothing that exists, or what is odd about it; empty where all is well."""
    if found.fuzzy and found.section:
        return f"matched by likeness with §{found.section.title}"
    return _WHY_NOT.get(found.status, "")


def _span(note: Note, section: Section | None) -> tuple[int, int]:
    if section:
        return section.start, section.tree_end
    first = note.sections[0].start if note.sections else 1  # front matter says little
    return first, max(first, len(note.lines))


DEAD = (Status.MISSING_FILE, Status.MISSING_SECTION, Status.OUTSIDE)
"""What a pointer leads to that leads nowhere."""

_CODES = {
    Status.MISSING_FILE: "missing-file",
    Status.OUTSIDE: "outside",
    Status.MISSING_SECTION: "missing-section",
    Status.UNREADABLE: "unreadable",
    Status.ABSOLUTE: "absolute-path",
}


class Checked(Frozen):
    """What a check found, sorted by file and line, and how much it looked at."""

    diagnostics: tuple[Diagnostic, ...]
    entries: int
    pointers: int

    @property
    def errors(self) -> int:
        return sum(one.severity is Severity.ERROR for one in self.diagnostics)

    @property
    def warnings(self) -> int:
        return len(self.diagnostics) - self.errors


def check_workspace(
    root: Path, config: Config, store: IndexStore, now: datetime, more: Iterable[Diagnostic]
) -> Checked:
    """Every diagnostic of the index, pointers included, the notes that are no UTF-8 or cannot be read, and ``more``.
    Nothing is changed."""
    index, most = store.read(archive=True), config.scan.max_file_bytes
    follower = Follower(root, most)
    described = descriptions.load(root)
    living = [*_in_files(index, now.date())]
    for located in index.entries:
        living += _about(located, follower, described)
    order = list(index.files)
    living.sort(key=lambda one: (order.index(one.path), one.line, one.code, one.message))
    notes = scan(root, config.scan)
    problems: list[HippoError | None] = [blocked_folder(root, name) for name in FOLDERS]
    if loss := store.loss(index):
        problems.append(IndexShrunk(lost=len(loss.ids), total=loss.total))
    paths = [*index.texts, *(stat.path for stat in notes.files)]
    found = (
        *(
            Diagnostic(1, each.code, f"{each.message}; {each.advice}", path=each.path or MASTER)
            for each in filter(None, problems)
        ),
        *living,
        *(
            Diagnostic(line, "merge-conflict", LEFT_BEHIND, path=path)
            for path in (BELIEFS, *index.archive)
            for line in conflict_lines(decode(read_or_none(root, path) or b""))
        ),
        *(
            Diagnostic(1, "memory-waits", f"to be written: {line} (hippo maintain)", path=WAITING)
            for line in waiting_lines(root, now)
        ),
        *filter(None, (_undecoded(root, path, most) for path in paths)),
        *(Diagnostic(1, "unread", why, path=path) for path, why in unread_notes(root, notes)[1]),
        *more,
    )
    pointers = sum(len(located.entry.pointers) for located in index.entries)
    return Checked(found, len(index.entries), pointers)


def _in_files(index: Hierarchy, today: date) -> Iterator[Diagnostic]:
    """What is odd about the files of the living index; relations may lead to any of it, and to its archive."""
    ids = index.ids.union(index.aliases, (one.entry.id for one in index.archived))
    for path, document in {MASTER: index.master, **index.topics}.items():
        for odd in checks.check(document, today, ids):
            yield odd.replaced(path=path)
    first: dict[str, str] = {}
    for located in index.entries:
        there = first.setdefault(located.entry.id, located.file)
        if there != located.file:
            message = f"the id {located.entry.id!r} is in {there} as well"
            yield _finding(located, "duplicate-id", message)


def _finding(
    located: Located, code: str, message: str, line: int = 0, remedy: str = ""
) -> Diagnostic:
    """A finding about an entry, by default at its first line."""
    return Diagnostic(line or located.line, code, message, located.key, located.file, remedy)


def _about(located: Located, follower: Follower, described: Descriptions) -> Iterator[Diagnostic]:
    """What is wrong with where an entry leads, and with what it says. Upkeep takes a secret out of what was drafted;
    the rest is its writer's."""
    entry = located.entry
    yield from _pointers(located, follower)
    said = (entry.topic, entry.summary, *entry.tags)
    if kinds := [secret.kind for text in said for secret in secrets_in(text)]:
        message = f"it holds a secret ({kinds[0]}): say where it is, not what it is"
        yield _finding(located, "secret", message)
    if follower.moved_on(entry, described.get(entry.id)):
        message = "its section was changed since the entry was written; see whether it still holds"
        yield _finding(located, "note-changed", message)


def _undecoded(root: Path, path: str, most: int) -> Diagnostic | None:
    try:
        data = read_regular(root / path, most)
        if not is_binary(data):  # what is no text is unread
            data.replace(b"\0", b"\xff").decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Diagnostic(
            line,
            "not-utf-8",
            "a NUL or a byte that is no UTF-8 (Latin-1?): save it as UTF-8",
            path=path,
        )
    except OSError:
        pass
    return None


def _pointers(located: Located, follower: Follower) -> Iterator[Diagnostic]:
    raw = located.entry.raw
    for start, end in located.entry.pointer_spans:
        line = located.line + len(split_lines(raw[:start] + "x")) - 1
        for pointer in parse_pointers(raw[start:end]):
            found = follower.follow(pointer)
            code = "fuzzy-section" if found.fuzzy else _CODES.get(found.status)
            if code is None:
                continue
            message = f"{pointer}: {remark_on(found)}"
            remedy = ""
            if found.status in DEAD and located.entry.is_editable:
                remedy = f"hippo check --drop {shlex.quote(located.key)}"
            yield _finding(located, code, message, line, remedy)
