"""``hippo maintain``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, option, takes
from hippocampus_cli.cli.output import Output, Styled, bold, columns_of, count, cyan, dim, fit
from hippocampus_cli.errors import LossRefused, UsageError

if TYPE_CHECKING:
    from hippocampus_cli.api import Action, Outcome

_LISTED = 12
_WIDEST_ID = 28
_TITLES = {
    "redact": ("secrets removed", "red"),
    "forget": ("forgotten text removed", "red"),
    "prune": ("pruned to the archive", "red"),
    "archive": ("archived", "red"),
    "merge": ("merged", "yellow"),
    "repoint": ("re-pointed", "yellow"),
    "flag": ("marked stale", "yellow"),
    "clear": ("no longer stale", "green"),
    "queue": ("moved to the Decay Queue", "yellow"),
    "revive": ("moved back from the Decay Queue", "green"),
    "redraw": ("brought up to date", "green"),
    "add": ("new entries", "green"),
    "access": ("missed uses added", "green"),
    "replay": ("replayed", "green"),
    "consolidate": ("consolidated", "green"),
    "section": ("moved to a new section", "cyan"),
    "relate": ("related", "cyan"),
    "compress": ("shortened", "cyan"),
    "shard": ("moved to topic files", "cyan"),
    "promote": ("moved back from topic files", "cyan"),
    "restore": ("restored from a snapshot", "green"),
    "repair": ("repaired", "green"),
}
"""The kinds of action, in the order in which they are shown."""


@takes(
    option("--daily", "The daily cycle."),
    option("--weekly", "The weekly cycle, daily included."),
    option("--monthly", "The monthly cycle, weekly included."),
    option(
        "--replay",
        "Strengthen what the last defrag cycle reviewed, once; daily upkeep does it, too.",
    ),
    option("--due", "Whatever is due since it last ran (the default)."),
    DRY_RUN,
    option("--force", "Carry it out even where the loss limit would stop it."),
)
def command(
    session: CommandContext,
    *,
    daily: bool,
    weekly: bool,
    monthly: bool,
    replay: bool,
    due: bool,
    dry_run: bool,
    force: bool,
) -> None:
    """Maintain the index: what is due, or one cycle.

    Nothing is ever deleted: what fades moves to the Decay Queue, then to the archive. A cycle that would
    archive, merge or re-point more than a fifth of the entries stops and asks for --force. hippo undo takes
    a cycle back. `hippo daily`, `hippo weekly` and `hippo monthly` are short for an option each.

    Examples:
      hippo maintain --weekly --dry-run
      hippo maintain --due
    """
    cycles = {"daily": daily, "weekly": weekly, "monthly": monthly, "replay": replay, "due": due}
    wanted = [cycle for cycle, is_wanted in cycles.items() if is_wanted] or ["due"]
    if len(wanted) > 1:
        flags = " and ".join(f"--{cycle}" for cycle in wanted)
        raise UsageError(reason=f"{flags} exclude each other", advice="name one of them")
    if wanted == ["due"]:
        _run_due(session, dry_run, force)
    else:
        _run(session, wanted[0], dry_run, force)


def _run_due(session: CommandContext, dry_run: bool, force: bool) -> None:
    """Run the largest cycle that is due; it includes the others.

    Where the loss limit stops it, the next smaller one that is due runs all the same, so that a machine on
    its own still looks after what it may; the refusal is raised in the end.
    """
    with session.open_as_is() as opened:
        opened.index()  # no index: say so, rather than that nothing is due
        waiting = opened.upkeep.due()
        if not waiting and not dry_run:
            session.output.notices(opened.upkeep.write_waiting())
    if waiting:
        _run_largest(session, waiting, dry_run, force)
        return
    nothing: dict[str, object] = {
        "cycle": None,
        "dry_run": dry_run,
        "changed": False,
        "actions": [],
    }
    session.show(nothing, lambda output, _: output.line("nothing is due"))


def _run_largest(
    session: CommandContext, waiting: Sequence[str], dry_run: bool, force: bool
) -> None:
    *smaller, largest = waiting
    try:
        _run(session, largest, dry_run, force)
    except LossRefused:
        if smaller:
            _run_largest(session, smaller, dry_run, force)
        raise


def _run(session: CommandContext, cycle: str, dry_run: bool, force: bool) -> None:
    output = session.output
    with session.open() as opened, output.progress("reading notes") as advance:
        outcome = opened.upkeep.run(cycle, dry_run=dry_run, force=force, progress=advance)
        ended, archived = (
            opened.upkeep.tidy_sessions(dry_run=dry_run) if cycle == "monthly" else ([], [])
        )
    output.notices(outcome.notices)
    if output.as_json:
        sessions = {"ended": ended, "archived": archived}
        output.json({**_document(outcome, dry_run), "sessions": sessions})
        return
    title = bold(f"{outcome.plan.cycle} upkeep")
    output.line(title, dim(f"  {session.now:%Y-%m-%d %H:%M}"))
    _print_outcome(output, outcome, dry_run)
    for ids, what in ((ended, "unused, ended"), (archived, "ended long ago, archived")):
        if ids:
            output.line(f"{count(len(ids), 'session')} {what}: ", ", ".join(ids[:5]))


def _document(outcome: Outcome, dry_run: bool) -> dict[str, object]:
    plan = outcome.plan
    return {
        "cycle": plan.cycle,
        "dry_run": dry_run,
        "changed": plan.changes,
        "number": outcome.number,
        "actions": plan.actions,
        "index": outcome.stats,
    }


def _print_outcome(output: Output, outcome: Outcome, dry_run: bool) -> None:
    """The actions by kind, then the size of the index."""
    from hippocampus_cli.api.upkeep import tokens

    plan = outcome.plan
    print_actions(output, plan.actions)
    output.line()
    before, after = plan.before, plan.after
    size = f"{count(len(after.entries), 'entry')}, {tokens(after.master.text):,} tokens"
    if not plan.changes:
        output.line("nothing to do: ", size)
        return
    verb = "would have" if dry_run else "now"
    change = f"  (before: {len(before.entries):,} and {tokens(before.master.text):,})"
    output.line(f"HIPPOCAMPUS.md {verb}: ", bold(size), dim(change))
    undo = "nothing was written" if dry_run else f"undo it: hippo undo {outcome.number}"
    output.line(dim(undo))


def print_actions(output: Output, actions: Sequence[Action], *, listed: int = _LISTED) -> None:
    """The actions by kind, at most so many of each in full."""
    for kind, (title, style) in _TITLES.items():
        found = [action for action in actions if action.kind == kind]
        if found:
            output.line()
            output.line(Styled(f"{title} ", style), Styled(f"{len(found):,}", f"bold {style}"))
            _print_group(output, found, listed)
    moves = Counter(_move(one) for one in actions if one.kind == "strength")
    if moves:
        output.line()
        words = ("decreased", "increased", "recorded for the first time")
        told = ", ".join(f"{moves[word]:,} {word}" for word in words if moves[word])
        output.line("strengths ", bold(f"{moves.total():,}"), f"  {told}")
    lists = [one for one in actions if one.kind == "list"]
    if lists:
        names = ", ".join(one.key for one in lists)
        output.beside("", dim(f"regenerated lists: {names}"))
    for one in lists:
        if not one.reason.endswith("regenerated"):
            output.beside("", dim(one.reason))


def _print_group(output: Output, found: Sequence[Action], listed: int) -> None:
    width = min(_WIDEST_ID, max(columns_of(one.key) for one in found[:listed]))
    for one in found[:listed]:
        key = one.key
        if output.terminal:
            key = fit(key, width)
            key += " " * (width - columns_of(key))
        change = _change(one)
        line = "  ".join(part for part in (change, one.reason) if part)
        if output.terminal:
            line = fit(line, output.width - width - 4)
        split = len(change) if change and one.reason else 0
        output.line("  ", cyan(key), f"  {line[:split]}", dim(line[split:]))
    if len(found) > listed:
        output.line(dim(f"  … and {len(found) - listed:,} more (all with --json)"))


def _change(action: Action) -> str:
    """What becomes of the entry, without what the group's title says already."""
    if action.kind in ("prune", "archive", "promote"):
        return ""
    if action.kind == "queue":
        return action.before
    if action.kind in ("revive", "add", "merge"):
        return f"→ {action.after}"
    if action.kind == "shard":
        return action.after.rpartition("/")[2]
    return " → ".join(part for part in (action.before, action.after) if part)


def _move(action: Action) -> str:
    try:
        before, after = float(action.before), float(action.after)
    except ValueError:
        return "recorded for the first time"
    return "increased" if after > before else "decreased" if after < before else "unchanged"
