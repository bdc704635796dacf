"""hippo in agents and in git: what installing it changes, doing it, and whether it is loaded."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations import extensions, git, install
from hippocampus_cli.schedule.scheduler import run_program

if TYPE_CHECKING:
    from hippocampus_cli.integrations.install import Agent, Loading, Plan

BARE = ("hippo",)
_MODULE = ("-P", "-m", "hippocampus_cli")


def program() -> tuple[str, ...]:
    """The words that start this hippo: its bare name where that finds it, else this Python by its path."""
    found = shutil.which("hippo")
    script = Path(sys.executable).parent / ("hippo.exe" if os.name == "nt" else "hippo")
    if found and os.path.realpath(found) == os.path.realpath(script):
        return BARE
    return (sys.executable.replace("\\", "/") if os.name == "nt" else sys.executable, *_MODULE)


class Agents:
    """What ``workspace.agents`` can do. Nothing is changed but by :meth:`carry_out`.

    With ``for_user`` it is for all of a user's work, and no workspace is needed. Every call raises
    :class:`InstallRefused`.
    """

    def __init__(
        self, environ: Mapping[str, str], root: Callable[[], Path], *, named: bool = True
    ) -> None:
        """``root`` finds the workspace when it is needed; where it is not ``named``, OpenClaw has one of its own."""
        self._environ = environ
        self._root = root
        self._named = named
        self._home = Path("~").expanduser()

    def install(self, agent: Agent, *, for_user: bool = False) -> Plan:
        """What would put hippo into the agent, or its merge driver into git; a second time brings it up to date."""
        if agent == "git":
            return git.plan_install(self._repository(for_user), program(), run_program)
        place = self._place(agent, for_user, needs_agent=True)
        return install.plan_install(agent, place, program())

    def remove(self, agent: Agent, *, for_user: bool = False) -> Plan:
        """What would take out exactly what :meth:`install` put in."""
        if agent == "git":
            return git.plan_remove(self._repository(for_user), run_program)
        return install.plan_remove(agent, self._place(agent, for_user, needs_agent=False))

    def carry_out(self, plan: Plan) -> None:
        """Do what the plan says, or nothing."""
        if plan.agent == "git":
            git.carry_out(plan, self._root(), program(), run_program)
        else:
            install.carry_out(plan)

    def notices(self, plan: Plan, *, for_user: bool = False) -> list[str]:
        """What could keep an installed hippo from doing its work."""
        from hippocampus_cli.workspace.own_files import FOLDER, INDEX

        if not plan.installs:
            return []
        if plan.agent == "git":
            return git.notices(self._root(), run_program)
        told = []
        if plan.agent == "claude-code" and not for_user:
            root = self._root()
            if not any(os.path.lexists(root / name) for name in (INDEX, FOLDER)):
                told.append(
                    "there is no index yet; run `hippo bootstrap`, for without one the hooks do nothing"
                )
        if program() != BARE:
            told.append("`hippo` is not on the PATH here; agents are told to run it by that name")
        return told

    def loading(self, plan: Plan, *, for_user: bool = False) -> Loading | None:
        """Whether the agent loads what is written; ``None`` for git, which is asked as it is carried out."""
        agent = plan.agent
        if agent == "git":
            return None
        folder = install.folder_for_user(agent, self._home, self._moved(agent))
        if agent == "openclaw":
            folder = self._openclaw()
        workspace = None if for_user or agent == "openclaw" else self._root()
        version = install.version_of_program(shutil.which(install.PROGRAMS[agent]))
        around = install.AgentState(workspace, folder, version)
        return install.loading(agent, Path(plan.path), around)

    def _repository(self, for_user: bool) -> Path:
        if for_user:
            reason = "git needs the driver in each repository"
            raise InstallRefused(reason=reason, advice="use --workspace instead of --user")
        return self._root()

    def _place(self, agent: Agent, for_user: bool, *, needs_agent: bool) -> Path:
        """The file to write; ``needs_agent``: OpenClaw must be here, in a layout that asks the extension."""
        if for_user:
            return install.for_user(agent, self._home, self._moved(agent))
        root = self._openclaw_workspace(needs_agent) if agent == "openclaw" else None
        return install.in_workspace(agent, root or self._root())

    def _moved(self, agent: Agent) -> str | None:
        """The folder that the agent keeps for its user, where a variable moves it."""
        return self._environ.get(install.MOVED_BY.get(agent, "")) or None

    def _openclaw(self) -> Path:
        named = self._environ.get("OPENCLAW_STATE_DIR") or None
        return extensions.state_folder(self._home, named)

    def _openclaw_workspace(self, needed: bool) -> Path | None:
        """OpenClaw's own workspace; None where one is named, or it has none that can be seen."""
        try:
            state = self._openclaw()
        except InstallRefused:
            if needed:
                raise
            return None
        if needed:
            _refuse_without_pi(state)
        return None if self._named else extensions.workspace_in(state)


def _refuse_without_pi(state: Path) -> None:
    """Raises :class:`InstallRefused` for an OpenClaw that no longer asks Pi's extensions."""
    here = install.version_of_program(shutil.which(install.PROGRAMS["openclaw"]))
    version = install.openclaw_version(state, here)
    if not install.asks_pi(version):
        shown = ".".join(map(str, version or ()))
        reason = f"OpenClaw {shown} embeds no Pi any more, and never asks an extension of Pi"
        advice = "hippo has no context engine for it; its notes are indexed all the same: hippo bootstrap"
        raise InstallRefused(reason=reason, advice=advice)
