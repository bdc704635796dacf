"""Installing hippo in an agent and removing it: which files change, and how. Everything is undone byte for byte."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from hippocampus_cli.errors import InstallRefused, OutsideWorkspace
from hippocampus_cli.integrations import bundle, extensions, hook_settings, instructions, openclaw
from hippocampus_cli.workspace.external_files import Change, difference, made, read_text
from hippocampus_cli.workspace.own_files import is_inside

Agent = Literal[
    "claude-code", "codex", "gemini", "cursor", "opencode", "openclaw", "pi", "any", "git", "bundle"
]
AGENTS: tuple[Agent, ...] = get_args(Agent)
FILES: Mapping[Agent, str] = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "opencode": f".opencode/plugins/{extensions.PLUGIN}",
    "openclaw": f".pi/extensions/{extensions.NAME}",
    "pi": f".pi/extensions/{extensions.NAME}",
    "any": instructions.AGENTS,
}
"""What an agent reads in a workspace."""
USER_FOLDERS: Mapping[Agent, str] = {
    "claude-code": ".claude",
    "codex": ".codex",
    "gemini": ".gemini",
    "cursor": ".cursor",
    "opencode": ".config/opencode",
    "pi": ".pi/agent",
}
"""The folder that an agent keeps for its user, below the home folder."""
MOVED_BY = {
    "pi": "PI_CODING_AGENT_DIR",
    "claude-code": "CLAUDE_CONFIG_DIR",
    "codex": "CODEX_HOME",
}
"""The variables that move the folder an agent keeps for its user."""
FOLDERS = frozenset(
    (
        *(".pi", "extensions", ".claude", ".codex", ".gemini", ".cursor", ".opencode", "plugins"),
        *(".agents", "skills", instructions.SKILL_FOLDER),
        "hippo",
    )
)
"""Folders that are made for a file."""


def in_workspace(agent: Agent, root: Path, name: str = "") -> Path:
    """Its file in a workspace, links resolved so that they stay links. Raises :class:`OutsideWorkspace`."""
    name = name or FILES[agent]
    if not is_inside(root, root / name):
        raise OutsideWorkspace(
            path=name, reason=f"a link in the path of {name} points out of the workspace"
        )
    return _real(root / name)


def folder_for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """The folder an agent keeps for its user; ``named`` is the value of the variable in MOVED_BY."""
    return Path(named or home / USER_FOLDERS.get(agent, USER_FOLDERS["pi"]))


def for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """Its file for all of a user's work; ``named`` is the value of the variable in MOVED_BY.

    Raises :class:`InstallRefused` for an agent that has none.
    """
    if agent in USER_FOLDERS:
        name = FILES[agent].partition("/")[2]
        return _real(folder_for_user(agent, home, named) / name)
    reason = "OpenClaw has no folder of extensions for every workspace"
    if agent == "any":
        reason = "instructions are of a workspace"
    raise InstallRefused(reason=reason, advice="use --workspace instead of --user")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


class Plan(NamedTuple):
    """No changes: nothing is to be done. ``path`` is the file that the agent reads."""

    agent: Agent
    path: str
    installs: bool
    changes: tuple[Change, ...]


def plan_install(agent: Agent, path: Path, program: Sequence[str]) -> Plan:
    """hippo, started by ``program``, in the file that the agent reads. Raises :class:`InstallRefused`."""
    before = read_text(path, refused)
    if agent in hook_settings.LAYOUTS:
        after = hook_settings.with_hooks(agent, before, program, str(path))
    else:
        after = extensions.extension_text(program, path.name)
        if before != after:
            extensions.check_ours(before, str(path))
    return Plan(agent, str(path), True, tuple(difference(path, after, refused)))


def commands(agent: Agent, path: Path) -> list[str]:
    """The commands that hippo's part in the file starts; none where it is not in. Raises :class:`InstallRefused`."""
    text = read_text(path, refused)
    if agent in hook_settings.LAYOUTS:
        return hook_settings.commands(text, str(path))
    return extensions.commands(text)


def plan_instructions(root: Path, program: Sequence[str], *, installs: bool) -> Plan:
    """The instructions for any agent, in the files of a workspace, or the files without them.

    Raises :class:`InstallRefused`, :class:`OutsideWorkspace`.
    """
    changes: list[Change] = []
    for name in instructions.FILES:
        path = in_workspace("any", root, name)
        before = read_text(path, refused)
        if installs:
            after = instructions.with_instructions(name, before, program)
        else:
            after = instructions.without_instructions(name, before)
        changes += difference(path, after, refused)
    return Plan("any", str(root / instructions.AGENTS), installs, tuple(changes))


def plan_openclaw(state: Path, program: Sequence[str], *, installs: bool) -> Plan:
    """The plugin in OpenClaw's own folder and its entry in the settings, or these without it.

    Raises :class:`InstallRefused`.
    """
    index, manifest = _real(state / openclaw.INDEX), _real(state / openclaw.MANIFEST)
    settings = _real(state / openclaw.SETTINGS)
    before, text = read_text(index, refused), read_text(settings, refused)
    wanted = extensions.extension_text(program, extensions.OPENCLAW_PLUGIN) if installs else ""
    if before != wanted:
        extensions.check_ours(before, str(index))
    edit = openclaw.with_entry if installs else openclaw.without_entry
    edits = (
        (index, wanted),
        (manifest, openclaw.manifest() if installs else ""),
        (settings, edit(text, str(settings))),
    )
    changes = [one for path, after in edits for one in difference(path, after, refused)]
    return Plan("openclaw", str(index), installs, tuple(changes))


def plan_bundle(folder: Path, program: Sequence[str], version: str) -> Plan:
    """The bundle in a folder that is empty, or that holds one. Raises :class:`InstallRefused`."""
    folder = _real(folder)
    manifest = folder / bundle.MANIFEST
    ours = bundle.is_bundle(read_text(manifest, refused))
    if not ours and os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        reason = "it holds something else"
        raise InstallRefused(path=str(folder), reason=reason, advice="name a folder of its own")
    changes = [
        one
        for name, text in bundle.bundle_files(program, version).items()
        for one in difference(folder / name, text, refused)
    ]
    return Plan("bundle", str(folder), True, tuple(changes))


def plan_remove(agent: Agent, path: Path) -> Plan:
    """The file without hippo, or no file where it held nothing else. Raises :class:`InstallRefused`."""
    before = read_text(path, refused)
    if agent in hook_settings.LAYOUTS:
        after = hook_settings.without_hooks(agent, before, str(path))
    else:
        extensions.check_ours(before, str(path))
        after = ""
    return Plan(agent, str(path), False, tuple(difference(path, after, refused)))


def carry_out(plans: Sequence[Plan]) -> None:
    """Do what the plans say, or nothing; folders that become empty are removed with a file.

    Raises :class:`InstallRefused`.
    """
    changes = [change for plan in plans for change in plan.changes]
    with contextlib.ExitStack() as stack:
        for change in changes:  # what is raised by a later one puts the earlier ones back
            stack.enter_context(made([change], refused))
    for change in changes:
        folder = Path(change.place).parent
        while not change.after and folder.name in FOLDERS:
            with contextlib.suppress(OSError):
                folder.rmdir()
            folder = folder.parent


def refused(path: str, reason: str) -> InstallRefused:
    """The error where another program's file cannot be changed."""
    return InstallRefused(path=path, reason=reason, advice="check that file, then try again")
