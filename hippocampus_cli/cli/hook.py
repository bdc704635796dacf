"""``hippo hook``, run by an agent that waits: no typer, and no failure that could hold it up.

Whatever goes wrong is a word on standard error; nothing is on standard output then, and the exit code is 0. To an
agent 2 would mean to stop.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import HippoError, IndexNotFound, UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from hippocampus_cli.api import Workspace
    from hippocampus_cli.config import Config
    from hippocampus_cli.integrations.hook_event import Event
    from hippocampus_cli.integrations.recall import Found, Memory
    from hippocampus_cli.workspace.fence import Piece

RECALLED, RECALL_TOKENS = 3, 150
"""Places that are brought at a prompt, and the tokens of their texts."""


def run(words: Sequence[str]) -> int:
    """Answer the event on standard input; ``words`` stand behind ``hippo hook``. Always 0."""
    try:
        name, workspace = _parsed(words)
        answer_event(name, workspace)
    except Exception as error:
        _say(error)
    return 0


def answer_event(name: str, workspace: Path | None) -> None:
    """Read the event, do what it asks for, and print the answer if there is one. Raises anything."""
    import json

    from hippocampus_cli.cli.surroundings import present
    from hippocampus_cli.integrations.hook_event import read_event
    from hippocampus_cli.integrations.hooks import HookContext, answer
    from hippocampus_cli.workspace.own_files import INDEX

    given = b"" if sys.stdin is None else sys.stdin.buffer.read()  # there may be no standard input
    event = read_event(name, given)
    root = _root(event, workspace, os.environ)
    client = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path("~/.claude").expanduser())
    agent = os.environ.get("AI_AGENT", "")
    now = present(os.environ)
    settings = functools.cache(lambda: _settings(root, os.environ))
    indexed = os.path.lexists(root / INDEX)
    memory = functools.partial(_memory, root, settings, now) if indexed else None
    told = answer(event, HookContext(root, settings, now, os.urandom, client, agent, memory))
    if told is not None:
        sys.stdout.write(f"{json.dumps(told, separators=(',', ':'))}\n")
        sys.stdout.flush()


def _memory(root: Path, settings: Callable[[], Config], now: datetime) -> Memory:
    """The memory of the workspace; opened when it is asked."""
    from hippocampus_cli.integrations.recall import Found, Memory

    def brief() -> list[Piece]:
        from hippocampus_cli.cli.render.entries import fenced_brief

        with _opened(root, settings) as opened:
            return fenced_brief(opened.brief(now=now))

    def recall(prompt: str) -> Found | None:
        from hippocampus_cli.cli.render.answer import fenced
        from hippocampus_cli.query.confidence import SURE

        with _opened(root, settings) as opened:
            found = opened.query(prompt, limit=RECALLED, tokens=RECALL_TOKENS, write=False, now=now)
        if found.sure != SURE:
            return None
        first = found.results[0]
        return Found(f"{first.path}:{first.start_line}", fenced(found, explain=False))

    return Memory(brief, recall)


def _opened(root: Path, settings: Callable[[], Config]) -> Workspace:
    from hippocampus_cli.api import open_workspace

    return open_workspace(root, config=settings(), environ=os.environ)


def _parsed(words: Sequence[str]) -> tuple[str, Path | None]:
    """The event's name, and the workspace if one is named. Raises :class:`UsageError`."""
    from getopt import GetoptError, gnu_getopt

    try:
        named, rest = gnu_getopt(list(words), "w:", ["workspace="])
    except GetoptError as error:
        raise UsageError(reason=error.msg, advice="see --help") from None
    if len(rest) != 1:
        raise UsageError(reason=f"hippo hook takes one event, not {len(rest)}", advice="see --help")
    return rest[0], Path(named[-1][1]) if named else None


def _root(event: Event, workspace: Path | None, environ: Mapping[str, str]) -> Path:
    """The workspace: named, else that of the agent's project. hippo is to be in use there already.

    Raises :class:`WorkspaceNotFound`, :class:`IndexNotFound`.
    """
    from hippocampus_cli.workspace.own_files import FOLDER, INDEX
    from hippocampus_cli.workspace.root import find_workspace

    project = environ.get("CLAUDE_PROJECT_DIR") or event.text("cwd") or os.curdir
    root = find_workspace(Path(project), workspace, environ.get("HIPPO_WORKSPACE"))
    if not any(os.path.lexists(root / name) for name in (INDEX, FOLDER)):
        raise IndexNotFound(path=str(root))
    return root


def _settings(root: Path, environ: Mapping[str, str]) -> Config:
    from hippocampus_cli.cli.surroundings import read_settings
    from hippocampus_cli.config import load

    return load(read_settings(root), environ)


def _say(error: Exception) -> None:
    import contextlib

    from hippocampus_cli.markdown.safe import safe_line  # the printers' own brings them all along

    if isinstance(error, HippoError):
        place = f" ({error.where})" if error.where else ""
        said = f"{error.message}{place}"
    else:
        said = f"a bug in hippo: {type(error).__name__}: {error}"
    with contextlib.suppress(OSError, ValueError):  # there may be no standard error
        sys.stderr.write(f"hippo: {safe_line(said)}\n")
        sys.stderr.flush()
