"""What installing hippo in an agent, or taking it out, changes; then doing it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.bridges import claude_settings, extension
from hippocampus_cli.bridges.places import FOLDERS, Agent
from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.workspace.changes import Change, difference, made, read_text


class Plan(NamedTuple):
    """No changes: all is as it should be already. ``path`` is the file that the agent reads."""

    agent: Agent
    path: str
    installs: bool
    changes: tuple[Change, ...]


def plan_install(agent: Agent, path: Path, program: Sequence[str]) -> Plan:
    """hippo, started by ``program``, in the file that the agent reads. Raises :class:`InstallRefused`."""
    before = read_text(path, refused)
    if agent == "claude-code":
        after = claude_settings.with_hooks(before, program, str(path))
    else:
        after = extension.extension_text(program)
        if before != after:
            extension.check_ours(before, str(path))
    return Plan(agent, str(path), True, tuple(difference(path, after, refused)))


def plan_remove(agent: Agent, path: Path) -> Plan:
    """The file without hippo, or no file where it held nothing else. Raises :class:`InstallRefused`."""
    before = read_text(path, refused)
    if agent == "claude-code":
        after = claude_settings.without_hooks(before, str(path))
    else:
        extension.check_ours(before, str(path))
        after = ""
    return Plan(agent, str(path), False, tuple(difference(path, after, refused)))


def carry_out(plan: Plan) -> None:
    """Do what the plan says, or nothing; folders that nothing else is in go with the file.

    Raises :class:`InstallRefused`.
    """
    with made(plan.changes, refused):
        pass
    for change in plan.changes:
        folder = Path(change.place).parent
        while not change.after and folder.name in FOLDERS:
            with contextlib.suppress(OSError):
                folder.rmdir()
            folder = folder.parent


def refused(path: str, reason: str) -> InstallRefused:
    """The error where a file of somebody else's cannot be changed."""
    return InstallRefused(path=path, reason=reason, advice="see to that file, then try again")
