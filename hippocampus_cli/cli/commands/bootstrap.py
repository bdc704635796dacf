"""``hippo bootstrap``."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, takes
from hippocampus_cli.cli.output import (
    Output,
    bold,
    count,
    counts,
    dim,
    row,
    safe_line,
    yellow,
)

_CHOSEN = {
    "here": "the folder you stand in; from here down hippo finds it by its HIPPOCAMPUS.md",
    "above": "found from here upwards",
}


@takes(DRY_RUN)
def command(session: CommandContext, *, dry_run: bool) -> None:
    """Create HIPPOCAMPUS.md from your notes, or add to it what is new.

    Where no workspace is named and none is found, the folder you stand in becomes one if it has markdown notes.
    Core files, projects and recent dailies are indexed by section, older dailies by file. What stands
    in an index already stays as it is, and a second run changes nothing.

    Examples:
      hippo bootstrap --dry-run
      hippo bootstrap
    """
    output, chosen = session.output, _chosen(session)
    opened = session.open()
    with output.progress("reading notes") as opened.progress:
        report = opened.bootstrap(dry_run=dry_run)
    output.notices(report.notices)
    place = {"workspace": str(session.root()), "chosen": chosen, "dry_run": dry_run}
    output.json({**place, **_document(report)})
    if chosen in _CHOSEN:
        output.line(f"workspace: {session.root()!s}  ({_CHOSEN[chosen]})")
    skipped = counts(report.skipped)
    output.line(
        f"read {count(report.plan.notes, 'note')}",
        dim(f"  (skipped: {skipped})" if skipped else ""),
    )
    for note in report.unread:
        output.line(yellow(f"  not read: {note.path}: {note.reason}"))
    _print_plan(output, report.plan, dry_run)
    _print_result(output, report, dry_run)


def _chosen(session: CommandContext) -> str:
    """How the workspace was chosen: ``named``, ``found`` where one stands, ``above``, or ``here`` for a new one."""
    if session.names_workspace:
        return "named"
    known = session.root_or_none()
    here = session.root_to_be() == Path.cwd()
    return "here" if known is None else "found" if here else "above"


def _print_plan(output: Output, plan: api.BootstrapPlan, dry_run: bool) -> None:
    """How many entries come to each shelf, with a dry run which; and what is left out."""
    if plan.additions:
        output.line()
    for shelf, number in Counter(addition.shelf for addition in plan.additions).items():
        output.line(f"  {shelf:<20}", bold(f"{number:>5}"))
        for addition in plan.additions if dry_run else ():
            if addition.shelf == shelf:
                pointers = ", ".join(map(str, addition.draft.pointers))
                output.line(f"    {addition.draft.topic}", dim(f"  → {pointers}"))
    if plan.additions:
        output.line()
    reasons = Counter(left_out.why for left_out in plan.left_out)
    for why, number in sorted(reasons.items()):
        output.line(f"left out, {why}: {number}")


def _print_result(output: Output, report: api.BootstrapReport, dry_run: bool) -> None:
    beyond = f" and {report.in_topics:,} in .hippocampus/topics" if report.in_topics else ""
    entries = f"{count(report.entries - report.in_topics, 'entry')}{beyond}"
    size = f"{entries}, {report.tokens:,} of {report.budget:,} tokens"
    if not report.changed:
        output.line(f"{report.path} is up to date: {size}")
    elif dry_run:
        verb = "would be created" if report.created else "would grow"
        output.line(f"{report.path} {verb}: {size}", dim("  (nothing was written)"))
    else:
        verb = "created" if report.created else "extended"
        output.line(f"{verb} {report.path}: ", bold(size))
    if report.changed and not dry_run and report.plan.additions:
        # A folder's own subjects say more than what every folder has, and names more than numbers.
        subject = min(
            report.plan.additions,
            key=lambda each: (any(map(str.isdigit, each.draft.topic)), each.kind == "config"),
        )
        topic = shlex.quote(safe_line(subject.draft.topic))
        output.line(dim(f"ask it something: hippo query {topic}"))


def _document(report: api.BootstrapReport) -> dict[str, object]:
    left_out = [
        {"path": passage.note.path} | row(passage, "line title", type=passage.kind, reason=why)
        for passage, why in report.plan.left_out
    ]
    return row(
        report,
        "path created changed entries in_topics tokens skipped unread",
        notes=report.plan.notes,
        max_tokens=report.budget,
        added=[*map(_added, report.plan.additions)],
        left_out=left_out,
    )


def _added(addition: api.Addition) -> dict[str, object]:
    draft = addition.draft
    pointers = [*map(str, draft.pointers)]
    place = {"section": addition.shelf, "line": addition.line, "type": addition.kind}
    return row(draft, "id topic", pointers=pointers, **place)
