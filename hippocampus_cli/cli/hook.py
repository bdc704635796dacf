"""``hippo hook``, run by an agent that waits: no typer, and no failure that could hold it up.

Whatever goes wrong is a word on standard error; nothing is on standard output then, and the exit code is 0. To an
agent 2 would mean to stop.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.options import WORKSPACE, argument, option, parse, present
from hippocampus_cli.errors import HippoError, IndexNotFound, UsageError
from hippocampus_cli.integrations.hook_dialects import DIALECTS, HOOK_AGENTS, HookAgent, Reply
from hippocampus_cli.integrations.hook_event import Event, agent_of, read_event
from hippocampus_cli.integrations.hook_log import Ran, write
from hippocampus_cli.integrations.hooks import Found, reply_to
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.config_file import read_config
from hippocampus_cli.workspace.file_table import FileStat
from hippocampus_cli.workspace.own_files import CACHE, FOLDER, INDEX, TEXT, ensure_folder
from hippocampus_cli.workspace.root import find_workspace

if TYPE_CHECKING:
    from datetime import datetime

    from hippocampus_cli.api.workspace import Workspace
    from hippocampus_cli.config import Config
    from hippocampus_cli.context.transcripts import Format
    from hippocampus_cli.workspace.fence import Random

_MOST_SECONDS = 8.0
_SECONDS = {"PreCompact": 50.0, "PreCompress": 50.0, "preCompact": 50.0}
"""After so many seconds the agent goes on without an answer; the agent's own limits are above them."""
_GRACE = 0.5
"""So many seconds later the process ends, where no Python runs that could give up: a locked database, a pattern."""
_FORGOTTEN = 7 * 24 * 3600
"""Seconds, after which it is forgotten that a session had a time-out."""
_LATE = (
    "The memory of this workspace had no answer in time, and is silent in this session until its notes are read."
    " `hippo query WORDS` reads them, once."
)
PARAMETERS = (
    argument(
        "event",
        "EVENT",
        "SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PreCompact, Stop, SessionEnd, or its own name.",
        required=True,
    ),
    option("--agent -a", "Whose hook it is.", default=HOOK_AGENTS[0], choices=HOOK_AGENTS),
)


def run(words: Sequence[str]) -> int:
    """Answer the event on standard input; ``words`` stand behind ``hippo hook``. Always 0."""
    try:
        given = parse(words, (*PARAMETERS, WORKSPACE))
        seconds = _SECONDS.get(given["event"], _MOST_SECONDS)
        with _deadline(seconds):
            until = time.monotonic() + seconds + _GRACE
            _answer(given["event"], given["agent"], given["workspace"], until)
    except (Exception, _Late) as error:
        with contextlib.suppress(OSError, ValueError):  # there may be no standard error
            sys.stderr.write(f"hippo: {safe_line(_reason(error))}\n")
            sys.stderr.flush()
    return 0


def _answer(name: str, agent: HookAgent, workspace: Path | None, until: float) -> None:
    """Read the event, do what it asks for, print what there is to say, and write it into the log. Raises anything."""
    began = time.monotonic()
    known = DIALECTS[agent].event_of(name)
    if known is None:
        advice = f"the hooks are {', '.join(DIALECTS[agent].events)}"
        raise UsageError(reason=f"unknown hook {name[:40]!r}", advice=advice)
    event = read_event(name, _given(), known)
    if agent == "claude-code":
        agent = agent_of(event)
    door = WorkspaceDoor(_root(event, workspace), present(os.environ), agent)
    text, failed = "", ""
    with _marked(door.root, event, until) as was_late:
        if was_late:
            return
        try:
            reply = reply_to(event, door)
            if reply is not None and reply.text:
                answer = DIALECTS[agent].answer(name, reply)
                sys.stdout.write(f"{answer}\n" if answer else "")
                sys.stdout.flush()
                text = reply.text if answer else ""
        except (Exception, _Late) as error:
            failed = _reason(error)
            if isinstance(error, _Late) and event.name == "UserPromptSubmit":
                sys.stdout.write(f"{DIALECTS[agent].answer(name, Reply(context=_LATE))}\n")
                sys.stdout.flush()
            raise
        finally:
            took = round(1_000 * (time.monotonic() - began))
            stamp = door.now.isoformat("T", "seconds")
            ran = Ran(stamp, agent, event.name, tokens(text), took, event.session, failed)
            write(door.root, ran)


class WorkspaceDoor:
    """The workspace of an event; it is opened when something is asked of it."""

    random = staticmethod(os.urandom)

    def __init__(self, root: Path, now: datetime, agent: HookAgent) -> None:
        self.root = root
        self.now = now
        self.agent = agent
        self.client = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path("~/.claude").expanduser())
        self.has_index = os.path.lexists(root / INDEX)

    @cached_property
    def config(self) -> Config:
        """The settings."""
        return read_config(self.root, os.environ)

    def _open(self) -> Workspace:
        from hippocampus_cli.api.workspace import open_workspace

        opened = open_workspace(self.root, config=self.config, environ=os.environ)
        return opened.at(self.now)

    def brief(self, random: Random) -> str:
        """The brief, without what the agent loads by itself."""
        with self._open() as opened:
            loaded = DIALECTS[self.agent].loads
            return opened.brief(loaded=loaded).fenced(random)

    def recall(self, prompt: str, odds: float | None = None) -> Found | None:
        """What the memory has on a prompt."""
        with self._open() as opened:
            result = opened.recall(prompt, odds=odds)
        if result is None:
            return None
        from hippocampus_cli.cli.answer import fenced

        first = result.results[0]
        place = f"{first.path}:{first.start_line}"
        return Found(place, fenced(result, explain=False), result.confidence, result.sure)

    def end(self, session: str) -> None:
        """End a session: what is to persist goes to MEMORY.md and the index."""
        with self._open() as opened:
            opened.context(session).end()

    def encode(self, path: str, form: Format | None) -> None:
        """Make episodes of what is new in a session's file."""
        with self._open() as opened:
            opened.mind.encode(path, form=form)


def _given() -> bytes:
    """What the agent passes. Some keep standard input open: then it ends where the object does."""
    if sys.stdin is None:  # there may be no standard input
        return b""
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):
        return sys.stdin.buffer.read()
    if os.name == "nt" or os.isatty(number):
        return sys.stdin.buffer.read()
    data = b""
    while chunk := os.read(number, 1 << 20):
        data += chunk
        if chunk.rstrip().endswith(b"}"):
            with contextlib.suppress(ValueError, RecursionError):
                json.loads(data)
                break
    return data


class _Late(BaseException):
    """The agent has waited long enough. Nothing on the way may take it for a failure that can be mended."""


@contextlib.contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Within, :class:`_Late` is raised after so many seconds, where the system can do that."""

    def late(*_: object) -> None:
        raise _Late(f"no answer within {seconds:g} s")

    before = None
    with contextlib.suppress(AttributeError, ValueError):  # Windows; not the main thread
        before = signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _marked(root: Path, event: Event, until: float) -> Iterator[bool]:
    """Whether nothing is to be done, for the session had a time-out before; one within is marked.

    The mark is a file with something in it: what ends the process at its deadline writes there, too. It holds until
    somebody has read the notes. The end of a session is worked on all the same, for nobody waits for more, and takes
    the mark away.
    """
    path = _mark_of(root, event.session)
    ends = event.name == "SessionEnd"
    with (path or Path(os.devnull)).open("ab") as mark:
        late = path is not None and mark.tell() > 0 and not _is_read_since(root, path)
        faulthandler.dump_traceback_later(max(0.01, until - time.monotonic()), exit=True, file=mark)
        try:
            yield late and not ends
        except _Late:
            late = True
            mark.write(b"late\n")
            raise
        finally:
            faulthandler.cancel_dump_traceback_later()
            if path is not None and (ends or not late):
                path.unlink(missing_ok=True)


def _is_read_since(root: Path, mark: Path) -> bool:
    """Whether the notes were read into their store after a session was marked."""
    with contextlib.suppress(OSError):
        read, marked = (FileStat.of(path.stat()) for path in (root / TEXT, mark))
        return read.changed_at > marked.changed_at
    return False


def _mark_of(root: Path, session: str) -> Path | None:
    """The file that marks the session, and no marks that are a week old; ``None`` where nothing can be written."""
    import re

    try:
        path = ensure_folder(root, f"{CACHE}/late/{re.sub(r'[^A-Za-z0-9_-]', '_', session)[:80]}")
        for mark in path.parent.iterdir():
            if time.time() - FileStat.of(mark.stat()).changed_at > _FORGOTTEN:
                mark.unlink()
        if not path.exists():  # its moment is that of the time-out
            path.touch(0o600)
    except (HippoError, OSError):
        return None
    return path


def _root(event: Event, workspace: Path | None) -> Path:
    """The workspace: named, else that of the agent's project. hippo is to be in use there already.

    Raises :class:`WorkspaceNotFound`, :class:`IndexNotFound`.
    """
    roots = event.record.get("workspace_roots")  # Cursor's
    first = str(roots[0]) if isinstance(roots, list) and roots else os.curdir
    project = os.environ.get("CLAUDE_PROJECT_DIR") or event.text("cwd") or first
    root = find_workspace(Path(project), workspace, os.environ.get("HIPPO_WORKSPACE"))
    if not any(os.path.lexists(root / name) for name in (INDEX, FOLDER)):
        raise IndexNotFound(path=str(root))
    return root


def _reason(error: BaseException) -> str:
    """What went wrong, in a line."""
    if isinstance(error, HippoError):
        place = f" ({error.where})" if error.where else ""
        return f"{error.message}{place}"
    kind = type(error).__name__
    return str(error) if isinstance(error, _Late) else f"a bug in hippo: {kind}: {error}"
