"""What holds a thing that is to be forgotten: every file of hippo's own, the notes, and what is out of reach.

Out of reach are transcripts of agents, the shell's list of commands, git, and files that are no notes: those that
there are are named, each with the command that looks into it.
"""

from __future__ import annotations

import contextlib
import re
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.config.settings import Config
from hippocampus_cli.context.originals import originals_of
from hippocampus_cli.entries.tag import require_text
from hippocampus_cli.errors import SessionNotFound, UsageError
from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.erasure import Erasure
from hippocampus_cli.maintenance.scrub import files_of_session, own_files
from hippocampus_cli.markdown.lines import decode, split_lines
from hippocampus_cli.query.private import has_private
from hippocampus_cli.redaction.phrases import (
    ForgottenText,
    forms_of,
    plain_matcher,
    tiles_of,
    words_of,
)
from hippocampus_cli.redaction.redactor import Matcher, Redactor
from hippocampus_cli.workspace.commit import holds_entries
from hippocampus_cli.workspace.own_files import FOLDER, PRIVATE, SHARED
from hippocampus_cli.workspace.paths import inner_path
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.scan import scan
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

    text: str
    path: str
    session: str
    notes: bool
    shown: str

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
    """Something out of reach: what it is, what to run, and the files that hold what was to be forgotten."""

    what: str
    commands: tuple[str, ...]
    files: tuple[str, ...] = ()


class ToForget(NamedTuple):
    """What holds it, what is out of reach, by which path and rows of words it will be known, the ids and topics of
    the entries and beliefs that go, how many entries, and the files outside of the workspace that go."""

    target: Target
    holders: tuple[Holder, ...]
    notes: tuple[NoteHolder, ...]
    beyond: tuple[Beyond, ...]
    path: str
    rows: Collection[tuple[str, ...]]
    gone: Collection[str]
    removed: int
    copies: Collection[Path]

    @property
    def places(self) -> int:
        """In how many places of hippo's own files it stands."""
        return sum(holder.places for holder in self.holders)


def find(root: Path, config: Config, target: Target, environ: Mapping[str, str]) -> ToForget:
    """What holds ``target``, which names one thing; ``environ`` may move the folders of agents and of hippo.

    Nothing is written. Raises :class:`UsageError`, :class:`SessionNotFound`.
    """
    if sum(map(bool, (target.text, target.path, target.session))) != 1:
        raise UsageError(
            reason="there must be one thing to forget",
            advice="give one of: a text, a path, a session",
        )
    require_text(target.text, target.path, errors="surrogateescape")
    search = _Search(root, config, target, environ)
    holders, notes = tuple(search.holders()), tuple(search.notes())
    if target.session and not holders:
        raise SessionNotFound(
            reason=f"there is no session {target.session}",
            advice="ls .hippocampus/sessions shows every session",
        )
    beyond = () if target.session else tuple(search.out_of_reach(notes))
    return ToForget(
        target,
        holders,
        notes,
        (*beyond, _ELSEWHERE),
        search.path,
        sorted(search.rows),
        search.erasure.gone,
        search.erasure.removed,
        search.copies,
    )


def lines_without(needle: ForgottenText, text: str) -> list[tuple[str, str]]:
    """Each line of a note with what is left of it without a text; nothing where that are no words any more, or a
    heading's time with nothing below it."""
    bare = split_lines(Redactor([needle.whole]).redact(text, lambda kind: ""))
    rows: list[tuple[str, str]] = []
    ends = True  # whether a section ends below
    for line, left in reversed([*zip_longest(split_lines(text), bare, fillvalue="")]):
        if left != line and (not words_of(left) or (ends and _TIME.fullmatch(left))):
            rows.append((line, ""))
            continue
        if left.strip():
            ends = left.startswith("#")
        rows.append((line, left))
    return rows[::-1]


class _Search:
    """A look through everything that may hold a target."""

    def __init__(
        self, root: Path, config: Config, target: Target, environ: Mapping[str, str]
    ) -> None:
        self.root = root
        self.environ = environ
        self.home = Path("~").expanduser()
        self.data = hippo_folder("data", environ, self.home)
        self.config = config
        self.target = target
        self.path = _path_in(target.path) if target.path else ""
        self.scanned = [note.path for note in scan(root, config.scan).files]
        self.own = own_files(root)
        self.needle = _needle(target.text) if target.text else None
        self.rows = self.needle.rows if self.needle else {*self._rows_of_notes()}
        matcher: Matcher = self.needle or plain_matcher(self.rows)
        files = files_of_session(root, target.session) if target.session else ()
        self.copies = originals_of(self.data, target.session) if target.session else []
        self.erasure = Erasure(Redactor([matcher]), self._goes, files)

    def holders(self) -> Iterator[Holder]:
        """What holds it, kind by kind."""
        places: dict[str, list[int]] = defaultdict(list)
        for name in (*self.own, *own_files(self.root, derived=True)):
            before = self.erasure.count
            with contextlib.suppress(OSError):
                self.erasure.applied(name, read_regular(self.root / name))
            if count := self.erasure.count - before:
                places[name.removeprefix(f"{FOLDER}/").partition("/")[0]].append(count)
        if self.copies:
            places["copies outside of workspaces"] = [1] * len(self.copies)
        yield from (Holder(kind, len(counts), sum(counts)) for kind, counts in places.items())

    def notes(self) -> Iterator[NoteHolder]:
        """The notes that hold it, or that are it."""
        if self.needle is None:
            gone = filter(self._goes, sorted({self.path, *self.scanned}))
            yield from (NoteHolder(path) for path in gone if (self.root / path).is_file())
            return
        for path in self.scanned:
            text = self._read(path)
            if self.needle.whole(text):
                self.erasure.redactor.spans(text)  # learns in which words it stands
                rows = enumerate(lines_without(self.needle, text), 1)
                changed = [(number, left) for number, (line, left) in rows if left != line]
                after = tuple(left.rstrip("\r\n") or None for _, left in changed)
                yield NoteHolder(path, tuple(number for number, _ in changed), after)

    def out_of_reach(self, notes: Sequence[NoteHolder]) -> Iterator[Beyond]:
        """What cannot be changed from here, with a command for each."""
        target, environ, home = self.target, self.environ, self.home
        wanted = target.shown or target.text or target.path
        word = shlex.quote(wanted)
        named = f"--path {word}" if target.path else word
        if notes and not target.notes:
            paths = tuple(note.path for note in notes)
            yield Beyond("the notes themselves", (f"hippo forget {named} --notes",), paths)
        shared = self._read(SHARED)
        if shared and not self.config.store.url:
            yield Beyond(
                "the shared store, which HIPPO_STORE_URL named before",
                (f"HIPPO_STORE_URL={shlex.quote(shared)} hippo query {word}",),
            )
        if has_private(self.root):
            folder = shlex.quote(str(self.root / PRIVATE))
            yield Beyond("the private tier", (f"hippo forget {named} --workspace {folder}",))
        pi = Path(environ.get("PI_CODING_AGENT_DIR") or home / ".pi/agent")
        shells = (".bash_history", ".zsh_history", ".local/share/fish/fish_history")
        places = (
            (
                "transcripts of Claude Code",
                Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude"),
            ),
            ("transcripts of Pi", pi / "sessions"),
            ("transcripts of OpenClaw", home / ".openclaw"),
            ("transcripts of hippo outside of workspaces", self.data),
            *(("the shell's list of commands", home / shell) for shell in shells),
            ("files that are not notes", self.root),
        )
        for what, place in places:
            if place.exists():
                yield Beyond(what, (f"grep -rliF -- {word} {shlex.quote(str(place))}",))
        outwards = (path for path in (self.root, *self.root.parents) if (path / ".git").exists())
        if repository := next(outwards, None):
            git = f"git -C {shlex.quote(str(repository))}"
            log, rewrite = f"-- {word}", f"--invert-paths --path {word}"
            if self.needle:
                rule = shlex.quote(f"regex:(?i){re.escape(wanted)}")
                log, rewrite = f"-i -S {word}", f"--replace-text <(printf '%s\\n' {rule})"
            commands = (f"{git} log --all --oneline {log}", f"{git} filter-repo {rewrite}")
            yield Beyond("the history of git", commands)

    def _read(self, path: str) -> str:
        try:
            return decode(read_regular(self.root / path, self.config.scan.max_file_bytes))
        except OSError:
            return ""

    def _goes(self, path: str) -> bool:
        """Whether a note is to be forgotten as a whole, by its path or its folder's."""
        return bool(self.path) and f"{path}/".startswith(f"{self.path}/")

    def _rows_of_notes(self) -> Iterator[tuple[str, ...]]:
        """What tells of the notes that go, and stands in no other one: their paths, the names of entries that lead to
        them, their lines."""
        if not self.path:
            return
        texts: dict[bool, list[str]] = {True: [], False: []}
        for path in {self.path, *self.scanned}:
            texts[self._goes(path)].append(self._read(path))
            forms = tuple(forms_of(path))
            if self._goes(path) and len(forms) > 1:
                yield forms
        for name in filter(holds_entries, self.own):
            for located in parse(self._read(name)).entries:
                goes = any(self._goes(pointer.path) for pointer in located.entry.pointers)
                texts[goes] += [located.entry.id, located.entry.topic]
        lines = (line for text in texts[True] for line in text.splitlines())
        rows = {row for line in lines if len(words_of(line)) >= _LINE for row in tiles_of(line)}
        stand = plain_matcher(rows)
        for text in texts[False]:
            rows -= {tuple(forms_of(text[span.start : span.end])) for span in stand(text)}
        yield from rows


def _path_in(path: str) -> str:
    """A note's path, or a folder's. Raises :class:`UsageError` for what is none, and for hippo's own."""
    clean = inner_path(path)
    if not clean or f"{clean}/".startswith((f"{MASTER}/", f"{FOLDER}/", f"{PRIVATE}/")):
        raise UsageError(
            reason=f"{path!r} is no note of the workspace",
            advice=f"give a note's path from the workspace's root; {PRIVATE}/ is one: --workspace {PRIVATE}",
        )
    return clean


def _needle(text: str) -> ForgottenText:
    if sum(map(len, forms_of(text))) < _FEWEST:
        raise UsageError(
            reason="the text is too short: it would be found everywhere",
            advice=f"give at least {_FEWEST} letters or digits of it",
        )
    return ForgottenText(text)


_ELSEWHERE = Beyond(
    "backups, synchronised copies and other clones",
    ("hippo forget, with the same words, in each copy",),
)
