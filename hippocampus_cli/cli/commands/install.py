"""``hippo install``, and ``hippo uninstall``, which is short for ``hippo install --remove``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli import __version__
from hippocampus_cli.cli.consent import changes_document, print_changes, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, YES, argument, option, takes
from hippocampus_cli.cli.output import bold
from hippocampus_cli.errors import InstallRefused

if TYPE_CHECKING:
    from hippocampus_cli.api import Agent, AgentCheck, Agents, InstallPlan, Loading

NOT_STARTED = 25
"""The exit code where what is installed in an agent does not start."""
_AGENTS = ("claude-code", "codex", "gemini", "cursor", "opencode", "openclaw", "pi", "any", "git")


@takes(
    argument(
        "agent",
        "WHERE",
        f"{', '.join(_AGENTS[:-1])} or git; by default every agent that is here.",
        choices=_AGENTS,
    ),
    option("--user", "For all of your work, not for one workspace.", name="for_user"),
    option("--check", "Only say how hippo stands in each agent, and when it last asked."),
    option(
        "--remove", "Take hippo out again, and nothing else; `hippo uninstall` is short for it."
    ),
    option(
        "--bundle",
        "Write a folder that Claude Code takes as a plugin and OpenClaw as a bundle, and nothing else.",
        metavar="FOLDER",
    ),
    YES,
    DRY_RUN,
)
def command(
    session: CommandContext,
    *,
    agent: Agent | None,
    for_user: bool,
    check: bool,
    remove: bool,
    bundle: Path | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Put hippo into the agents that are here, into one of them, or its merge driver into git.

    Claude Code, Codex, Gemini CLI and Cursor get hooks in their settings, opencode and OpenClaw a plugin, Pi an
    extension; `any` writes instructions into AGENTS.md and a skill for every other agent; git gets lines in
    .gitattributes and a section in the repository's config, so that branches merge entry by entry. The change is
    shown first, and you are asked once. A second time brings it up to date; --remove undoes exactly that. Where its
    settings or its version keep an agent from loading it, that is said, with exit code 1; --check says it again,
    starts what is installed (exit code 25 where that fails), and says when each agent last asked.

    Examples:
      hippo install
      hippo install --check
      hippo install claude-code --dry-run
      hippo install pi --user
      hippo install git
      hippo uninstall claude-code
    """
    from hippocampus_cli.api.agents import Agents

    agents = Agents(session.environ, session.root, named=session.names_workspace)
    if check:
        return _check(session, agents, agent, for_user)
    skipped: list[str] = []
    if bundle is not None:
        plans = [agents.bundle(bundle, __version__)]
    else:
        plans, skipped = _plan(agents, agent, for_user=for_user, remove=remove)
    code, done = _carry_out(
        session,
        agents,
        plans,
        skipped,
        for_user=for_user or bundle is not None,
        yes=yes,
        dry_run=dry_run,
    )
    _print_done(session, done, skipped, single=len(plans) == 1 and bool(agent or bundle))
    return 1 if any(one.loading and one.loading.reasons for one in done) else code


class _Done(NamedTuple):
    """A plan, what could keep it from working, whether it was carried out, and whether the agent loads it."""

    plan: InstallPlan
    notices: list[str]
    written: bool
    loading: Loading | None


def _plan(
    agents: Agents, agent: Agent | None, *, for_user: bool, remove: bool
) -> tuple[list[InstallPlan], list[str]]:
    """What is to be done in one agent, or in all that are here; and why some of those are left out.

    Raises :class:`InstallRefused` for the one that is named, and where none is here.
    """
    make = agents.remove if remove else agents.install
    if agent is not None:
        return [make(agent, for_user=for_user)], []
    found = agents.found(for_user=for_user)
    if not found:
        advice = "name one, or write instructions: hippo install any"
        raise InstallRefused(reason="no agent that hippo knows was found here", advice=advice)
    plans: list[InstallPlan] = []
    skipped: list[str] = []
    for name in found:
        try:
            plans.append(make(name, for_user=for_user))
        except InstallRefused as error:
            skipped.append(f"{name} is left out: {error.message}")
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
) -> tuple[int, list[_Done]]:
    """Show the plans, ask once, do them; the exit code, and what became of each."""
    output = session.output
    notices = {plan.agent: agents.notices(plan, for_user=for_user) for plan in plans}
    changing = [plan for plan in plans if plan.changes]

    def show() -> None:
        for plan in changing:
            verb = "install hippo in" if plan.installs else "take hippo out of"
            output.line(bold(f"{verb} {plan.agent}"))
            print_changes(output, plan.changes)
        output.notices(
            dict.fromkeys([*skipped, *(one for each in notices.values() for one in each)])
        )

    question = "Take this back?" if changing and not changing[0].installs else "Write this?"
    act = partial(agents.carry_out, *changing)
    code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run or not changing)
    done = []
    for plan in plans:
        written = bool(plan.changes) and not dry_run and code == 0
        is_there = plan.installs and (written or not plan.changes)
        loading = agents.loading(plan, for_user=for_user) if is_there else None
        output.notices(loading.notices if loading else ())
        done.append(_Done(plan, notices[plan.agent], written, loading))
    return code, done


def _print_done(
    session: CommandContext, done: Sequence[_Done], skipped: Sequence[str], *, single: bool
) -> None:
    """What became of each plan; as JSON of a ``single`` one that was named, or of all."""
    for line in dict.fromkeys(map(_outcome, done)):  # that nothing was written is said once
        session.output.line(line)
    if session.output.as_json:
        documents = [_document(one) for one in done]
        whole = {"agents": documents, "notices": skipped}
        session.output.json(documents[0] if single else whole)


def _outcome(done: _Done) -> str:
    plan, loading = done.plan, done.loading
    there = f"{plan.agent}: {plan.path}"
    if loading and not loading.loaded:
        before = "" if done.written else " before"
        why = f"not loaded because {'; '.join(loading.reasons)}"
        seen = why if loading.reasons else "whether it is loaded cannot be seen from here"
        return f"written{before} for {there}; {seen}"
    if not plan.changes:
        return f"already installed in {there}" if plan.installs else f"not installed in {there}"
    if not done.written:
        return "nothing was written"
    return f"installed in {there}" if plan.installs else f"taken out of {there}"


def _document(done: _Done) -> dict[str, object]:
    plan, loading = done.plan, done.loading
    return {
        "agent": plan.agent,
        "action": "install" if plan.installs else "uninstall",
        "path": plan.path,
        "written": done.written,
        "loaded": loading.loaded if loading else None,
        "changes": changes_document(plan.changes),
        "notices": [*done.notices, *_remarks(loading)],
    }


def _remarks(loading: Loading | None) -> list[str]:
    return [*loading.reasons, *loading.notices] if loading else []


def _check(session: CommandContext, agents: Agents, agent: Agent | None, for_user: bool) -> int:
    """Say how hippo stands in each agent; 1 where it is installed in none of them, or one does not load it or is not
    up to date, another code where what is installed does not start."""
    chosen = (agent,) if agent is not None else agents.found(for_user=for_user)
    checks = [agents.check(one, for_user=for_user) for one in chosen]
    for one in checks:
        session.output.line(f"{one.agent}: {_standing(one)}")
    if session.output.as_json:
        session.output.json({"checks": [_check_document(one) for one in checks]})
    installed = [one for one in checks if one.installed]
    if not all(one.starts for one in installed):
        return NOT_STARTED
    bad = any(one.fault or (one.loading and one.loading.reasons) for one in installed)
    return 1 if bad or not installed else 0


def _standing(check: AgentCheck) -> str:
    reasons = "; ".join(check.loading.reasons) if check.loading else ""
    if not check.installed:
        return reasons if check.installed is None else "not installed"
    if check.fault:
        return f"installed, but {check.fault}"
    if reasons:
        return f"installed, not loaded because {reasons}"
    if not check.runs:
        return "installed, has not asked in this workspace yet"
    last = check.runs[0]
    events = ", ".join(one.event for one in check.runs)
    failed = f"; the last {last.event} failed: {last.failed}" if last.failed else ""
    return f"installed, asked last at {last.at} ({events}){failed}"


def _check_document(check: AgentCheck) -> dict[str, object]:
    runs = [
        {
            "event": one.event,
            "at": one.at,
            "tokens": one.tokens,
            "elapsed_ms": one.milliseconds,
            "failed": one.failed or None,
        }
        for one in check.runs
    ]
    return {
        "agent": check.agent,
        "path": check.path or None,
        "installed": check.installed,
        "fault": check.fault or None,
        "loaded": check.loading.loaded if check.loading else None,
        "notices": _remarks(check.loading),
        "runs": runs,
    }
