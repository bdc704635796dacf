"""A cycle for a person to read, grouped by kind of action; and the lines that change in files of other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.layout import columns_of, count, fit, padded, print_beside
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.markdown.tokens import tokens

if TYPE_CHECKING:
    from hippocampus_cli.maintenance.upkeep import Outcome
    from hippocampus_cli.workspace.external_files import Change


_TAB = 4  # columns
_STYLES = {"+": "green", "-": "red"}


def print_changes(output: Output, changes: Sequence[Change]) -> None:
    """Every file's name, and every line that is added or removed."""
    for change in changes:
        output.line()
        output.line(Styled(safe_line(change.place), "bold"))
        for line in change.diff():
            sign, text = line[:1], line[1:].removesuffix("\r").expandtabs(_TAB)
            output.quote(sign + safe_line(text), _STYLES.get(sign, "dim"))
    output.line()


def document_of(changes: Sequence[Change]) -> list[dict[str, object]]:
    """The same as JSON."""
    return [{"place": change.place, "diff": list(change.diff())} for change in changes]


_LISTED = 12
_ASIDE = 3  # of what is only remarked
_WIDEST_ID = 28
_TITLES = {
    Kind.REDACT: ("secrets removed", "red"),
    Kind.FORGET: ("forgotten text removed", "red"),
    Kind.PRUNE: ("pruned to the archive", "red"),
    Kind.ARCHIVE: ("archived", "red"),
    Kind.MERGE: ("merged", "yellow"),
    Kind.REPOINT: ("re-pointed", "yellow"),
    Kind.FLAG: ("marked stale", "yellow"),
    Kind.CLEAR: ("no longer stale", "green"),
    Kind.PROPOSE: ("for you to decide", "magenta"),
    Kind.QUEUE: ("moved to the Decay Queue", "yellow"),
    Kind.REVIVE: ("moved back from the Decay Queue", "green"),
    Kind.REDRAW: ("brought up to date", "green"),
    Kind.ADD: ("new entries", "green"),
    Kind.ACCESS: ("missed uses added", "green"),
    Kind.REPLAY: ("replayed", "green"),
    Kind.CONSOLIDATE: ("consolidated", "green"),
    Kind.SECTION: ("moved to a new section", "cyan"),
    Kind.RELATE: ("related", "cyan"),
    Kind.COMPRESS: ("shortened", "cyan"),
    Kind.SHARD: ("moved to topic files", "cyan"),
    Kind.PROMOTE: ("moved back from topic files", "cyan"),
    Kind.ORPHAN: ("without relations", "magenta"),
    Kind.RESTORE: ("restored from a snapshot", "green"),
    Kind.REPAIR: ("repaired", "green"),
}


def print_outcome(output: Output, outcome: Outcome, now: datetime, dry_run: bool) -> None:
    """The cycle: its actions by kind, then the size of the index."""
    plan = outcome.plan
    output.line(Styled(f"{plan.cycle} upkeep", "bold"), Styled(f"  {now:%Y-%m-%d %H:%M}", "dim"))
    print_actions(output, (*plan.actions, *plan.remarks))
    before, after = plan.before, plan.after
    sizes = (len(before.entries), len(after.entries))
    output.line()
    if not plan.changes:
        output.line("nothing to do: ", _size(sizes[1], tokens(after.master.text)))
        return
    verb = "would have" if dry_run else "now"
    size = _size(sizes[1], tokens(after.master.text))
    change = f"  (before: {sizes[0]:,} and {tokens(before.master.text):,})"
    output.line(f"HIPPOCAMPUS.md {verb}: ", Styled(size, "bold"), Styled(change, "dim"))
    if dry_run:
        output.line(Styled("nothing was written", "dim"))
    else:
        output.line(Styled(f"undo it: hippo undo {outcome.number}", "dim"))


def print_sessions(output: Output, ended: Sequence[str], archived: Sequence[str]) -> None:
    """The agents' sessions that the cycle ended or archived."""
    for ids, what in ((ended, "unused, ended"), (archived, "ended long ago, archived")):
        if ids:
            output.line(f"{count(len(ids), 'session')} {what}: ", safe_line(", ".join(ids[:5])))


def print_actions(output: Output, actions: Sequence[Action], *, listed: int = _LISTED) -> None:
    """The actions by kind, at most so many of each in full."""
    groups = {kind: [one for one in actions if one.kind is kind] for kind in _TITLES}
    groups[Kind.ORPHAN].sort(key=lambda one: not one.after)  # those with a suggestion first
    for kind, found in groups.items():
        if found:
            title, style = _TITLES[kind]
            output.line()
            output.line(Styled(f"{title} ", style), Styled(f"{len(found):,}", f"bold {style}"))
            _print_group(output, found, min(listed, _ASIDE) if kind is Kind.ORPHAN else listed)
    strengths = [one for one in actions if one.kind is Kind.STRENGTH]
    lists = [one.key for one in actions if one.kind is Kind.LIST]
    if strengths:
        output.line()
        output.line("strengths ", Styled(f"{len(strengths):,}", "bold"), f"  {_moves(strengths)}")
    if lists:
        print_beside(output, "", Styled(f"regenerated lists: {', '.join(lists)}", "dim"))
    for one in actions:
        if one.kind is Kind.LIST and not one.reason.endswith("regenerated"):
            print_beside(output, "", Styled(one.reason, "dim"))


def _size(entries: int, size: int) -> str:
    return f"{count(entries, 'entry', 'entries')}, {size:,} tokens"


def _print_group(output: Output, found: Sequence[Action], listed: int) -> None:
    width = min(_WIDEST_ID, max(columns_of(one.key) for one in found[:listed]))
    for one in found[:listed]:
        key = padded(one.key, width) if output.terminal else safe_line(one.key)
        change = _change(one)
        parts = [part for part in (safe_line(change), safe_line(one.reason)) if part]
        rest = "  ".join(parts)
        if output.terminal:
            rest = fit(rest, output.width - width - 4)
        shown = rest[: len(parts[0])] if len(parts) > 1 else ""
        output.line("  ", Styled(key, "cyan"), f"  {shown}", Styled(rest[len(shown) :], "dim"))
    if len(found) > listed:
        output.line(Styled(f"  … and {len(found) - listed:,} more (all with --json)", "dim"))


def _change(action: Action) -> str:
    """What becomes of the entry, without what the group's title says already."""
    if action.kind in (Kind.PRUNE, Kind.ARCHIVE, Kind.PROMOTE):
        return ""
    if action.kind is Kind.QUEUE:
        return action.before
    if action.kind in (Kind.REVIVE, Kind.ADD, Kind.MERGE):
        return f"→ {action.after}"
    if action.kind is Kind.SHARD:
        return action.after.rpartition("/")[2]
    return " → ".join(part for part in (action.before, action.after) if part)


def _moves(strengths: Iterable[Action]) -> str:
    """How many increased and decreased."""
    signs = Counter(_sign(one) for one in strengths)
    words = {-1: "decreased", 1: "increased", 0: "recorded for the first time"}
    return ", ".join(f"{signs[sign]:,} {words[sign]}" for sign in (-1, 1, 0) if signs[sign])


def _sign(action: Action) -> int:
    try:
        before, after = float(action.before), float(action.after)
    except ValueError:
        return 0
    return (after > before) - (after < before)
