"""What ``hippo install`` and ``hippo uninstall`` share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.consent import explain_refusal, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import argument, flag
from hippocampus_cli.cli.render import Styled, safe_line
from hippocampus_cli.cli.render.cycle import document_of, print_changes

if TYPE_CHECKING:
    from hippocampus_cli.integrations.install import Agent, Loading, Plan

AGENT = argument(
    "agent",
    "WHERE",
    "pi, claude-code, openclaw or git.",
    choices=("pi", "claude-code", "openclaw", "git"),
)
FOR_USER = flag("--user", "For all of your work, not for one workspace.", name="for_user")
BARE = ("hippo",)
_MODULE = ("-P", "-m", "hippocampus_cli")


def program() -> tuple[str, ...]:
    """The words that start this hippo: its bare name where that finds it, else this Python by its path."""
    found = shutil.which("hippo")
    script = Path(sys.executable).parent / ("hippo.exe" if os.name == "nt" else "hippo")
    if found and os.path.realpath(found) == os.path.realpath(script):
        return BARE
    return (sys.executable.replace("\\", "/") if os.name == "nt" else sys.executable, *_MODULE)


def place_of(session: CommandContext, agent: Agent, *, for_user: bool, needs_agent: bool) -> Path:
    """The file to write; ``needs_agent``: OpenClaw must be here, in a layout that asks the extension."""
    from hippocampus_cli.integrations import install

    home = Path("~").expanduser()
    if for_user:
        named = session.environ.get(install.MOVED_BY.get(agent, "")) or None
        return install.for_user(agent, home, named)
    root = None
    if agent == "openclaw":
        root = _openclaw_workspace(session, home, needs_agent)
    return install.in_workspace(agent, root or session.root())


def in_git(
    session: CommandContext, *, for_user: bool, installs: bool, yes: bool, dry_run: bool
) -> int:
    """Arrange the merge driver in the workspace's repository, or take it back; the exit code."""
    from hippocampus_cli.errors import InstallRefused
    from hippocampus_cli.integrations import git
    from hippocampus_cli.schedule.scheduler import run_program as run

    if for_user:
        reason = "git needs the driver in each repository"
        raise InstallRefused(reason=reason, advice="use --workspace instead of --user")
    root, words = session.root(), program()
    plan = git.plan_install(root, words, run) if installs else git.plan_remove(root, run)
    return carry_out(
        session,
        plan,
        yes=yes,
        dry_run=dry_run,
        notices=git.notices(root, run) if installs else [],
        write=lambda plan: git.carry_out(plan, root, words, run),
    )


def loading_of(session: CommandContext, agent: Agent, plan: Plan, *, for_user: bool) -> Loading:
    """Whether the agent loads what is written."""
    from hippocampus_cli.integrations import extensions, install

    home = Path("~").expanduser()
    named = session.environ.get(install.MOVED_BY.get(agent, "")) or None
    folder = install.folder_for_user(agent, home, named)
    if agent == "openclaw":
        folder = extensions.state_folder(home, session.environ.get("OPENCLAW_STATE_DIR") or None)
    workspace = None if for_user or agent == "openclaw" else session.root()
    version = install.version_of_program(shutil.which(install.PROGRAMS[agent]))
    return install.loading(agent, Path(plan.path), install.AgentState(workspace, folder, version))


def carry_out(
    session: CommandContext,
    plan: Plan,
    *,
    yes: bool,
    dry_run: bool,
    notices: list[str],
    write: Callable[[Plan], None] | None = None,
    check: Callable[[], Loading] | None = None,
) -> int:
    """Show the plan, ask, do it, by ``write`` where that is another than for agents; the exit code.

    ``check`` says whether the agent loads it; where not, the exit code is 1.
    """
    from hippocampus_cli.integrations import install

    do = write or install.carry_out
    output, code = session.output, 0
    if plan.changes:
        verb = "install hippo in" if plan.installs else "take hippo out of"
        output.line(Styled(f"{verb} {plan.agent}", "bold"))
        print_changes(output, plan.changes)
    for notice in notices:
        output.note(f"hippo: {notice}")
    if plan.changes:
        question = "Write this?" if plan.installs else "Take this back?"
        code = with_consent(output, question, lambda: do(plan), yes=yes, dry_run=dry_run)
    written = bool(plan.changes) and not dry_run and code == 0
    found = check() if check and (written or not plan.changes) else None
    for notice in found.notices if found else ():
        output.note(f"hippo: {safe_line(notice)}")
    if output.as_json:
        told = [*found.reasons, *found.notices] if found else []
        output.json(_document(plan, written, [*notices, *told], found))
    output.line(safe_line(_outcome(plan, written, found)))
    explain_refusal(output, code)
    return 1 if found and found.reasons else code


def _openclaw_workspace(session: CommandContext, home: Path, needed: bool) -> Path | None:
    """OpenClaw's own workspace; None where one is named, or it has none that can be seen."""
    from hippocampus_cli.errors import InstallRefused
    from hippocampus_cli.integrations.extensions import state_folder, workspace_in

    try:
        state = state_folder(home, session.environ.get("OPENCLAW_STATE_DIR") or None)
    except InstallRefused:
        if needed:
            raise
        return None
    named = session.workspace or session.environ.get("HIPPO_WORKSPACE")
    if needed:
        _refuse_without_pi(state)
    return None if named else workspace_in(state)


def _refuse_without_pi(state: Path) -> None:
    """Raises :class:`InstallRefused` for an OpenClaw that no longer asks Pi's extensions."""
    from hippocampus_cli.errors import InstallRefused
    from hippocampus_cli.integrations.install import (
        PROGRAMS,
        asks_pi,
        openclaw_version,
        version_of_program,
    )

    version = openclaw_version(state, version_of_program(shutil.which(PROGRAMS["openclaw"])))
    if not asks_pi(version):
        shown = ".".join(map(str, version or ()))
        reason = f"OpenClaw {shown} embeds no Pi any more, and never asks an extension of Pi"
        advice = "hippo has no context engine for it; its notes are indexed all the same: hippo bootstrap"
        raise InstallRefused(reason=reason, advice=advice)


def _outcome(plan: Plan, written: bool, found: Loading | None) -> str:
    there = f"{plan.agent}: {plan.path}"
    if found and not found.loaded:
        before = "" if written else " before"
        why = f"not loaded because {'; '.join(found.reasons)}"
        seen = why if found.reasons else "whether it is loaded cannot be seen from here"
        return f"written{before} for {there}; {seen}"
    if not plan.changes:
        return f"already installed in {there}" if plan.installs else f"not installed in {there}"
    if not written:
        return "nothing was written"
    return f"installed in {there}" if plan.installs else f"taken out of {there}"


def _document(
    plan: Plan, written: bool, notices: list[str], found: Loading | None
) -> dict[str, object]:
    return {
        "agent": plan.agent,
        "action": "install" if plan.installs else "uninstall",
        "path": plan.path,
        "written": written,
        "loaded": found.loaded if found else None,
        "changes": document_of(plan.changes),
        "notices": notices,
    }
