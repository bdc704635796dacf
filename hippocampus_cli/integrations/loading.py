"""Whether an agent loads hippo's part, and whether that starts: read from the agent's own settings, whose meaning was
read in the agents' packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any, NamedTuple

from hippocampus_cli.integrations import extensions, mcp_settings, openclaw
from hippocampus_cli.integrations.hook_event import HookEventUnreadable
from hippocampus_cli.integrations.hook_settings import LAYOUTS, OR_SUCCESS
from hippocampus_cli.integrations.install import Agent
from hippocampus_cli.workspace.regular import read_regular

PROGRAMS: Mapping[Agent, tuple[str, ...]] = {
    "claude-code": ("claude", "copilot"),
    "codex": ("codex",),
    "gemini": ("gemini",),
    "qwen": ("qwen",),
    "cursor": ("cursor-agent",),
    "opencode": ("opencode",),
    "openclaw": ("openclaw",),
    "pi": ("pi",),
}
"""The programs that read what an agent gets, its own first: Copilot CLI runs Claude Code's hooks."""
_ASKS = (
    "Claude Code starts the MCP server of .mcp.json once you approve it: start `claude` here once"
)
_PI_TRUST = (
    "Pi loads nothing of a folder that it does not trust, and in print, JSON and RPC mode it does not ask: start `pi`"
    " here once and answer yes, or use `hippo install pi --user`"
)
_LARGEST = 10_000_000  # bytes of a settings file
_STARTS_WITHIN = 12  # seconds, more than a hook's own limit
_STOPPED = 124  # the exit code of `timeout`
_MOST_SAID = 300  # bytes


class AgentState(NamedTuple):
    """``workspace`` is None for all of a user's work, ``folder`` the agent's own folder for the user."""

    workspace: Path | None
    folder: Path


class Loading(NamedTuple):
    """Why the agent does not load the file, and notices; not ``known``: its settings and version do not tell.

    ``off``: a setting keeps hippo out, whatever ran before it was made."""

    reasons: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    known: bool = True
    off: bool = False

    @property
    def loaded(self) -> bool | None:
        """None where it is not known."""
        return False if self.reasons else (True if self.known else None)


def loading(agent: Agent, path: Path, agent_state: AgentState) -> Loading:
    """Whether the agent loads hippo's part in ``path``."""
    match agent:
        case "claude-code":
            return _claude_code(path, agent_state)
        case "codex":
            return _codex(path, agent_state)
        case "gemini":
            return _gemini(agent_state)
        case "pi":
            return _pi(agent_state)
        case "openclaw":
            return _openclaw(agent_state)
    return Loading(known=agent != "cursor")


def start_fault(command: str) -> str:
    """Why a hook's command does not start hippo here, as an agent would start it; empty where it does."""
    asked = command.removesuffix(OR_SUCCESS).removesuffix(LAYOUTS["gemini"].at_end)
    program = asked.rpartition(" hook ")[0].rpartition(") ")[2].partition(" -P -m ")[0].strip("'")
    late = f"`{program}` does not answer"
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):  # nobody holds these open
        try:
            done = subprocess.run(
                asked, shell=True, input=b"{}", stdout=out, stderr=err, timeout=_STARTS_WITHIN
            )
        except subprocess.TimeoutExpired:
            return late
        answer, said = (_beginning(file) for file in (out, err))
    if done.returncode == 0 and not answer and HookEventUnreadable.what.partition(":")[0] in said:
        return ""
    if done.returncode == _STOPPED:
        return late
    if shutil.which(program) is None:
        return f"`{program}` is not {'there' if os.sep in program else 'on the PATH'}"
    return f"`{program}` is broken (exit code {done.returncode}): {said or answer}"


def tools_of_server(words: Sequence[str], folder: Path) -> int:
    """How many tools an MCP server lists that is started as an agent would; 0 where it does not start, or not in
    time."""
    asked = "".join(
        f"{json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method})}\n"
        for number, method in enumerate(("initialize", "tools/list"))
    )
    try:
        done = subprocess.run(
            words, cwd=folder, input=asked.encode(), capture_output=True, timeout=_STARTS_WITHIN
        )
        answer = json.loads(done.stdout.splitlines()[-1])
        return len(answer["result"]["tools"])
    except (OSError, subprocess.TimeoutExpired, ValueError, LookupError, TypeError):
        return 0


def _beginning(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(_MOST_SAID).decode("utf-8", "replace").strip()


def _claude_code(path: Path, agent_state: AgentState) -> Loading:
    files = [agent_state.folder / "settings.json", path]
    if agent_state.workspace is not None:
        files.append(agent_state.workspace / ".claude/settings.local.json")
    reasons = [
        f"{file} has disableAllHooks"
        for file in dict.fromkeys(files)
        if _json(file).get("disableAllHooks") is True
    ]
    notices = () if _approves(files) else (_ASKS,)
    return Loading(tuple(reasons), notices, off=bool(reasons))


def _approves(files: Sequence[Path]) -> bool:
    """Whether one of Claude Code's settings approves of the workspace's MCP server."""
    for settings in map(_json, files):
        listed = settings.get("enabledMcpjsonServers")
        named = isinstance(listed, list) and mcp_settings.NAME in listed
        if named or settings.get("enableAllProjectMcpServers") is True:
            return True
    return False


def _codex(path: Path, agent_state: AgentState) -> Loading:
    """Codex reads a folder's hooks where it trusts the folder, and runs each hook that its user trusts."""
    file = agent_state.folder / "config.toml"
    settings = _toml(file)
    reasons = []
    features = settings.get("features")
    if isinstance(features, dict) and features.get("hooks") is False:
        reasons.append(f"{file} has features.hooks = false")
    off = bool(reasons)
    projects = settings.get("projects")
    workspace = agent_state.workspace
    if workspace is not None and not _is_trusted(projects, workspace):
        reasons.append(
            f"Codex does not trust this folder: start `codex` here once and answer yes ({file})"
        )
    hooks = settings.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    known = [
        one for key, one in (state if isinstance(state, dict) else {}).items() if str(path) in key
    ]
    if not any(isinstance(one, dict) and one.get("trusted_hash") for one in known):
        reasons.append("Codex runs a hook once you trust it: start `codex` here and type /hooks")
    return Loading(tuple(reasons), off=off)


def _is_trusted(projects: Any, workspace: Path) -> bool:
    """Codex's decision on the workspace, or on the repository that it lies in."""
    listed = projects if isinstance(projects, dict) else {}
    folder = Path(os.path.realpath(workspace))
    for one in (folder, *folder.parents):
        stated = listed.get(str(one))
        if isinstance(stated, dict):
            return stated.get("trust_level") == "trusted"
        if (one / ".git").exists():
            break
    return False


def _toml(path: Path) -> dict[str, Any]:
    """A settings file; empty where there is none, or it cannot be read."""
    import tomllib

    try:
        return tomllib.loads(read_regular(path, _LARGEST).decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}


def _gemini(agent_state: AgentState) -> Loading:
    """Gemini CLI runs the hooks of a folder that it trusts, where hooks are not switched off."""
    files = [agent_state.folder / "settings.json"]
    if agent_state.workspace is not None:
        files.append(agent_state.workspace / ".gemini/settings.json")
    reasons = [
        f"{file} has hooksConfig.enabled = false"
        for file in files
        if _member(_json(file), "hooksConfig", "enabled") is False
    ]
    off = bool(reasons)
    asks = _member(_json(files[0]), "security", "folderTrust", "enabled") is not False
    if agent_state.workspace is not None and asks and not _gemini_trusts(agent_state):
        told = "Gemini CLI does not trust this folder: start `gemini` here once and answer yes"
        reasons.append(f"{told} (or type /permissions trust)")
    return Loading(tuple(reasons), off=off)


def _gemini_trusts(agent_state: AgentState) -> bool:
    """The decision on the nearest folder at or above the workspace."""
    listed = _json(agent_state.folder / "trustedFolders.json")
    folder = Path(os.path.realpath(agent_state.workspace or agent_state.folder))
    for one in (folder, *folder.parents):
        stated = listed.get(str(one))
        if stated == "DO_NOT_TRUST":
            return False
        if stated == "TRUST_FOLDER":
            return True
    return any(
        stated == "TRUST_PARENT" and folder.is_relative_to(Path(place).parent)
        for place, stated in listed.items()
    )


def _member(settings: Mapping[str, Any], *keys: str) -> Any:
    """The value below these keys; None for nothing."""
    found: Any = settings
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _pi(agent_state: AgentState) -> Loading:
    file = agent_state.folder / "settings.json"
    settings, workspace = _json(file), agent_state.workspace
    reasons = list(_left_out(settings, file))
    if workspace is not None:
        own = workspace / ".pi/settings.json"
        reasons += _left_out(_json(own), own)
    off = bool(reasons)
    always = settings.get("defaultProjectTrust") == "always"
    if workspace is not None and not (always or _decision(agent_state.folder, workspace)):
        reasons.append(_PI_TRUST)
    return Loading(tuple(reasons), off=off)


def _openclaw(agent_state: AgentState) -> Loading:
    """OpenClaw loads the plugins of its own folder that its settings do not keep out."""
    file = agent_state.folder / openclaw.SETTINGS
    settings = _json(file)
    reasons = []
    if _member(settings, "plugins", "enabled") is False:
        reasons.append(f"{file} has plugins.enabled = false")
    allowed = _member(settings, "plugins", "allow")
    if isinstance(allowed, list) and allowed and "hippo" not in allowed:
        reasons.append(f'plugins.allow in {file} leaves it out: add "hippo"')
    denied = _member(settings, "plugins", "deny")
    if isinstance(denied, list) and "hippo" in denied:
        reasons.append(f"plugins.deny in {file} names it")
    entry = ("plugins", "entries", "hippo")
    stated = _member(settings, *entry, "hooks", "allowConversationAccess") is True
    injects = _member(settings, *entry, "hooks", "allowPromptInjection") is not False
    if _member(settings, *entry, "enabled") is False or not (stated and injects):
        reasons.append(f"plugins.entries.hippo in {file} keeps it from adding to prompts")
    return Loading(tuple(reasons), off=bool(reasons))


def _left_out(settings: Mapping[str, Any], file: Path) -> Iterator[str]:
    """Why Pi's settings leave the extension out."""
    listed = settings.get("extensions")
    for pattern in listed if isinstance(listed, list) else ():
        if isinstance(pattern, str) and pattern[:1] in ("!", "-"):
            wanted = pattern[1:].removeprefix("./")
            names = (extensions.NAME, f"extensions/{extensions.NAME}")
            if any(fnmatch(name, wanted.removeprefix("**/")) for name in names):
                yield f"{file} leaves it out: {pattern}"


def _decision(own: Path, workspace: Path) -> bool:
    """Pi's decision on the nearest folder at or above the workspace."""
    trust = _json(own / "trust.json")
    folder = Path(os.path.realpath(workspace))
    stated = (trust.get(str(one)) for one in (folder, *folder.parents))
    return next((one for one in stated if isinstance(one, bool)), False)


def _json(path: Path) -> dict[str, Any]:
    """A settings file; empty where there is none, or not an object."""
    try:
        value = json.loads(read_regular(path, _LARGEST).decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
