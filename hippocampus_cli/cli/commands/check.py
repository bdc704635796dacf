"""``hippo check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, SHARED, flag, option, takes
from hippocampus_cli.cli.render import Output, Styled, safe_line
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from hippocampus_cli.api import Adopted, Checked, Repair
    from hippocampus_cli.api.workspace import Workspace

INDEX = "HIPPOCAMPUS.md"
_STYLES = {"error": "bold red", "warning": "yellow"}


@takes(
    flag("--fix", "Repair what is certain and give bare bullets metadata, then check."),
    flag(
        "--whole",
        "With --fix: metadata also for headings with pointers (→ path), an index of another hand.",
    ),
    flag("--accept", "The index is meant to be as it is, though it shrank."),
    option(
        "--drop",
        "Drop what this entry points at and is gone, then check.",
        metavar="ENTRY",
        default="",
        complete="entry_ids",
    ),
    DRY_RUN,
    *SHARED,
)
def command(
    session: CommandContext, fix: bool, whole: bool, accept: bool, drop: str, dry_run: bool
) -> int:
    """Check the index and its pointers; every finding as file:line: code message.

    Without an option nothing is changed. Exit code 1: there are errors, which hippo cannot use or must not touch.
    Warnings are read in the obvious way. --fix brings back what a snapshot has and the index lost, ends comments
    and lists of hippo's that are not ended, gives the second of two equal ids a new one, and counts anew: no line of
    yours is changed, and hippo undo reverts it. It also gives the bare bullets of a minimal index an id and dates, at
    their ends. --accept says that entries were removed on purpose. --drop follows what moved and takes out pointers
    that lead nowhere; an entry without any other goes to the archive.

    Examples:
      hippo check
      hippo check --fix --dry-run
    """
    from hippocampus_cli.cli.render.output import document_of

    _refuse(fix or bool(drop), whole and not fix, accept, dry_run)
    with session.open_as_is() as opened:
        if accept and not _accept(opened, session.output):
            return 0
        repairs: tuple[Repair, ...] = ()
        adopted: list[Adopted] = []
        if fix or drop:
            repairs = opened.upkeep.repair(drop=drop, dry_run=dry_run, now=session.now)
        if fix:
            adopted = opened.entries.adopt(whole=whole, dry_run=dry_run, now=session.now)
        checked = opened.check(now=session.now)
    if session.output.as_json:
        document = document_of(checked, errors=checked.errors, warnings=checked.warnings)
        if fix or drop:
            document["dry_run"] = dry_run
            document["repairs"] = [repair._asdict() for repair in repairs]
        if fix:
            document["adopted"] = [document_of(entry) for entry in adopted]
        session.output.json({"path": INDEX, **document})
    else:
        _print_repairs(session.output, repairs, dry_run)
        _print_adopted(session.output, adopted, dry_run)
        _print(session.output, checked)
    return 1 if checked.errors else 0


def _refuse(mends: bool, whole_alone: bool, accept: bool, dry_run: bool) -> None:
    if mends and accept:
        advice = "restore what was lost, or accept the loss"
        raise UsageError(reason="--fix or --drop and --accept exclude each other", advice=advice)
    if whole_alone:
        raise UsageError(reason="--whole goes with --fix", advice="say both, or neither")
    if dry_run and not mends:
        raise UsageError(
            reason="--dry-run goes with --fix and --drop",
            advice="leave it out: a check changes nothing",
        )


def _accept(opened: Workspace, output: Output) -> bool:
    """Whether there is an index to check, once it is taken as it is."""
    from hippocampus_cli.cli.render.layout import count

    entries = opened.upkeep.accept()
    there = opened.store.exists()
    if output.as_json:
        if not there:
            output.json({"path": None, "entries": 0})
    elif there:
        output.line(f"accepted: the index has {count(entries, 'entry', 'entries')}")
    else:
        output.line("accepted: there is no index (hippo bootstrap makes one)")
    return there


def _print_repairs(output: Output, repairs: tuple[Repair, ...], dry_run: bool) -> None:
    verb = "would repair" if dry_run else "repaired"
    for one in repairs:
        output.line(
            Styled(f"{verb} ", "green"),
            f"{safe_line(one.path)}: {one.code} {safe_line(one.done)}",
        )


def _print_adopted(output: Output, adopted: list[Adopted], dry_run: bool) -> None:
    verb = "would give metadata to" if dry_run else "gave metadata to"
    for entry in adopted:
        output.line(
            Styled(f"{verb} ", "green"),
            f"{INDEX}:{entry.line}: {safe_line(entry.id)}  {safe_line(entry.topic)} → {safe_line(entry.pointer)}",
        )


def _print(output: Output, checked: Checked) -> None:
    from hippocampus_cli.cli.render.layout import count, print_beside

    def say(*parts: str | Styled) -> None:
        if output.terminal:
            print_beside(output, "", *parts)
        else:
            output.line(*parts)  # for a script, on one line

    for one in checked.diagnostics:
        code = Styled(one.code, _STYLES[one.severity.value])
        say(
            f"{safe_line(one.path)}:{one.line}: ",
            code,
            f" {safe_line(one.message)}",
            f"; next: {safe_line(one.remedy)}" if one.remedy else "",
        )
    size = f"{count(checked.entries, 'entry', 'entries')}, {count(checked.pointers, 'pointer')}"
    if not checked.diagnostics:
        output.line(Styled("no problems found", "bold green"), f": {size}")
        return
    found = f"{count(checked.errors, 'error')}, {count(checked.warnings, 'warning')}"
    say(Styled(found, "bold"), f" in {size}")
