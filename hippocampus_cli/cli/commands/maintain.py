"""``hippo maintain``."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, flag, option, takes
from hippocampus_cli.cli.output import Output, Part, bold, count, cyan, dim, named, row, yellow

_LISTED = 12
_COUNTED = ("strength", "list")
"""Of these there are many, and each says little."""


@takes(
    flag("--daily", "The daily cycle."),
    flag("--weekly", "The weekly cycle, daily included."),
    flag("--monthly", "The monthly cycle, weekly included."),
    flag(
        "--replay",
        "Strengthen what the last defrag cycle reviewed, once; daily upkeep does it, too.",
    ),
    flag("--due", "Whatever is due since it last ran (the default)."),
    DRY_RUN,
    option("--force", "Carry it out even where the loss limit would stop it."),
)
def command(
    session: CommandContext,
    *,
    dry_run: bool,
    force: bool,
    **given: bool,
) -> None:
    """Maintain the index: what is due, or one cycle.

    Nothing is ever deleted: what fades moves to the Decay Queue, then to the archive. A cycle that would
    archive or merge more than a fifth of the entries stops and asks for --force. hippo undo takes a cycle
    back. `hippo daily`, `hippo weekly` and `hippo monthly` are short for an option each.

    Examples:
      hippo maintain --weekly --dry-run
      hippo maintain --due
    """
    wanted = [cycle for cycle in ("replay", "daily", "weekly", "monthly") if given[cycle]]
    output, opened = session.output, session.open()
    if not wanted:
        # An index that no cycle would touch: say so, rather than that nothing is due.
        opened.store.require_whole(opened.index())
        wanted = opened.upkeep.due()
        if not wanted:
            output.notices(() if dry_run else opened.upkeep.write_waiting())
            output.json({"cycle": None, "dry_run": dry_run, "changed": False, "actions": []})
            output.line("nothing is due")
            return
    cycle = wanted[-1]  # the largest includes the others
    with output.progress("reading notes") as opened.progress:
        outcome = opened.upkeep.run(cycle, dry_run=dry_run, force=force)
        ended = opened.upkeep.tidy_sessions(dry_run=dry_run) if cycle == "monthly" else []
    _print(session, outcome, ended, dry_run)


def _print(session: CommandContext, outcome: api.Outcome, ended: list[str], dry_run: bool) -> None:
    """What a cycle did, to the entries and to the sessions that it ended."""
    output, plan = session.output, outcome.plan
    output.notices(outcome.notices)
    known = {"index": outcome.stats, "number": outcome.number, "sessions": {"ended": ended}}
    output.json(row(plan, "cycle actions", dry_run=dry_run, changed=plan.changes, **known))
    output.line(bold(f"{plan.cycle} upkeep"), dim(f"  {session.now:%Y-%m-%d %H:%M}"))
    print_actions(output, plan.actions)
    output.line()
    _print_size(output, outcome, dry_run)
    if plan.cycle == "monthly" and not dry_run:
        output.line(dim(f"this month's report: .hippocampus/reports/{session.now:%Y-%m}.md"))
    if ended:
        output.line(f"{count(len(ended), 'session')} unused, ended: {named(ended, 5)}")


def _print_size(output: Output, outcome: api.Outcome, dry_run: bool) -> None:
    """The size of the index, and how to undo what was done."""
    before, after = outcome.plan.before, outcome.plan.after
    tokens = api.upkeep.tokens
    size = f"{count(len(after.entries), 'entry')}, {tokens(after.master.text):,} tokens"
    if not outcome.plan.changes:
        output.line("HIPPOCAMPUS.md is up to date: ", size)
        return
    verb = "would have" if dry_run else "now"
    change = f"  (before: {len(before.entries):,} and {tokens(before.master.text):,})"
    output.line(f"HIPPOCAMPUS.md {verb}: ", bold(size), dim(change))
    output.line(dim("nothing was written" if dry_run else f"undo it: hippo undo {outcome.number}"))


def print_actions(output: Output, actions: Sequence[api.Action], *, listed: int = _LISTED) -> None:
    """The actions by kind, at most so many of each in full."""
    for kind in dict.fromkeys(action.kind for action in actions):
        group = [action for action in actions if action.kind == kind]
        output.line()
        output.line(yellow(f"{kind} "), bold(f"{len(group):,}"))
        if kind not in _COUNTED:
            output.table([_row(action) for action in group[:listed]], cut=(1, 2), indent=2)
            if len(group) > listed:
                output.line(dim(f"  … and {len(group) - listed:,} more (all with --json)"))


def _row(action: api.Action) -> tuple[Part, ...]:
    """The entry, what becomes of it, and why."""
    change = " → ".join(part for part in (action.before, action.after) if part)
    return cyan(action.key), change, dim(action.reason)
