"""``hippo install`` and ``hippo uninstall``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli import __version__
from hippocampus_cli.cli.consent import explain_refusal, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, PATH, SHARED, YES, argument, flag, option, takes
from hippocampus_cli.cli.render import Styled, safe_line
from hippocampus_cli.cli.render.cycle import document_of, print_changes
from hippocampus_cli.errors import InstallRefused

if TYPE_CHECKING:
    from hippocampus_cli.api import Agent, AgentCheck, Agents, InstallPlan, Loading

AGENT = argument(
    "agent",
    "WHERE",
    "claude-code, codex, gemini, cursor, opencode, openclaw, pi, any or git; by default every agent that is here.",
    choices=(
        *("claude-code", "codex", "gemini", "cursor", "opencode", "openclaw", "pi"),
        *("any", "git"),
    ),
    required=False,
)
FOR_USER = flag("--user", "For all of your work, not for one workspace.", name="for_user")
CHECK = flag("--check", "Only say how hippo stands in each agent, and when it last asked.")
NOT_STARTED = 25
"""The exit code where what is installed in an agent does not start."""
BUNDLE = option(
    "--bundle",
    "Write a folder that Claude Code takes as a plugin and OpenClaw as a bundle, and nothing else.",
    metavar="FOLDER",
    kind=PATH,
)


@takes(AGENT, FOR_USER, CHECK, BUNDLE, YES, DRY_RUN, *SHARED)
def command(
    session: CommandContext,
    agent: Agent | None,
    for_user: bool,
    check: bool,
    bundle: Path | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Put hippo into the agents that are here, into one of them, or its merge driver into git.

    Claude Code, Codex, Gemini CLI and Cursor get hooks in their settings, opencode and OpenClaw a plugin, Pi an
    extension; `any` writes instructions into AGENTS.md and a skill for every other agent; git gets lines in
    .gitattributes and a section in the repository's config, so that branches merge entry by entry. The change is
    shown first, and you are asked once. A second time brings it up to date; `hippo uninstall` undoes exactly that.
    Where its settings or its version keep an agent from loading it, that is said, with exit code 1; `--check` says
    it again, starts what is installed (exit code 25 where that fails), and says when each agent last asked.

    Examples:
      hippo install
      hippo install --check
      hippo install claude-code --dry-run
      hippo install pi --user
      hippo install any
      hippo install git
      hippo install --bundle hippo-plugin
    """
    agents = _agents(session)
    if bundle is not None:
        plan = agents.bundle(bundle, __version__)
        return _carry_out(
            session, agents, [plan], (), for_user=True, yes=yes, dry_run=dry_run, single=True
        )
    if check:
        return _check(session, agents, agent, for_user=for_user)
    return _change(session, agents, agents.install, agent, for_user, yes, dry_run)


@takes(AGENT, FOR_USER, YES, DRY_RUN, *SHARED)
def uninstall_command(
    session: CommandContext, agent: Agent | None, for_user: bool, yes: bool, dry_run: bool
) -> int:
    """Take hippo out of the agents that are here, or of one, or of git again, and nothing else.

    It is shown first, and you are asked. Everything that install did not write stays as it is, byte for byte. An
    extension that was edited is left alone.

    Examples:
      hippo uninstall
      hippo uninstall claude-code
      hippo uninstall pi --user --yes
    """
    agents = _agents(session)
    return _change(session, agents, agents.remove, agent, for_user, yes, dry_run)


def _change(
    session: CommandContext,
    agents: Agents,
    make: Callable[..., InstallPlan],
    agent: Agent | None,
    for_user: bool,
    yes: bool,
    dry_run: bool,
) -> int:
    """What ``make`` plans for one agent, or for all that are here; the exit code."""
    plans, skipped = _plans(agents, make, agent, for_user)
    single = agent is not None
    return _carry_out(
        session, agents, plans, skipped, for_user=for_user, yes=yes, dry_run=dry_run, single=single
    )


def _agents(session: CommandContext) -> Agents:
    """The agents, and the workspace when it is needed."""
    from hippocampus_cli.api.agents import Agents

    return Agents(session.environ, session.root, named=session.names_workspace)


def _plans(
    agents: Agents, make: Callable[..., InstallPlan], agent: Agent | None, for_user: bool
) -> tuple[list[InstallPlan], list[str]]:
    """What is to be done in one agent, or in all that are here; and why some of those are left out.

    Raises :class:`InstallRefused` for the one that is named, and where none is here.
    """
    if agent is not None:
        return [make(agent, for_user=for_user)], []
    plans: list[InstallPlan] = []
    skipped: list[str] = []
    for one in (found := agents.found(for_user=for_user)):
        try:
            plans.append(make(one, for_user=for_user))
        except InstallRefused as error:
            skipped.append(f"{one} is left out: {error.message}")
    if not found:
        reason = "no agent that hippo knows was found here"
        raise InstallRefused(
            reason=reason, advice="name one, or write instructions: hippo install any"
        )
    return plans, skipped


def _carry_out(
    session: CommandContext,
    agents: Agents,
    plans: Sequence[InstallPlan],
    skipped: Sequence[str],
    *,
    for_user: bool,
    yes: bool,
    dry_run: bool,
    single: bool,
) -> int:
    """Show the plans, ask once, do them; the exit code, 1 where an agent does not load what was installed."""
    output, code = session.output, 0
    notices = {plan.agent: agents.notices(plan, for_user=for_user) for plan in plans}
    changing = [plan for plan in plans if plan.changes]

    def show() -> None:
        for plan in changing:
            verb = "install hippo in" if plan.installs else "take hippo out of"
            output.line(Styled(f"{verb} {plan.agent}", "bold"))
            print_changes(output, plan.changes)
        told = dict.fromkeys(one for each in notices.values() for one in each)
        session.print_notices([*skipped, *told])

    if changing:
        question = "Write this?" if changing[0].installs else "Take this back?"
        act = partial(agents.carry_out, *changing)
        code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run)
    else:
        show()
    done = [_Done(plan, bool(plan.changes) and not dry_run and code == 0) for plan in plans]
    found = {
        plan.agent: agents.loading(plan, for_user=for_user)
        for plan, written in done
        if plan.installs and (written or not plan.changes)
    }
    session.print_notices([said for each in found.values() if each for said in each.notices])
    _tell(session, done, notices, found, skipped, single=single)
    explain_refusal(output, code)
    return 1 if any(each and each.reasons for each in found.values()) else code


class _Done(NamedTuple):
    """A plan, and whether it was carried out."""

    plan: InstallPlan
    written: bool


def _tell(
    session: CommandContext,
    done: Sequence[_Done],
    notices: Mapping[Agent, list[str]],
    found: Mapping[Agent, Loading | None],
    skipped: Sequence[str],
    *,
    single: bool,
) -> None:
    """What became of each plan; as JSON of a ``single`` one that was named, or of all."""
    output, documents, lines = session.output, [], []
    for plan, written in done:
        loaded = found.get(plan.agent)
        told = [*loaded.reasons, *loaded.notices] if loaded else []
        documents.append(_document(plan, written, [*notices[plan.agent], *told], loaded))
        lines.append(safe_line(_outcome(plan, written, loaded)))
    for line in dict.fromkeys(lines):  # that nothing was written is said once
        output.line(line)
    if output.as_json:
        whole = {"agents": documents, "notices": list(skipped)}
        output.json(documents[0] if single else whole)


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


def _check(session: CommandContext, agents: Agents, agent: Agent | None, *, for_user: bool) -> int:
    """Say how hippo stands in each agent; 1 where it is installed in none of them, or one does not load it or is not
    up to date, another code where what is installed does not start."""
    chosen = (agent,) if agent is not None else agents.found(for_user=for_user)
    checks = [agents.check(one, for_user=for_user) for one in chosen]
    for one in checks:
        session.output.line(safe_line(_standing(one)))
    if session.output.as_json:
        session.output.json({"checks": [_checked(one) for one in checks]})
    installed = [one for one in checks if one.installed]
    if not all(one.starts for one in installed):
        return NOT_STARTED
    bad = any(one.fault or (one.loading and one.loading.reasons) for one in installed)
    return 1 if bad or not installed else 0


def _standing(check: AgentCheck) -> str:
    reasons = check.loading.reasons if check.loading else ()
    if not check.installed:
        return (
            f"{check.agent}: {'; '.join(reasons) if check.installed is None else 'not installed'}"
        )
    if check.fault:
        return f"{check.agent}: installed, but {check.fault}"
    if reasons:
        return f"{check.agent}: installed, not loaded because {'; '.join(reasons)}"
    if not check.runs:
        return f"{check.agent}: installed, has not asked in this workspace yet"
    last = check.runs[0]
    events = ", ".join(one.event for one in check.runs)
    failed = f"; the last {last.event} failed: {last.failed}" if last.failed else ""
    return f"{check.agent}: installed, asked last at {last.at} ({events}){failed}"


def _checked(check: AgentCheck) -> dict[str, object]:
    found = check.loading
    return {
        "agent": check.agent,
        "path": check.path or None,
        "installed": check.installed,
        "fault": check.fault or None,
        "loaded": found.loaded if found else None,
        "notices": [*found.reasons, *found.notices] if found else [],
        "runs": [
            {
                "event": one.event,
                "at": one.at,
                "tokens": one.tokens,
                "elapsed_ms": one.milliseconds,
                "failed": one.failed or None,
            }
            for one in check.runs
        ],
    }
