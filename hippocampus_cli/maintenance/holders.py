"""What holds a thing that is to be forgotten: every file of hippo's own, the notes, and what is out of reach.

Out of reach are transcripts of agents, the shell's list of commands, git, and files that are no notes: those that
there are are named, each with the command that looks into it.
"""

from __future__ import annotations

import contextlib
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.context.originals import originals_of
from hippocampus_cli.errors import FileUnreadable, NothingToForget, SessionNotFound, UsageError
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance import scrub
from hippocampus_cli.maintenance.erasure import Erasure
from hippocampus_cli.markdown.lines import chomp, decode, line_ending, split_lines
from hippocampus_cli.redaction.phrases import (
    ForgottenText,
    overlapping,
    plain_matcher,
    tiles_of,
    words_of,
)
from hippocampus_cli.redaction.redactor import Matcher, Redactor
from hippocampus_cli.workspace.commit import holds_entries
from hippocampus_cli.workspace.own_files import FOLDER, SESSIONS, SHARED
from hippocampus_cli.workspace.paths import is_absolute, is_possible, normal
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.scan import Scan, scan
from hippocampus_cli.workspace.user_folders import hippo_folder

_TIME = pattern(r"#+\s+\d\d:\d\d\s*")  # a heading by `remember` without its title
_FEWEST = 3
"""Letters and digits that a text needs: a shorter one stands everywhere."""
_LINE = 4
"""Words that a line of a forgotten note needs to be known again elsewhere."""


class Target(NamedTuple):
    """What is to be forgotten: a text, or a note (or folder) by its path, or a session.

    ``notes`` is whether the notes are to be changed too. ``shown`` stands for it in commands: empty for itself.
    """

    text: str = ""
    path: str = ""
    session: str = ""
    notes: bool = False
    shown: str = ""

    @property
    def sort(self) -> str:
        """The word of a tombstone."""
        return "text" if self.text else "path" if self.path else "session"


class Holder(NamedTuple):
    """What holds it: how many files, and how many places in them."""

    name: str
    files: int
    places: int


class NoteHolder(NamedTuple):
    """A note that holds it. ``lines`` are 1-based; ``after`` is what each will read (``None``: it goes), and both are
    empty where the note goes as a whole."""

    path: str
    lines: tuple[int, ...] = ()
    after: tuple[str | None, ...] = ()


class Beyond(NamedTuple):
    """Something out of reach: what it is, the files that hold what was to be forgotten, and what to run."""

    what: str
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


class Surroundings(NamedTuple):
    """Where to look outside of the workspace: hippo's own cache folder and its folder for copies that belong to no
    workspace, and the files and folders of others, by what they are."""

    cache: Path | None = None
    copies: Path | None = None
    others: Sequence[tuple[str, Path]] = ()


def surroundings(home: Path, environ: Mapping[str, str]) -> Surroundings:
    """The places of the user whose folder is ``home``; ``environ`` may move those of agents and of hippo."""
    copies = hippo_folder("data", environ, home)
    pi = Path(environ.get("PI_CODING_AGENT_DIR") or home / ".pi/agent")
    others = (
        ("transcripts of Claude Code", Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")),
        ("transcripts of Pi", pi / "sessions"),
        ("transcripts of OpenClaw", home / ".openclaw"),
        ("transcripts of hippo outside of workspaces", copies),
        ("the shell's list of commands", home / ".bash_history"),
        ("the shell's list of commands", home / ".zsh_history"),
        ("the shell's list of commands", home / ".local/share/fish/fish_history"),
    )
    return Surroundings(hippo_folder("cache", environ, home), copies, others)


def lines_without(needle: ForgottenText, text: str) -> list[tuple[str, str]]:
    """Each line of a note with what is left of it without a text; nothing where that are no words any more, or a
    heading's time with nothing below it."""
    spans = Redactor([needle.whole]).spans(text)
    rows: list[tuple[str, str]] = []
    start, ends = len(text), True  # whether a section ends below
    for line in reversed(split_lines(text)):
        start -= len(line)
        kept = line
        for span in reversed(overlapping(spans, start, start + len(line))):
            first, last = max(span.start - start, 0), span.end - start
            kept = kept[:first] + kept[last:]
        kept = chomp(kept) + line_ending(line)
        if kept != line and (not words_of(kept) or (ends and _TIME.fullmatch(kept))):
            kept = ""
        elif kept.strip():
            ends = kept.startswith("#")
        rows.append((line, kept))
    return rows[::-1]


class Search:
    """A look through everything that may hold a target."""

    def __init__(
        self, root: Path, config: Config, target: Target, copies: Path | None = None
    ) -> None:
        self.root = root
        self.config = config
        self.target = target
        self.scan: Scan = scan(root, config.scan)
        self.own = scrub.own_files(root)
        self.needle = _needle(target.text) if target.text else None
        self.paths = self._paths()
        self._met = set(self._rows_of_notes())
        matcher: Matcher = self.needle or plain_matcher(self._met)
        self.erasure = Erasure(Redactor([matcher]), self._is_path)
        self.eraser = scrub.Eraser(root, self.erasure, [target.session])
        self.copies = originals_of(copies, target.session) if target.session and copies else []
        if target.session:
            self._require_session()

    @property
    def rows(self) -> set[tuple[str, ...]]:
        """The rows of words by which it is known, as far as was met."""
        return self.needle.rows if self.needle else self._met

    def holders(self) -> Iterator[Holder]:
        """What holds it, kind by kind."""
        places: dict[str, list[int]] = defaultdict(list)
        for name in (*self.own, *scrub.rebuildable_files(self.root)):
            if count := self._places(name):
                kind = name.removeprefix(f"{FOLDER}/").partition("/")[0]
                places[kind].append(count)
        yield from (Holder(kind, len(counts), sum(counts)) for kind, counts in places.items())
        if self.copies:
            yield Holder("copies outside of workspaces", len(self.copies), len(self.copies))

    def notes(self) -> Iterator[NoteHolder]:
        """The notes that hold it, or that are it."""
        if self.needle is None:
            yield from (NoteHolder(path) for path in self.paths if (self.root / path).is_file())
            return
        for note in self.scan.files:
            text = self._read(note.path)
            if not self.needle.whole(text):
                continue
            for _ in self.needle(text):  # learns in which words it stands
                pass
            yield _changed_lines(note.path, text, self.needle)

    def out_of_reach(self, others: Iterable[tuple[str, Path]]) -> Iterator[Beyond]:
        """What cannot be changed from here, with a command for each."""
        wanted = self.target.text or self.target.path
        if not wanted:
            return
        word = shlex.quote(self.target.shown or wanted)
        shared = self._read(SHARED)
        if shared and not self.config.store.url:
            command = f"HIPPO_STORE_URL={shlex.quote(shared)} hippo query {word}"
            yield Beyond("the shared store, which HIPPO_STORE_URL named before", (), (command,))
        for what, place in (*others, ("files that are not notes", self.root)):
            if place.exists():
                yield Beyond(what, (), (f"grep -rlF -- {word} {shlex.quote(str(place))}",))
        folders = (self.root, *self.root.parents)
        if repository := next((path for path in folders if (path / ".git").exists()), None):
            git = f"git -C {shlex.quote(str(repository))}"
            log, rewrite = f"-- {word}", f"--invert-paths --path {word}"
            if self.needle:
                log, rewrite = f"-S {word}", f"--replace-text <(printf 'literal:%s\\n' {word})"
            commands = (f"{git} log --all --oneline {log}", f"{git} filter-repo {rewrite}")
            yield Beyond("the history of git", (), commands)

    def _places(self, name: str) -> int:
        """How often it is in a file of hippo's own."""
        before = self.erasure.count
        with contextlib.suppress(OSError, FileUnreadable):
            self.eraser.applied(name, read_regular(self.root / name))
        return self.erasure.count - before

    def _read(self, path: str) -> str:
        try:
            return decode(read_regular(self.root / path, self.config.scan.max_file_bytes))
        except OSError:
            return ""

    def _is_path(self, path: str) -> bool:
        return any(path == one or path.startswith(f"{one}/") for one in self.paths)

    def _paths(self) -> list[str]:
        """The notes (and the folder) that are to be forgotten as a whole."""
        target = self.target
        if not target.path:
            return []
        possible = is_possible(target.path) and not is_absolute(target.path)
        clean = normal(target.path) if possible else None
        if not clean:
            advice = "give a note's path from the workspace's root"
            raise UsageError(reason=f"{target.path!r} is not a path in it", advice=advice)
        if clean == MASTER or f"{clean}/".startswith(f"{FOLDER}/"):
            advice = "`hippo forget TEXT` takes a text out of hippo's own files, too"
            raise UsageError(reason=f"{clean} is hippo's own and no note", advice=advice)
        inside = [note.path for note in self.scan.files if note.path.startswith(f"{clean}/")]
        pointed_at = {path for _, path in self._pointers}
        if not inside and not (self.root / clean).is_file() and clean not in pointed_at:
            raise NothingToForget(reason="there is no such note, and nothing points at one")
        return [clean, *inside]

    @cached_property
    def _pointers(self) -> list[tuple[str, str]]:
        """The names of every entry, each with the path of each of its pointers."""
        return [
            (said, pointer.path)
            for name in self.own
            if holds_entries(name)
            for located in parse(self._read(name)).entries
            for pointer in located.entry.pointers
            for said in (located.entry.id, located.entry.topic)
        ]

    def _rows_of_notes(self) -> Iterator[tuple[str, ...]]:
        """What tells of the notes that go: their paths, the names of entries that lead to them, their lines."""
        if not self.paths:
            return
        for path in self.paths:
            forms = tuple(word.form for word in words_of(path))
            if len(forms) > 1:
                yield forms
        names = {said for said, path in self._pointers if self._is_path(path)}
        names -= {said for said, path in self._pointers if not self._is_path(path)}
        others = (note.path for note in self.scan.files if not self._is_path(note.path))
        lines = {line for path in self.paths for line in self._lines(path)}
        lines -= {line for path in others for line in self._lines(path)}
        for text in (*names, *lines):
            if len(words_of(text)) >= _LINE:
                yield from tiles_of(text)

    def _lines(self, path: str) -> set[str]:
        return {line.strip() for line in self._read(path).splitlines()}

    def _require_session(self) -> None:
        key, folder = self.target.session, self.root / SESSIONS
        there = (folder / key).is_dir() or (folder / f"{key}.zip").is_file()
        if not (self.eraser.originals or self.copies) and ("/" in key or not there):
            advice = "ls .hippocampus/sessions shows every session"
            raise SessionNotFound(reason=f"there is no session {key}", advice=advice)


def _needle(text: str) -> ForgottenText:
    needle = ForgottenText(text)
    if needle.letters < _FEWEST:
        advice = f"give at least {_FEWEST} letters or digits of it"
        reason = "the text is too short: it would be found everywhere"
        raise UsageError(reason=reason, advice=advice)
    return needle


def _changed_lines(path: str, text: str, needle: ForgottenText) -> NoteHolder:
    """Which lines of a note change, and to what."""
    rows = enumerate(lines_without(needle, text), 1)
    changed = [(number, left) for number, (line, left) in rows if left != line]
    after = (left.rstrip("\r\n") or None for _, left in changed)
    return NoteHolder(path, tuple(number for number, _ in changed), tuple(after))


ELSEWHERE = Beyond(
    "backups, synchronised copies and other clones",
    (),
    ("hippo forget, with the same words, in each copy",),
)
