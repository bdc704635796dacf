"""hippo in agents and in git: what installing it changes, doing it, and whether it is loaded."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations import git, install, loading, mcp_settings, openclaw
from hippocampus_cli.integrations.agent_files import FILES, Agent
from hippocampus_cli.integrations.hook_log import Ran, last_runs
from hippocampus_cli.schedule.scheduler import run_program
from hippocampus_cli.workspace.external_files import read_text
from hippocampus_cli.workspace.own_files import INDEX
from hippocampus_cli.workspace.version_control import main_worktree

if TYPE_CHECKING:
    from hippocampus_cli.integrations.install import FileEdit, InstallPlan
    from hippocampus_cli.integrations.loading import Loading

BARE = ("hippo",)
_MODULE = ("-P", "-m", "hippocampus_cli")


def program() -> tuple[str, ...]:
    """The words that start this hippo: its bare name where that finds it, else this Python by its path."""
    found = shutil.which("hippo")
    script = Path(sys.executable).parent / ("hippo.exe" if os.name == "nt" else "hippo")
    if found and os.path.realpath(found) == os.path.realpath(script):
        return BARE
    return (sys.executable.replace("\\", "/") if os.name == "nt" else sys.executable, *_MODULE)


def _not_by_name() -> str:
    """Why a path is written where the bare name would be, and what follows from it."""
    why = "is another one" if shutil.which("hippo") else "is not there"
    return (
        f"`hippo` on the PATH {why}: what is written starts {sys.executable}, a path of this machine alone, and"
        " agents are told to ask `hippo`; put this one on the PATH (pipx install) and install again"
    )


class AgentCheck(NamedTuple):
    """State of hippo in an agent: whether its part is there (None: unknown), whether the agent loads
    it, and the last run of each hook in this workspace, the newest first.

    ``fault`` is why what is there does not start, or that it is not up to date; ``starts`` is False for the former.
    ``tools`` are those that its MCP server lists, ``None`` where it has none.
    """

    agent: Agent
    path: str
    installed: bool | None
    loading: Loading
    runs: tuple[Ran, ...]
    fault: str = ""
    starts: bool = True
    tools: int | None = None


class Agents:
    """What ``workspace.agents`` can do. Only :meth:`carry_out` changes anything.

    With ``for_user`` it is for all of a user's work, and no workspace is needed. Every call raises
    :class:`InstallRefused`.
    """

    def __init__(
        self, environ: Mapping[str, str], root: Callable[[], Path], start: Path | None = None
    ) -> None:
        """``root`` finds the workspace when it is needed; ``start`` is the folder from which it is found."""
        self._environ = environ
        self._root = root
        self._start = start
        self._home = Path("~").expanduser()

    def install(self, agent: Agent, *, for_user: bool = False) -> InstallPlan:
        """The plan to install hippo in the agent, or its merge driver in git; a second run brings it up to date."""
        parts = self._parts(agent, for_user, program())
        if install.starts_by_name(agent, parts[0].path):
            parts = self._parts(agent, for_user, BARE)  # as whoever shares the files has it
        return install.plan(agent, parts, installs=True)

    def every(
        self, *, installs: bool, for_user: bool = False
    ) -> tuple[list[InstallPlan], list[str]]:
        """The plans to install hippo in every agent that is here, and instructions for any other, or to remove all
        that and the merge driver; and why some are left out."""
        agents: list[Agent] = [*self.found(for_user=for_user)]
        if for_user and not agents:
            reason = "no agent that hippo knows was found here"
            raise InstallRefused(reason=reason, advice="name one")
        plans: list[InstallPlan] = []
        skipped: list[str] = []
        if not for_user:
            agents.append("any")
            with contextlib.suppress(InstallRefused):  # no repository, so no driver in it
                driver = None if installs else self.remove("git")
                plans += [driver] if driver and driver.changes else []
        make = self.install if installs else self.remove
        for agent in agents:
            try:
                plans.append(make(agent, for_user=for_user))
            except InstallRefused as error:
                skipped.append(f"{agent} is left out: {error.message}")
        return plans, skipped

    def remove(self, agent: Agent, *, for_user: bool = False) -> InstallPlan:
        """The plan to remove exactly what :meth:`install` added."""
        return install.plan(agent, self._parts(agent, for_user, program()), installs=False)

    def found(self, *, for_user: bool = False) -> tuple[Agent, ...]:
        """The agents that are here: by their program, their folder for the user, or their folder in the workspace."""
        root = None if for_user else self._place()
        return tuple(agent for agent in FILES if self._is_here(agent, root))

    def _place(self) -> Path:
        """The folder whose files the agents read: where a worktree shares the main one's memory, the worktree's."""
        root, start = self._root(), self._start
        for folder in (start, *start.parents) if start else ():
            main = main_worktree(str(folder))
            if main and root.is_relative_to(main):
                return folder / root.relative_to(main)
        return root

    def lacks_index(self) -> bool:
        """Whether the workspace has no index yet, without which the hooks do nothing."""
        return not os.path.lexists(self._root() / INDEX)

    def check(self, agent: Agent, *, for_user: bool = False) -> AgentCheck:
        """The state of hippo in the agent. Nothing is changed."""
        try:
            plan = self.install(agent, for_user=for_user)
        except InstallRefused as error:
            why = loading.Loading(waits=(error.message,))
            return AgentCheck(agent, error.path or "", None, why, ())
        runs = () if agent in ("git", "any") else tuple(last_runs(self._root(), agent))
        found = self.loading(plan, for_user=for_user) or loading.Loading(known=False)
        if runs and not found.loaded and not found.off:
            found = loading.Loading(notices=found.notices)  # it has asked: so it is loaded
        there = [] if agent in ("git", "any") else install.commands(agent, Path(plan.path))
        if not there:
            return AgentCheck(agent, plan.path, not plan.changes, found, runs)
        fault = loading.start_fault(there[0])
        tools = self._tools(agent, for_user)
        if tools == 0:
            fault = fault or "its MCP server does not start, or lists no tools"
        starts = not fault
        if starts and plan.changes:
            fault = f"it is not up to date: run `hippo install {agent}`"
        return AgentCheck(agent, plan.path, True, found, runs, fault, starts, tools)

    def _tools(self, agent: Agent, for_user: bool) -> int | None:
        """How many tools the MCP server lists that the agent starts in the workspace; ``None`` for no server."""
        if for_user or not FILES[agent].servers:
            return None
        path = install.in_workspace(self._place(), FILES[agent].servers)
        words = mcp_settings.server_words(agent, read_text(path))
        return loading.tools_of_server(words, self._place()) if words else None

    def carry_out(self, *plans: InstallPlan) -> None:
        """Carry out the plans, all of them or none."""
        checked = any(plan.agent == "git" and plan.installs for plan in plans)
        check = partial(git.check, self._place(), program(), run_program) if checked else object
        install.carry_out(plans, check)

    def notices(self, plan: InstallPlan) -> list[str]:
        """What could keep an installed hippo from doing its work."""
        if not plan.installs:
            return []
        if plan.agent == "git":
            return git.notices(self._place(), run_program)
        return [] if program() == BARE else [_not_by_name()]

    def loading(self, plan: InstallPlan, *, for_user: bool = False) -> Loading | None:
        """Whether the agent loads what is written; ``None`` for git, which is asked as it is carried out."""
        agent = plan.agent
        if agent in ("git", "any"):
            return None
        workspace = None if for_user or agent == "openclaw" else self._place()
        around = loading.AgentState(workspace, self._folder(agent))
        return loading.loading(agent, Path(plan.path), around)

    def _is_here(self, agent: Agent, root: Path | None) -> bool:
        files = FILES[agent]
        if any(map(shutil.which, files.programs)):
            return True
        with contextlib.suppress(InstallRefused):
            if self._folder(agent).is_dir():
                return True
        signs = (files.folder, files.servers if agent == "opencode" else files.folder)
        return root is not None and any((root / sign).exists() for sign in signs)

    def _parts(self, agent: Agent, for_user: bool, words: Sequence[str]) -> list[FileEdit]:
        if for_user or agent == "openclaw":
            return install.user_parts(agent, self._folder(agent, for_user), words)
        if agent == "git":
            return git.parts(self._place(), words, run_program)
        return install.workspace_parts(agent, partial(install.in_workspace, self._place()), words)

    def _folder(self, agent: Agent, for_user: bool = False) -> Path:
        """The folder that the agent keeps for its user."""
        if agent == "openclaw" and not for_user:
            return openclaw.state_folder(self._home, self._environ)
        return install.folder_for_user(agent, self._home, self._environ)
