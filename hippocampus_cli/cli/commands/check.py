"""``hippo check``."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, option, takes
from hippocampus_cli.cli.output import Output, Styled, bold, count, plain, row, visible
from hippocampus_cli.errors import UsageError

INDEX = "HIPPOCAMPUS.md"
_STYLES = {"error": "bold red", "warning": "yellow"}


@takes(
    option("--fix", "Repair what is certain and give bare bullets metadata, then check."),
    option("--accept", "The index is meant to be as it is, though it shrank."),
    option(
        "--drop",
        "Drop what this entry points at and is gone, then check.",
        metavar="ENTRY",
    ),
    DRY_RUN,
)
def command(
    session: CommandContext,
    *,
    fix: bool,
    accept: bool,
    drop: str = "",
    dry_run: bool,
) -> int:
    """Check the index and its pointers; every finding as file:line: code message.

    Without an option nothing is changed. Exit code 1: there are errors, which hippo cannot use or must not touch.
    Warnings are read in the obvious way. --fix ends comments of hippo's that are not ended, gives the
    second of two equal ids a new one, and counts anew: no line of yours is changed, and hippo undo reverts it. It
    also gives the bare bullets of a minimal index an id and dates, at their ends. --accept says that entries were
    removed on purpose. --drop follows what moved and takes out pointers that lead nowhere; an entry without any other
    goes to the archive.

    Examples:
      hippo check
      hippo check --fix --dry-run
    """
    changes = fix or bool(drop)
    if accept and (changes or dry_run):
        raise UsageError(
            reason="--accept goes alone", advice="restore what was lost, or accept the loss"
        )
    opened = session.open()
    if accept and not _accept(opened, session.output):
        return 0
    repairs: Sequence[api.Repair] = ()
    adopted: Sequence[api.Adopted] = ()
    if changes:
        repairs = opened.upkeep.repair(drop=drop, dry_run=dry_run)
    if fix:
        adopted = opened.entries.adopt(dry_run=dry_run)
    checked = opened.check()
    done = {"dry_run": dry_run, "repairs": repairs} if changes else {}
    done |= {"adopted": adopted} if fix else {}
    counts = row(checked, "errors warnings", path=INDEX)
    session.output.json({**plain(checked), **counts, **done})
    _print_changes(session.output, repairs, adopted, dry_run)
    _print(session.output, checked)
    return 1 if checked.errors else 0


def _accept(opened: api.Workspace, output: Output) -> bool:
    """Whether there is an index to check, once it is taken as it is."""
    entries = opened.upkeep.accept()
    if opened.store.exists():
        output.line(f"accepted: the index has {count(entries, 'entry')}")
        return True
    output.json({"path": None, "entries": 0})
    output.line("accepted: there is no index (hippo bootstrap makes one)")
    return False


def _print_changes(
    output: Output, repairs: Sequence[api.Repair], adopted: Sequence[api.Adopted], dry_run: bool
) -> None:
    verb = "would repair " if dry_run else "repaired "
    for repair in repairs:
        output.line(Styled(verb, "green"), f"{repair.path}: {repair.code} {repair.done}")
    verb = "would give metadata to " if dry_run else "gave metadata to "
    for entry in adopted:
        place = f"{INDEX}:{entry.line}: {entry.id}  {entry.topic} → {entry.pointer}"
        output.line(Styled(verb, "green"), place)


def print_finding(output: Output, found: api.Diagnostic) -> None:
    """A finding, as an editor reads it."""
    code = Styled(found.code, _STYLES[found.severity.value])
    remedy = f"; next: {found.remedy}" if found.remedy else ""
    output.line(visible(f"{found.path}:{found.line}: "), code, f" {found.message}", remedy)


def _print(output: Output, checked: api.Checked) -> None:
    for each in checked.diagnostics:
        print_finding(output, each)
    size = f"{count(checked.entries, 'entry')}, {count(checked.pointers, 'pointer')}"
    if not checked.diagnostics:
        output.line(Styled("no problems found", "bold green"), f": {size}")
        return
    problems = f"{count(checked.errors, 'error')}, {count(checked.warnings, 'warning')}"
    output.line(bold(problems), f" in {size}")
