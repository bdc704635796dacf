"""Installing hippo in an agent and removing it: which file changes, and whether the agent loads it.

Whether it loads is read from the agent's own settings and version. What these mean was read in the agents' packages.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal, NamedTuple

from hippocampus_cli.errors import InstallRefused, OutsideWorkspace
from hippocampus_cli.integrations import claude_settings, extensions
from hippocampus_cli.integrations.hook_event import REPLACES_FROM, version
from hippocampus_cli.workspace.external_files import Change, difference, made, read_text
from hippocampus_cli.workspace.own_files import is_inside
from hippocampus_cli.workspace.regular import read_regular

Agent = Literal["pi", "claude-code", "openclaw", "git"]
MOVED_BY = {"pi": "PI_CODING_AGENT_DIR", "claude-code": "CLAUDE_CONFIG_DIR"}
"""The variables that move the folder an agent keeps for its user."""
FOLDERS = frozenset((".pi", "extensions", ".claude"))
"""Folders that are made for the file."""
_EXTENSION = f"extensions/{extensions.NAME}"
_SETTINGS = "settings.json"


def in_workspace(agent: Agent, root: Path) -> Path:
    """Its file in a workspace, links resolved so that they stay links. Raises :class:`OutsideWorkspace`."""
    name = f".claude/{_SETTINGS}" if agent == "claude-code" else f".pi/{_EXTENSION}"
    if not is_inside(root, root / name):
        raise OutsideWorkspace(
            path=name, reason=f"a link in the path of {name} points out of the workspace"
        )
    return _real(root / name)


def folder_for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """The folder an agent keeps for its user; ``named`` is the value of the variable in MOVED_BY."""
    return Path(named or home / (".claude" if agent == "claude-code" else ".pi/agent"))


def for_user(agent: Agent, home: Path, named: str | None) -> Path:
    """Its file for all of a user's work; ``named`` is the value of the variable in MOVED_BY.

    Raises :class:`InstallRefused` for an agent that has none.
    """
    match agent:
        case "pi":
            return _real(folder_for_user(agent, home, named) / _EXTENSION)
        case "claude-code":
            return _real(folder_for_user(agent, home, named) / _SETTINGS)
    reason = "OpenClaw has no folder of extensions for every workspace"
    raise InstallRefused(reason=reason, advice="use --workspace instead of --user")


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


PROGRAMS: Mapping[Agent, str] = {"pi": "pi", "claude-code": "claude", "openclaw": "openclaw"}
"""The program of each agent."""
_PI_ASKS_FROM = (0, 79, 0)  # before it loads a folder's extensions
_OPENCLAW_WITHOUT_PI_FROM = (2026, 5, 28)
_LARGEST = 10_000_000  # bytes of a settings file
_ABOVE = 6  # folders above a program in which its package is looked for


class AgentState(NamedTuple):
    """``workspace`` is None for all of a user's work, ``folder`` the agent's own folder for the user, ``version`` its
    program's, None where there is no program."""

    workspace: Path | None
    folder: Path
    version: tuple[int, ...] | None


class Loading(NamedTuple):
    """Why the agent does not load the file, and notices; not ``known``: its settings and version do not tell."""

    reasons: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    known: bool = True

    @property
    def loaded(self) -> bool | None:
        """None where it is not known."""
        return False if self.reasons else (True if self.known else None)


def version_of_program(program: str | None) -> tuple[int, ...] | None:
    """The version of a program, by the package it lies in, or by its own name, as installers name it."""
    if program is None:
        return None
    real = Path(os.path.realpath(program))
    if found := version(real.name):
        return found
    for folder in list(real.parents)[:_ABOVE]:
        package = _json(folder / "package.json")
        if isinstance(package.get("version"), str) and package.get("name"):
            return version(package["version"])
    return None


def loading(agent: Agent, path: Path, agent_state: AgentState) -> Loading:
    """Whether the agent loads hippo's part in ``path``."""
    if agent == "claude-code":
        return _claude_code(path, agent_state)
    return _pi(agent_state) if agent == "pi" else _openclaw(agent_state)


def openclaw_version(folder: Path, version_here: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The version of the OpenClaw that is here, else of the one that wrote its settings last."""
    meta = _json(folder / "openclaw.json").get("meta")
    stated = meta.get("lastTouchedVersion") if isinstance(meta, dict) else None
    return version_here or (version(stated) if isinstance(stated, str) else None)


def asks_pi(openclaw: tuple[int, ...] | None) -> bool:
    """Whether an OpenClaw of this version embeds Pi, and so loads Pi's extensions."""
    return openclaw is None or openclaw < _OPENCLAW_WITHOUT_PI_FROM


def _claude_code(path: Path, agent_state: AgentState) -> Loading:
    files = [agent_state.folder / "settings.json", path]
    if agent_state.workspace is not None:
        files.append(agent_state.workspace / ".claude/settings.local.json")
    reasons = [
        f"{file} has disableAllHooks"
        for file in dict.fromkeys(files)
        if _json(file).get("disableAllHooks") is True
    ]
    if agent_state.version is not None and agent_state.version < REPLACES_FROM:
        here, least = _dotted(agent_state.version), _dotted(REPLACES_FROM)
        stated = (
            f"this Claude Code is {here}: large outputs are not replaced, which needs"
            f" {least}; the other hooks work",
        )
        return Loading(tuple(reasons), stated)
    return Loading(tuple(reasons))


def _pi(agent_state: AgentState) -> Loading:
    settings = _json(agent_state.folder / "settings.json")
    reasons = list(_left_out(settings, agent_state.folder / "settings.json"))
    if agent_state.workspace is None:
        return Loading(tuple(reasons))
    own = agent_state.workspace / ".pi/settings.json"
    reasons += _left_out(_json(own), own)
    trusted = _decision(agent_state) if settings.get("defaultProjectTrust") != "always" else True
    if trusted or (agent_state.version is not None and agent_state.version < _PI_ASKS_FROM):
        return Loading(tuple(reasons))
    here = "" if agent_state.version is None else f" (here is {_dotted(agent_state.version)})"
    stated = (
        f"Pi from {_dotted(_PI_ASKS_FROM)} on{here} loads nothing of a folder that it does not trust, and in print,"
        " JSON and RPC mode it does not ask: start `pi` here once and answer yes, or use `hippo install pi --user`"
    )
    if trusted is None and agent_state.version is None:
        return Loading(tuple(reasons), (stated,), known=False)
    return Loading((*reasons, stated))


def _openclaw(agent_state: AgentState) -> Loading:
    from hippocampus_cli.integrations.extensions import SAFEGUARD

    file = agent_state.folder / "openclaw.json"
    agents = _json(file).get("agents")
    defaults = agents.get("defaults") if isinstance(agents, dict) else None
    if not isinstance(defaults, dict):
        return Loading((), (SAFEGUARD,), known=False)
    compaction = defaults.get("compaction")
    mode = compaction.get("mode") if isinstance(compaction, dict) else None
    if mode not in (None, "", "safeguard"):
        return Loading()
    said = "is not set, which means" if not mode else "is"
    reason = (
        f"agents.defaults.compaction.mode {said} safeguard in {file}: OpenClaw's own handler takes"
        ' precedence; with "default" hippo compacts'
    )
    return Loading((reason,))


def _left_out(settings: Mapping[str, Any], file: Path) -> Iterator[str]:
    """Why Pi's settings leave the extension out."""
    listed = settings.get("extensions")
    for pattern in listed if isinstance(listed, list) else ():
        if isinstance(pattern, str) and pattern[:1] in ("!", "-"):
            wanted = pattern[1:].removeprefix("./")
            names = (extensions.NAME, f"extensions/{extensions.NAME}")
            if any(fnmatch(name, wanted.removeprefix("**/")) for name in names):
                yield f"{file} leaves it out: {pattern}"


def _decision(agent_state: AgentState) -> bool | None:
    """Pi's decision on the nearest folder at or above the workspace; None for none."""
    trust = _json(agent_state.folder / "trust.json")
    folder = Path(os.path.realpath(agent_state.workspace or agent_state.folder))
    for one in (folder, *folder.parents):
        stated = trust.get(str(one))
        if isinstance(stated, bool):
            return stated
    return None


def _json(path: Path) -> dict[str, Any]:
    """A settings file; empty where there is none, or not an object."""
    try:
        value = json.loads(read_regular(path, _LARGEST).decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))


class Plan(NamedTuple):
    """No changes: nothing is to be done. ``path`` is the file that the agent reads."""

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
        after = extensions.extension_text(program)
        if before != after:
            extensions.check_ours(before, str(path))
    return Plan(agent, str(path), True, tuple(difference(path, after, refused)))


def plan_remove(agent: Agent, path: Path) -> Plan:
    """The file without hippo, or no file where it held nothing else. Raises :class:`InstallRefused`."""
    before = read_text(path, refused)
    if agent == "claude-code":
        after = claude_settings.without_hooks(before, str(path))
    else:
        extensions.check_ours(before, str(path))
        after = ""
    return Plan(agent, str(path), False, tuple(difference(path, after, refused)))


def carry_out(plan: Plan) -> None:
    """Do what the plan says, or nothing; folders that become empty are removed with the file.

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
    """The error where another program's file cannot be changed."""
    return InstallRefused(path=path, reason=reason, advice="check that file, then try again")
