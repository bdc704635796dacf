"""Whether an agent loads hippo's part, and whether that starts: read from the agent's own settings, whose meaning was
read in the agents' packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any, NamedTuple

from hippocampus_cli.integrations import mcp_settings, openclaw
from hippocampus_cli.integrations.agent_files import FILES, Agent
from hippocampus_cli.integrations.hook_event import HookEventUnreadable
from hippocampus_cli.integrations.hook_settings import LAYOUTS, OR_SUCCESS
from hippocampus_cli.workspace.regular import read_regular

_ASKS = (
    "Claude Code starts the MCP server of .mcp.json once you approve it: start `claude` here once"
)
_GEMINI_TRUST = (
    "Gemini CLI does not trust this folder: start `gemini` here once and answer yes (or type"
    " /permissions trust)"
)
_PI_FILE = FILES["pi"].runner
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
    """Whether an agent loads hippo's part.

    ``off`` are settings that keep hippo out, whatever ran before they were made; ``waits`` is what its user has not
    allowed yet. ``known`` is False where its settings and version do not tell."""

    off: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    known: bool = True

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it does not load it."""
        return self.off + self.waits

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
    approves = any(
        mcp_settings.NAME in _listed(file, "enabledMcpjsonServers")
        or _setting(file, "enableAllProjectMcpServers") is True
        for file in files
    )
    off = _having(files, "disableAllHooks", value=True)
    return Loading(off, notices=() if approves else (_ASKS,))


def _codex(path: Path, agent_state: AgentState) -> Loading:
    """Codex reads a folder's hooks where it trusts the folder, and runs each hook that its user trusts."""
    file = agent_state.folder / "config.toml"
    workspace, waits = agent_state.workspace, []
    decision = _decision(_setting(file, "projects"), workspace, up_to=".git")
    if workspace and _member(decision, "trust_level") != "trusted":
        waits.append(
            f"Codex does not trust this folder: start `codex` here once and answer yes ({file})"
        )
    state = _setting(file, "hooks", "state") or {}
    if not any(str(path) in key and _member(state, key, "trusted_hash") for key in state):
        waits.append("Codex runs a hook once you trust it: start `codex` here and type /hooks")
    return Loading(_having([file], "features", "hooks", value=False), tuple(waits))


def _gemini(agent_state: AgentState) -> Loading:
    """Gemini CLI runs the hooks of a folder that it trusts, where hooks are not switched off."""
    own, workspace = agent_state.folder / "settings.json", agent_state.workspace
    files = [own, *([workspace / ".gemini/settings.json"] if workspace else ())]
    trusted = {
        str(Path(place).parent) if stated == "TRUST_PARENT" else place: stated
        for place, stated in _settings(agent_state.folder / "trustedFolders.json").items()
    }
    asks = workspace and _setting(own, "security", "folderTrust", "enabled") is not False
    is_trusted = str(_decision(trusted, workspace)).startswith("TRUST_")
    waits = () if is_trusted or not asks else (_GEMINI_TRUST,)
    return Loading(_having(files, "hooksConfig", "enabled", value=False), waits)


def _pi(agent_state: AgentState) -> Loading:
    own, workspace = agent_state.folder, agent_state.workspace
    files = [own / "settings.json", *([workspace / ".pi/settings.json"] if workspace else ())]
    off = tuple(
        f"{file} leaves it out: {pattern}"
        for file in files
        for pattern in _listed(file, "extensions")
        if _leaves_out(str(pattern))
    )
    always = _setting(files[0], "defaultProjectTrust") == "always"
    trusted = always or _decision(_settings(own / "trust.json"), workspace)
    return Loading(off, () if trusted or not workspace else (_PI_TRUST,))


def _openclaw(agent_state: AgentState) -> Loading:
    """OpenClaw loads the plugins of its own folder that its settings do not keep out."""
    file = agent_state.folder / openclaw.SETTINGS
    off = [*_having([file], "plugins", "enabled", value=False)]
    if mcp_settings.NAME not in (_listed(file, "plugins", "allow") or [mcp_settings.NAME]):
        off.append(f'plugins.allow in {file} leaves it out: add "hippo"')
    if mcp_settings.NAME in _listed(file, "plugins", "deny"):
        off.append(f"plugins.deny in {file} names it")
    entry = _setting(file, *openclaw.KEYS)
    stated = _member(entry, "hooks", "allowConversationAccess") is True
    injects = _member(entry, "hooks", "allowPromptInjection") is not False
    if _member(entry, "enabled") is False or not (stated and injects):
        off.append(f"plugins.entries.hippo in {file} keeps it from adding to prompts")
    return Loading(tuple(off))


def _leaves_out(pattern: str) -> bool:
    """Whether this of Pi's settings leaves the extension out."""
    wanted = pattern[1:].removeprefix("./").removeprefix("**/")
    names = (_PI_FILE, _PI_FILE.rpartition("/")[2])
    return pattern[:1] in ("!", "-") and any(fnmatch(name, wanted) for name in names)


def _having(files: Iterable[Path], *keys: str, value: bool) -> tuple[str, ...]:
    """Which of the files have this value, in words."""
    said = f"{'.'.join(keys)} = {json.dumps(value)}"
    return tuple(
        f"{file} has {said}" for file in dict.fromkeys(files) if _setting(file, *keys) is value
    )


def _decision(stated: Any, folder: Path | None, up_to: str = "") -> Any:
    """What is stated of a folder, or of the nearest one above it; not above one with the file ``up_to``."""
    real = Path(os.path.realpath(folder or os.curdir))
    for place in (real, *real.parents):
        decision = _member(stated, str(place))
        if decision is not None or (up_to and (place / up_to).exists()):
            return decision
    return None


def _listed(file: Path, *keys: str) -> list[Any]:
    """The list in a settings file below these keys; empty for none."""
    value = _setting(file, *keys)
    return value if isinstance(value, list) else []


def _setting(file: Path, *keys: str) -> Any:
    return _member(_settings(file), *keys)


def _member(value: Any, *keys: str) -> Any:
    """The value below these keys; None for nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _settings(file: Path) -> dict[str, Any]:
    """A settings file in JSON or TOML; empty where there is none, or not an object."""
    loads = tomllib.loads if file.suffix == ".toml" else json.loads
    try:
        value = loads(read_regular(file, _LARGEST).decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
