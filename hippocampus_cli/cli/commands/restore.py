"""``hippo restore``."""

from __future__ import annotations

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, argument, option, takes, whole_number
from hippocampus_cli.cli.output import Output, bold, count, cyan, dim, named, row
from hippocampus_cli.errors import UsageError


@takes(
    argument(
        "entries",
        "ID",
        "Ids of entries in the queue or the archive; with --index a snapshot's number.",
        required=False,
    ),
    option("--index", "Bring the whole index back from the newest whole snapshot."),
    DRY_RUN,
)
def command(session: CommandContext, *, entries: list[str], index: bool, dry_run: bool) -> None:
    """Restore archived or queued entries, or a lost index from a snapshot.

    Entries come out of the Decay Queue or the archive to the section they came from, as strong as new ones. An
    entry that was merged into another becomes an entry of its own again. With --index all that the snapshot has and
    the index lacks comes back, and what came since stays; --dry-run shows that, and which snapshots there are.
    hippo undo reverts it.

    Examples:
      hippo restore old-office-wifi
      hippo restore --index --dry-run
      hippo restore --index 12
    """
    if index:
        _restore_index(session, entries, dry_run)
        return
    if not entries:
        raise UsageError(
            reason="name an entry, or say --index", advice="`hippo list --archived` shows the ids"
        )
    if dry_run:
        advice = "`hippo show ID` shows an entry that rests"
        raise UsageError(reason="--dry-run goes with --index", advice=advice)
    restored = session.open().upkeep.restore(*entries)
    session.output.document({"restored": restored})


def _restore_index(session: CommandContext, numbers: list[str], dry_run: bool) -> None:
    number = whole_number(" ".join(numbers))
    if numbers and number is None:
        advice = "`hippo restore --index --dry-run` lists them"
        raise UsageError(reason="--index takes one number, of a snapshot", advice=advice)
    opened, output = session.open(), session.output
    done = opened.upkeep.restore_index(number, dry_run=dry_run)
    kept = opened.upkeep.snapshots()
    snapshots = {"snapshot": _snapshot(done.snapshot), "snapshots": [*map(_snapshot, kept)]}
    output.json(row(done, "back since exact entries number aside", dry_run=dry_run, **snapshots))
    _print_index(output, done, dry_run)
    for snapshot in reversed(kept) if dry_run else ():
        when = f"  {snapshot.at.astimezone(session.now.tzinfo):%Y-%m-%d %H:%M}  "
        output.line(cyan(f"{snapshot.number:>5}"), dim(when), count(snapshot.entries, "entry"))


def _snapshot(snapshot: api.Snapshot) -> dict[str, object]:
    return row(snapshot, "number at entries", bytes=snapshot.size)


def _print_index(output: Output, done: api.IndexRestored, dry_run: bool) -> None:
    verb = "would come back" if dry_run else "back"
    back = f"{count(len(done.back), 'entry')} {verb} from snapshot {done.snapshot.number}"
    output.line(bold(back), f": {count(done.entries, 'entry')} in all")
    for title, ids in (("back", done.back), ("made since, and kept", done.since)):
        if ids:
            output.line(dim(f"{title}: {named(ids)}"))
    if done.exact:
        output.line("every file is as it was kept, to the byte")
    if done.aside:
        output.line(f"what was in its place is kept as {done.aside}")
    if dry_run or done.number is not None:
        undo = "nothing was written" if dry_run else f"undo it: hippo undo {done.number}"
        output.line(dim(undo))
