"""Installing hippo in an agent and removing it: which files change, and how. Everything is undone byte for byte."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.errors import InstallRefused, OutsideWorkspace
from hippocampus_cli.integrations import extensions, hook_settings, instructions, openclaw
from hippocampus_cli.integrations.agent_files import FILES, OPENCODE_SETTINGS, Agent
from hippocampus_cli.integrations.mcp_settings import edit_server
from hippocampus_cli.integrations.settings_entry import edit_entry
from hippocampus_cli.workspace.external_files import Change, made, read_text
from hippocampus_cli.workspace.own_files import is_inside

_FOR_USER = {
    "any": "instructions are of a workspace",
    "git": "git needs the driver in each repository",
    "openclaw": "OpenClaw's plugin is for every workspace already",
}
"""What is not installed for all of a user's work, and why."""
FOLDERS = frozenset(
    (
        *(files.folder for files in FILES.values()),
        "extensions",
        "plugins",
        "hippo",
        ".agents",
        "skills",
        instructions.SKILL_FOLDER,
    )
)
"""Folders that are made for a file."""
_BY_NAME = re.compile(r"(?:^|[\s`])hippo(?:\.exe)? (?:hook|query)\b")
Place = Callable[[str], Path]
"""Where a file lies that an agent reads, by its name in the agent's folder or in the workspace."""


class FileEdit(NamedTuple):
    """hippo's part in a file: ``edit`` gives the file's text without it, and with it anew where it is told to
    install. An empty text is no file; it raises :class:`InstallRefused` for what is not its to change."""

    path: Path
    edit: Callable[[str, bool], str]


class InstallPlan(NamedTuple):
    """No changes: nothing is to be done. ``path`` is the file that the agent runs hippo by."""

    agent: Agent
    path: str
    installs: bool
    changes: tuple[Change, ...]


def in_workspace(root: Path, name: str) -> Path:
    """A file in a workspace, links resolved so that they stay links. Raises :class:`OutsideWorkspace`."""
    if not is_inside(root, root / name):
        raise OutsideWorkspace(
            path=name, reason=f"a link in the path of {name} points out of the workspace"
        )
    return _real(root / name)


def folder_for_user(agent: Agent, home: Path, environ: Mapping[str, str]) -> Path:
    """The folder an agent keeps for its user. Raises :class:`InstallRefused` for what has none."""
    if agent in _FOR_USER:
        raise InstallRefused(reason=_FOR_USER[agent], advice="use --workspace instead of --user")
    files = FILES[agent]
    return Path(environ.get(files.moved_by) or home / (files.user_folder or files.folder))


def workspace_parts(agent: Agent, place: Place, program: Sequence[str]) -> list[FileEdit]:
    """All that an agent gets in a workspace, started by ``program``, the words before hippo's own; first what runs
    hippo."""
    if agent == "any":
        return [_instructions(place, name, program) for name in instructions.FILES]
    files = FILES[agent]
    runner = files.workspace_runner or f"{files.folder}/{files.runner}"
    parts = [_runner(agent, place(runner), program)]
    if files.servers:
        servers = place(files.servers)
        parts.append(FileEdit(servers, partial(edit_server, agent, program, str(servers))))
    if agent == "claude-code":
        parts.append(_instructions(place, instructions.CLAUDE_SKILL, program))
    if agent == "opencode":
        parts.append(_entry(place(OPENCODE_SETTINGS), ("plugin",), f"./{runner}"))
    return parts


def user_parts(agent: Agent, folder: Path, program: Sequence[str]) -> list[FileEdit]:
    """What an agent gets for all of a user's work, in its ``folder`` for the user."""
    parts = [_runner(agent, _real(folder / FILES[agent].runner), program)]
    if agent == "openclaw":
        parts.append(FileEdit(_real(folder / openclaw.MANIFEST), extensions.edit_manifest))
        parts.append(_entry(_real(folder / openclaw.SETTINGS), openclaw.KEYS, openclaw.ENTRY))
    return parts


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _runner(agent: Agent, path: Path, program: Sequence[str]) -> FileEdit:
    if agent in hook_settings.LAYOUTS:
        return FileEdit(path, partial(hook_settings.edit_hooks, agent, program, str(path)))
    wanted = extensions.extension_text(program, agent)
    return FileEdit(path, partial(extensions.edit_extension, wanted, str(path)))


def _entry(path: Path, keys: Sequence[str], value: object) -> FileEdit:
    """A value in JSON settings; a text is one of a list."""
    wanted = [value] if isinstance(value, str) else value
    return FileEdit(path, partial(edit_entry, str(path), keys, wanted, lambda one: one == value))


def _instructions(place: Place, name: str, program: Sequence[str]) -> FileEdit:
    return FileEdit(place(name), partial(instructions.edit_instructions, name, program))


def plan(agent: Agent, parts: Sequence[FileEdit], *, installs: bool) -> InstallPlan:
    """The files with hippo's parts, or without them. Raises :class:`InstallRefused`."""
    before = {part.path: read_text(part.path) for part in parts}
    after = dict(before)
    for part in reversed(parts):
        after[part.path] = part.edit(after[part.path], False)
    for part in parts if installs else ():
        after[part.path] = part.edit(after[part.path], True)
    changes = [
        Change(str(path), text, after[path])
        for path, text in before.items()
        if not _is_same(text, after[path])
    ]
    return InstallPlan(agent, str(parts[0].path), installs, tuple(changes))


def _is_same(before: str, after: str) -> bool:
    """Whether two texts say the same: settings do in whatever order, for agents write in them too."""
    try:
        return bool(json.loads(before) == json.loads(after))
    except (ValueError, RecursionError):
        return before == after


def commands(agent: Agent, path: Path) -> list[str]:
    """The commands that hippo's part in the file starts; none where it is not in. Raises :class:`InstallRefused`."""
    text = read_text(path)
    if agent in hook_settings.LAYOUTS:
        return hook_settings.commands(text, str(path))
    return extensions.commands(text)


def starts_by_name(agent: Agent, path: Path) -> bool:
    """Whether the file names hippo by its name alone, as whoever shares it wants."""
    named = [read_text(path)] if agent == "any" else commands(agent, path)
    return any(map(_BY_NAME.search, named))


def carry_out(plans: Sequence[InstallPlan], check: Callable[[], object] = object) -> None:
    """Do what the plans say, or nothing where ``check`` raises afterwards; folders that become empty are removed with
    a file.

    Raises :class:`InstallRefused`.
    """
    changes = [change for plan in plans for change in plan.changes]
    with made(changes):
        check()
    home = Path("~").expanduser()
    for change in changes:
        folder = Path(change.place).parent
        # an agent's own folder for its user says that the agent is there
        while not change.after and folder.name in FOLDERS and folder.parent != home:
            with contextlib.suppress(OSError):
                folder.rmdir()
            folder = folder.parent
