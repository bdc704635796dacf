"""``hippo install``, and ``hippo uninstall``, which is short for ``hippo install --remove``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli import __version__, api
from hippocampus_cli.cli.consent import changes_document, print_changes, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, YES, argument, option, takes
from hippocampus_cli.cli.output import Output, row
from hippocampus_cli.errors import InstallRefused

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
    agent: api.Agent | None,
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
    agents = api.agents.Agents(session.environ, session.root, named=session.names_workspace)
    if check:
        return _check(session, agents, agent, for_user)
    skipped: list[str] = []
    if bundle is not None:
        plans, for_user = [agents.bundle(bundle, __version__)], True
    else:
        plans, skipped = _plan(agents, agent, for_user=for_user, remove=remove)
    code, done = _carry_out(session.output, agents, plans, skipped, for_user, yes, dry_run)
    for line in dict.fromkeys(map(_outcome, done)):  # that nothing was written is said once
        session.output.line(line)
    if session.output.as_json:
        documents = [_document(outcome) for outcome in done]
        single = len(done) == 1 and bool(agent or bundle)
        session.output.json(documents[0] if single else {"agents": documents, "notices": skipped})
    return 1 if any(outcome.loading and outcome.loading.reasons for outcome in done) else code


class _Done(NamedTuple):
    """A plan, what could keep it from working, whether it was carried out, and whether the agent loads it."""

    plan: api.InstallPlan
    notices: list[str]
    written: bool
    loading: api.Loading | None


def _plan(
    agents: api.Agents, agent: api.Agent | None, *, for_user: bool, remove: bool
) -> tuple[list[api.InstallPlan], list[str]]:
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
    plans: list[api.InstallPlan] = []
    skipped: list[str] = []
    for name in found:
        try:
            plans.append(make(name, for_user=for_user))
        except InstallRefused as error:
            skipped.append(f"{name} is left out: {error.message}")
    return plans, skipped


def _carry_out(
    output: Output,
    agents: api.Agents,
    plans: Sequence[api.InstallPlan],
    skipped: Sequence[str],
    for_user: bool,
    yes: bool,
    dry_run: bool,
) -> tuple[int, list[_Done]]:
    """Show the plans, ask once, do them; the exit code, and what became of each."""
    notices = {plan.agent: agents.notices(plan, for_user=for_user) for plan in plans}
    changing = [plan for plan in plans if plan.changes]

    verbs = {True: "install hippo in", False: "take hippo out of"}
    titles = {f"{verbs[plan.installs]} {plan.agent}": plan.changes for plan in changing}
    remarks = [*skipped, *chain.from_iterable(notices.values())]
    show = partial(print_changes, output, titles, remarks)
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
    return row(
        done.plan,
        "agent path",
        action="install" if done.plan.installs else "uninstall",
        written=done.written,
        changes=changes_document(done.plan.changes),
        **_loaded(done.loading, done.notices),
    )


def _loaded(loading: api.Loading | None, notices: Sequence[str] = ()) -> dict[str, object]:
    """Whether the agent loads it, and what is to be known of that."""
    remarks = [*loading.reasons, *loading.notices] if loading else []
    return {"loaded": loading and loading.loaded, "notices": [*notices, *remarks]}


def _check(
    session: CommandContext, agents: api.Agents, agent: api.Agent | None, for_user: bool
) -> int:
    """Say how hippo stands in each agent; 1 where it is installed in none of them, or one does not load it or is not
    up to date, another code where what is installed does not start."""
    chosen = (agent,) if agent is not None else agents.found(for_user=for_user)
    checks = [agents.check(name, for_user=for_user) for name in chosen]
    for check in checks:
        session.output.line(f"{check.agent}: {_standing(check)}")
    if session.output.as_json:
        session.output.json({"checks": [*map(_check_document, checks)]})
    installed = [check for check in checks if check.installed]
    if not all(check.starts for check in installed):
        return NOT_STARTED
    bad = any(check.fault or (check.loading and check.loading.reasons) for check in installed)
    return 1 if bad or not installed else 0


def _standing(check: api.AgentCheck) -> str:
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
    events = ", ".join(run.event for run in check.runs)
    failed = f"; the last {last.event} failed: {last.failed}" if last.failed else ""
    return f"installed, asked last at {last.at} ({events}){failed}"


def _check_document(check: api.AgentCheck) -> dict[str, object]:
    runs = [
        row(run, "event at tokens", elapsed_ms=run.milliseconds, failed=run.failed or None)
        for run in check.runs
    ]
    known = {"path": check.path or None, "fault": check.fault or None, "runs": runs}
    return row(check, "agent installed", **known, **_loaded(check.loading))
