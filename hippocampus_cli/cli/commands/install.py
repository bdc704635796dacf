"""``hippo install`` and ``hippo uninstall``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.consent import explain_refusal, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, SHARED, YES, argument, flag, takes
from hippocampus_cli.cli.render import Styled, safe_line
from hippocampus_cli.cli.render.cycle import document_of, print_changes

if TYPE_CHECKING:
    from hippocampus_cli.api import Agent, Agents, InstallPlan, Loading

AGENT = argument(
    "agent",
    "WHERE",
    "pi, claude-code, openclaw or git.",
    choices=("pi", "claude-code", "openclaw", "git"),
)
FOR_USER = flag("--user", "For all of your work, not for one workspace.", name="for_user")


@takes(AGENT, FOR_USER, YES, DRY_RUN, *SHARED)
def command(session: CommandContext, agent: Agent, for_user: bool, yes: bool, dry_run: bool) -> int:
    """Put hippo into an agent (pi, claude-code, openclaw), or its merge driver into git.

    Pi and OpenClaw get an extension that hands compaction to hippo, Claude Code gets hooks in its settings.json; git
    gets lines in .gitattributes and a section in the repository's config, so that branches merge entry by entry. The
    change is shown first, and you are asked. A second time brings it up to date; `hippo uninstall` undoes exactly
    that. Where its settings or its version keep the agent from loading it, that is said, with exit code 1.

    Examples:
      hippo install claude-code --dry-run
      hippo install pi --user
      hippo install git
      hippo install openclaw --workspace ~/.openclaw/workspace
    """
    agents = _agents(session)
    plan = agents.install(agent, for_user=for_user)
    return _carry_out(session, agents, plan, for_user=for_user, yes=yes, dry_run=dry_run)


@takes(AGENT, FOR_USER, YES, DRY_RUN, *SHARED)
def uninstall(
    session: CommandContext, agent: Agent, for_user: bool, yes: bool, dry_run: bool
) -> int:
    """Take hippo out of an agent or of git again, and nothing else.

    It is shown first, and you are asked. Everything that install did not write stays as it is, byte for byte. An
    extension that was edited is left alone.

    Examples:
      hippo uninstall claude-code
      hippo uninstall pi --user --yes
    """
    agents = _agents(session)
    plan = agents.remove(agent, for_user=for_user)
    return _carry_out(session, agents, plan, for_user=for_user, yes=yes, dry_run=dry_run)


def _agents(session: CommandContext) -> Agents:
    """The agents, and the workspace when it is needed."""
    from hippocampus_cli.api import Agents

    return Agents(session.environ, session.root, named=session.names_workspace)


def _carry_out(
    session: CommandContext,
    agents: Agents,
    plan: InstallPlan,
    *,
    for_user: bool,
    yes: bool,
    dry_run: bool,
) -> int:
    """Show the plan, ask, do it; the exit code, 1 where the agent does not load what was installed."""
    output, code = session.output, 0
    notices = agents.notices(plan, for_user=for_user)
    if plan.changes:
        verb = "install hippo in" if plan.installs else "take hippo out of"
        output.line(Styled(f"{verb} {plan.agent}", "bold"))
        print_changes(output, plan.changes)
    session.print_notices(notices)
    if plan.changes:
        question = "Write this?" if plan.installs else "Take this back?"
        code = with_consent(
            output, question, lambda: agents.carry_out(plan), yes=yes, dry_run=dry_run
        )
    written = bool(plan.changes) and not dry_run and code == 0
    looks = plan.installs and (written or not plan.changes)
    found = agents.loading(plan, for_user=for_user) if looks else None
    session.print_notices(found.notices if found else ())
    if output.as_json:
        told = [*found.reasons, *found.notices] if found else []
        output.json(_document(plan, written, [*notices, *told], found))
    output.line(safe_line(_outcome(plan, written, found)))
    explain_refusal(output, code)
    return 1 if found and found.reasons else code


def _outcome(plan: InstallPlan, written: bool, found: Loading | None) -> str:
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
    plan: InstallPlan, written: bool, notices: list[str], found: Loading | None
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
