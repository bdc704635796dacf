"""``hippo restore``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import DRY_RUN, SHARED, argument, flag, takes
from hippocampus_cli.cli.render import Output, Styled, safe_line
from hippocampus_cli.cli.render.layout import count, print_beside
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from hippocampus_cli.api import IndexRestored, Restored, Snapshot

_LISTED = 12


@takes(
    argument(
        "entries",
        "ID",
        "Ids of entries in the queue or the archive; with --index a snapshot's number.",
        required=False,
        several=True,
        complete="resting_ids",
    ),
    flag("--index", "Bring the whole index back from the newest whole snapshot."),
    DRY_RUN,
    *SHARED,
)
def command(session: CommandContext, entries: list[str], index: bool, dry_run: bool) -> None:
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
        _restore_index(session, _number(entries), dry_run)
    else:
        _restore(session, _ids(entries, dry_run))


def _restore(session: CommandContext, entries: list[str]) -> None:
    from hippocampus_cli.cli.render.output import document_of

    with session.open_as_is() as opened:
        restored = opened.upkeep.restore(*entries, now=session.now)
    if session.output.as_json:
        session.output.json({"restored": [document_of(one) for one in restored]})
    else:
        for one in restored:
            _print(session.output, one)


def _ids(entries: list[str], dry_run: bool) -> list[str]:
    if not entries:
        raise UsageError(
            reason="name an entry, or say --index", advice="`hippo list --archived` shows the ids"
        )
    if dry_run:
        raise UsageError(
            reason="--dry-run goes with --index", advice="`hippo show ID` shows an entry that rests"
        )
    return entries


def _number(entries: list[str]) -> int | None:
    if not entries:
        return None
    if len(entries) > 1 or not entries[0].isdecimal():
        raise UsageError(
            reason="--index takes one number, of a snapshot",
            advice="`hippo restore --index --dry-run` lists them",
        )
    return int(entries[0])


def _restore_index(session: CommandContext, number: int | None, dry_run: bool) -> None:
    with session.open_as_is() as opened:
        done = opened.upkeep.restore_index(number, dry_run=dry_run, now=session.now)
        kept = opened.upkeep.snapshots()
    if session.output.as_json:
        session.output.json(_document(done, kept, dry_run))
        return
    _print_index(session.output, done, dry_run)
    if dry_run:
        for one in reversed(kept):
            session.output.line(
                Styled(f"{one.number:>5}", "cyan"),
                Styled(f"  {one.at.astimezone(session.now.tzinfo):%Y-%m-%d %H:%M}  ", "dim"),
                count(one.entries, "entry", "entries"),
            )


def _document(done: IndexRestored, kept: list[Snapshot], dry_run: bool) -> dict[str, object]:
    return {
        "snapshot": _snapshot(done.snapshot),
        "dry_run": dry_run,
        "back": list(done.back),
        "since": list(done.since),
        "exact": done.exact,
        "entries": done.entries,
        "number": done.number,
        "aside": done.aside,
        "snapshots": [_snapshot(one) for one in kept],
    }


def _snapshot(one: Snapshot) -> dict[str, object]:
    return {"number": one.number, "at": one.at, "entries": one.entries, "bytes": one.size}


def _print_index(output: Output, done: IndexRestored, dry_run: bool) -> None:
    verb = "would come back" if dry_run else "back"
    came = (
        f"{count(len(done.back), 'entry', 'entries')} {verb} from snapshot {done.snapshot.number}"
    )
    print_beside(
        output, "", Styled(came, "bold"), f": {count(done.entries, 'entry', 'entries')} in all"
    )
    _print_ids(output, "back", done.back)
    _print_ids(output, "made since, and kept", done.since)
    if done.exact:
        print_beside(output, "", "every file is as it was kept, to the byte")
    if done.snapshot.rewritten:
        print_beside(
            output, "", "what was forgotten since, or removed as a secret, is not restored"
        )
    if done.aside:
        print_beside(output, "", f"what was in its place is kept as {safe_line(done.aside)}")
    if dry_run:
        output.line(Styled("nothing was written", "dim"))
    elif done.number is not None:
        output.line(Styled(f"undo it: hippo undo {done.number}", "dim"))


def _print_ids(output: Output, title: str, ids: tuple[str, ...]) -> None:
    if ids:
        named = ", ".join(map(safe_line, ids[:_LISTED]))
        more = f" and {len(ids) - _LISTED:,} more" if len(ids) > _LISTED else ""
        print_beside(output, "", Styled(f"{title}: {named}{more}", "dim"))


def _print(output: Output, one: Restored) -> None:
    where = " > ".join(one.section) or "the index"
    if one.origin == "index":
        output.line(
            Styled(safe_line(one.id), "cyan"), f"  is in the index, under {safe_line(where)}"
        )
        return
    origin = "the Decay Queue" if one.origin == "queue" else "the archive"
    output.line(
        Styled(safe_line(one.id), "cyan"),
        f"  back from {origin}, under {safe_line(where)}",
        Styled(f"  strength {one.strength:.2f}", "dim"),
    )
