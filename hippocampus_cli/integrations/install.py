"""Installing hippo in an agent and removing it: which files change, and how. Everything is undone byte for byte."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from hippocampus_cli.errors import InstallRefused, OutsideWorkspace
from hippocampus_cli.integrations import (
    extensions,
    hook_settings,
    instructions,
    mcp_settings,
    openclaw,
    settings_entry,
)
from hippocampus_cli.workspace.external_files import Change, made, read_text
from hippocampus_cli.workspace.own_files import is_inside

Agent = Literal[
    "claude-code",
    "codex",
    "gemini",
    "qwen",
    "cursor",
    "opencode",
    "openclaw",
    "pi",
    "any",
    "git",
]
AGENTS: tuple[Agent, ...] = get_args(Agent)
FILES: Mapping[Agent, str] = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
    "cursor": ".cursor/hooks.json",
    "opencode": f".agents/hippo/{extensions.PLUGIN}",
    "openclaw": openclaw.INDEX,
    "pi": f".pi/extensions/{extensions.NAME}",
    "any": instructions.AGENTS,
}
"""What an agent runs hippo by in a workspace; OpenClaw in its own folder."""
_OPENCODE = "opencode.json"
_OPENCODE_FOLDER = f".opencode/plugins/{extensions.PLUGIN}"
"""A plugin in opencode's own folder makes it install packages there. Older versions of hippo wrote one."""
SIGNS: Mapping[Agent, tuple[str, ...]] = {
    "claude-code": (".claude",),
    "codex": (".codex",),
    "gemini": (".gemini",),
    "qwen": (".qwen",),
    "cursor": (".cursor",),
    "opencode": (".opencode", _OPENCODE),
    "pi": (".pi",),
}
"""What in a workspace says that an agent works there."""
USER_FOLDERS: Mapping[Agent, str] = {
    "claude-code": ".claude",
    "codex": ".codex",
    "gemini": ".gemini",
    "qwen": ".qwen",
    "cursor": ".cursor",
    "opencode": ".config/opencode",
    "pi": ".pi/agent",
}
"""The folder that an agent keeps for its user, below the home folder."""
USER_FILES: Mapping[Agent, str] = {"opencode": f"plugins/{extensions.PLUGIN}"}
"""What an agent runs hippo by for all of a user's work, where that is not called as in a workspace."""
MOVED_BY = {
    "pi": "PI_CODING_AGENT_DIR",
    "claude-code": "CLAUDE_CONFIG_DIR",
    "codex": "CODEX_HOME",
}
"""The variables that move the folder an agent keeps for its user."""
FOLDERS = frozenset(
    (
        *(folder for signs in SIGNS.values() for folder in signs),
        *("extensions", "plugins", "hippo"),
        *(".agents", "skills", instructions.SKILL_FOLDER),
    )
)
"""Folders that are made for a file."""
_BY_NAME = re.compile(r"(?:^|[\s`])hippo(?:\.exe)? (?:hook|query)\b")
Place = Callable[[str], Path]
"""Where a file lies that an agent reads, by its name in the agent's folder or in the workspace."""


class FileEdit(NamedTuple):
    """hippo's part in a file: how it comes into the file's text and how it leaves. An empty text is no file; both
    raise :class:`InstallRefused` for what is not theirs to change."""

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]


class Plan(NamedTuple):
    """No changes: nothing is to be done. ``path`` is the file that the agent runs hippo by."""

    agent: Agent
    path: str
    installs: bool
    changes: tuple[Change, ...]


def in_workspace(agent: Agent, root: Path, name: str) -> Path:
    """A file in a workspace, links resolved so that they stay links. Raises :class:`OutsideWorkspace`."""
    if not is_inside(root, root / name):
        raise OutsideWorkspace(
            path=name, reason=f"a link in the path of {name} points out of the workspace"
        )
    return Path(os.path.realpath(root / name))


def folder_for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """The folder an agent keeps for its user; ``named`` is the value of the variable in MOVED_BY.

    Raises :class:`InstallRefused` for an agent that has none.
    """
    if agent not in USER_FOLDERS:
        reason = "OpenClaw's plugin is for every workspace already"
        if agent == "any":
            reason = "instructions are of a workspace"
        raise InstallRefused(reason=reason, advice="use --workspace instead of --user")
    return Path(named or home / USER_FOLDERS[agent])


def workspace_parts(agent: Agent, place: Place, program: Sequence[str]) -> list[FileEdit]:
    """All that an agent gets in a workspace, started by ``program``, the words before hippo's own; first what runs
    hippo."""
    if agent == "any":
        return [_instructions(place(name), name, program) for name in instructions.FILES]
    parts = [_runner(agent, place(FILES[agent]), program)]
    if agent in mcp_settings.PLACES:
        parts.append(_server(agent, place(mcp_settings.PLACES[agent].file), program))
    if agent == "claude-code":
        name = instructions.CLAUDE_SKILL
        parts.append(_instructions(place(name), name, program))
    if agent == "opencode":
        parts += [_listed(place(_OPENCODE)), _former(place(_OPENCODE_FOLDER))]
    return parts


def user_parts(agent: Agent, folder: Path, program: Sequence[str]) -> list[FileEdit]:
    """What an agent gets for all of a user's work, in its ``folder`` for the user."""
    name = USER_FILES.get(agent) or FILES[agent].partition("/")[2]
    return [_runner(agent, Path(os.path.realpath(folder / name)), program)]


def openclaw_parts(state: Path, program: Sequence[str]) -> list[FileEdit]:
    """The plugin in OpenClaw's own folder, and its entry in the settings."""
    plugin, manifest, settings = (
        Path(os.path.realpath(state / name))
        for name in (openclaw.INDEX, openclaw.MANIFEST, openclaw.SETTINGS)
    )
    where = str(settings), openclaw.KEYS
    return [
        _extension(plugin, extensions.extension_text(program, extensions.OPENCLAW_PLUGIN)),
        FileEdit(manifest, lambda _: openclaw.manifest(), lambda _: ""),
        FileEdit(
            settings,
            lambda text: settings_entry.with_entry(text, *where, openclaw.ENTRY),
            lambda text: settings_entry.without_entry(text, *where, openclaw.ENTRY.__eq__),
        ),
    ]


def _runner(agent: Agent, path: Path, program: Sequence[str]) -> FileEdit:
    if agent not in hook_settings.LAYOUTS:
        return _extension(path, extensions.extension_text(program, path.name))
    return FileEdit(
        path,
        lambda text: hook_settings.with_hooks(agent, text, program, str(path)),
        lambda text: hook_settings.without_hooks(agent, text, str(path)),
    )


def _extension(path: Path, wanted: str) -> FileEdit:
    def take(text: str) -> str:
        extensions.check_ours(text, str(path))
        return ""

    return FileEdit(path, lambda _: wanted, take)


def _former(path: Path) -> FileEdit:
    """A file that is not written any more; a person's own stays."""

    def take(text: str) -> str:
        return "" if extensions.state_of(text) == "ours" else text

    return FileEdit(path, lambda text: text, take)


def _listed(path: Path) -> FileEdit:
    listed = {"path": str(path), "key": "plugin", "value": f"./{FILES['opencode']}"}
    return FileEdit(
        path,
        partial(settings_entry.with_listed, **listed),
        partial(settings_entry.without_listed, **listed),
    )


def _server(agent: Agent, path: Path, program: Sequence[str]) -> FileEdit:
    return FileEdit(
        path,
        lambda text: mcp_settings.with_server(agent, text, program, str(path)),
        lambda text: mcp_settings.without_server(agent, text, str(path)),
    )


def _instructions(path: Path, name: str, program: Sequence[str]) -> FileEdit:
    return FileEdit(
        path,
        lambda text: instructions.with_instructions(name, text, program),
        lambda text: instructions.without_instructions(name, text),
    )


def plan(agent: Agent, parts: Sequence[FileEdit], *, installs: bool) -> Plan:
    """The files with hippo's parts, or without them. Raises :class:`InstallRefused`."""
    before = {part.path: read_text(part.path, refused) for part in parts}
    after = dict(before)
    for part in reversed(parts):
        after[part.path] = part.take(after[part.path])
    for part in parts if installs else ():
        after[part.path] = part.put(after[part.path])
    changes = [
        Change(str(path), text, after[path])
        for path, text in before.items()
        if not _is_same(text, after[path])
    ]
    return Plan(agent, str(parts[0].path), installs, tuple(changes))


def _is_same(before: str, after: str) -> bool:
    """Whether two texts say the same: settings do in whatever order, for agents write in them too."""
    if before == after:
        return True
    try:
        return bool(json.loads(before) == json.loads(after))
    except (ValueError, RecursionError):
        return False


def commands(agent: Agent, path: Path) -> list[str]:
    """The commands that hippo's part in the file starts; none where it is not in. Raises :class:`InstallRefused`."""
    text = read_text(path, refused)
    if agent in hook_settings.LAYOUTS:
        return hook_settings.commands(text, str(path))
    return extensions.commands(text)


def starts_by_name(agent: Agent, path: Path) -> bool:
    """Whether the file names hippo by its name alone, as whoever shares it wants."""
    named = [read_text(path, refused)] if agent == "any" else commands(agent, path)
    return any(map(_BY_NAME.search, named))


def carry_out(plans: Sequence[Plan]) -> None:
    """Do what the plans say, or nothing; folders that become empty are removed with a file.

    Raises :class:`InstallRefused`.
    """
    changes = list(_each_once(plans))
    with contextlib.ExitStack() as stack:
        for change in changes:  # what is raised by a later one puts the earlier ones back
            stack.enter_context(made([change], refused))
    for change in changes:
        folder = Path(change.place).parent
        while not change.after and folder.name in FOLDERS:
            with contextlib.suppress(OSError):
                folder.rmdir()
            folder = folder.parent


def _each_once(plans: Sequence[Plan]) -> Iterator[Change]:
    for plan in plans:
        yield from plan.changes


def refused(path: str, reason: str) -> InstallRefused:
    """The error where another program's file cannot be changed."""
    return InstallRefused(path=path, reason=reason, advice="check that file, then try again")
