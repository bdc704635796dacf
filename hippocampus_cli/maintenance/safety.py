"""What upkeep may never do, and what it may not do unasked (decision D16, STYLE's *verify*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hippocampus_cli.errors import IndexRefused, LossRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import MASTER, Document, Header, Heading, Located, Node, View
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy, new_file
from hippocampus_cli.index.views import BY_TIME, without_periods
from hippocampus_cli.maintenance.actions import LOSSES, Action, Kind
from hippocampus_cli.maintenance.cycles import SYNC, Plan
from hippocampus_cli.maintenance.relocate import path_of
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.markdown.lines import split_lines

_UNMOUNTED = 0.5
"""Of the notes that were there last time, or are pointed at, this share must be there."""
_FEW = 5
"""Where fewer notes are expected, most of them may well have been moved or removed on purpose."""


def check_losses(plan: Plan, snapshot: Snapshot) -> None:
    """Raises :class:`LossRefused` where a plan moves or re-points more than ``upkeep.loss_limit``.

    One entry is always allowed, or an index of four could never be looked after. A workspace that looks
    empty or unmounted allows none, and no entry is marked stale either. New strengths do not count.
    """
    total = len(plan.before.entries)
    lost = {action.key for action in plan.actions if action.kind in LOSSES}
    flagged = {action.key for action in plan.actions if action.kind is Kind.FLAG}
    if (lost or flagged) and (why := looks_unmounted(plan.before, snapshot)):
        raise LossRefused(count=len(lost | flagged), total=total, why=why)
    limit = snapshot.config.upkeep.loss_limit
    if plan.cycle == SYNC:  # a folder renamed while one watches: found by its content, so it may
        lost = {action.key for action in plan.actions if action.kind in LOSSES - {Kind.REPOINT}}
    if len(lost) > max(limit * total, 1 if limit else 0):
        raise LossRefused(count=len(lost), total=total, why=f"more than {limit:.0%} at once")


def looks_unmounted(index: Hierarchy, snapshot: Snapshot) -> str:
    """Why the workspace looks as if its notes were not there at the moment; empty where it does not.

    What is known to be gone, since the entry that points at it is marked stale, is not expected.
    """
    if not snapshot.paths:
        return "there is no note in the workspace: is it mounted?"
    missed = {
        path for located in index.entries if located.entry.stale for path in _targets(located)
    }
    pointed = {path for located in index.entries for path in _targets(located)}
    expected = (set(snapshot.known) or pointed) - (missed - snapshot.paths)
    gone = expected - snapshot.paths
    if len(gone) > _UNMOUNTED * len(expected) and len(expected) >= _FEW:
        return f"{len(gone):,} of {len(expected):,} notes are gone: is all of it mounted?"
    return ""


def _targets(located: Located) -> set[str]:
    return {path for pointer in located.entry.pointers if (path := path_of(pointer))}


def check_plan(plan: Plan) -> None:
    """Raises :class:`IndexRefused` where a plan would lose an entry, or change a line that no action claims. No plan
    does that; this is what makes it impossible rather than unlikely."""
    check_conserved(plan.before, plan.after)
    check_claimed(plan.before, plan.after, plan.actions)


def check_conserved(before: Hierarchy, after: Hierarchy) -> None:
    """Raises :class:`IndexRefused` where an entry would be gone, living or archived."""
    missing = _ids(before) - _ids(after)
    if missing:
        reason = f"upkeep would lose {', '.join(sorted(missing)[:5])}"
        raise IndexRefused(path=MASTER, reason=reason)


def _ids(index: Hierarchy) -> Counter[str]:
    return Counter(located.entry.id for located in (*index.entries, *index.archived))


def check_claimed(before: Hierarchy, after: Hierarchy, actions: Iterable[Action]) -> None:
    """Raises :class:`IndexRefused` where a line changes that none of the ``actions`` claims.

    An action claims the lines of the entry that it names (a merge also those of the entry that stays), and of a
    generated list all of it. The header is claimed by its figures alone. A heading may be new where an entry that is
    claimed is in its section, or was there between two steps. Every other line is the same, byte for byte, in the
    same order; blank lines do not count, and a last line may get an ending.
    """
    actions = tuple(actions)
    claims = frozenset(_claims(before, after, actions))
    titles = _titles(after, claims, actions)
    for path in {**before.files, **after.files}:
        there = after.files.get(path)
        if there is None:
            raise IndexRefused(path=path, reason="upkeep would remove a file of the index")
        held = before.files.get(path) or new_file(path)
        if BY_TIME in claims and BY_TIME not in held.views:
            held = without_periods(held)  # their list has these headings itself
        old = _unclaimed(held, claims)
        new = _unclaimed(there, claims)
        if old != new:
            _compare(path, old, new, _headings(there, titles))


def _claims(before: Hierarchy, after: Hierarchy, actions: Iterable[Action]) -> Iterator[str]:
    """The ids of the entries, and the names of the lists, that the actions name."""
    for action in actions:
        for key in (action.key, action.after) if action.kind is Kind.MERGE else (action.key,):
            yield key
            yield from (
                index.by_key[key].entry.id for index in (before, after) if key in index.by_key
            )


def _unclaimed(document: Document, claims: frozenset[str]) -> list[str]:
    """The lines with words that no claim covers."""
    lines: list[str] = []
    for node in document.nodes:
        if isinstance(node, Header):
            lines.append(node.with_values(0, "").raw)
        elif not _is_claimed(node, claims):
            lines += (line for line in split_lines(node.raw) if line.strip())
    return lines


def _is_claimed(node: Node, claims: frozenset[str]) -> bool:
    if isinstance(node, Entry):
        return node.id in claims
    return isinstance(node, View) and node.name in claims


def _titles(index: Hierarchy, claims: frozenset[str], actions: Iterable[Action]) -> set[str]:
    """The titles of the sections in which claimed entries are, or were between two steps."""
    found = {
        title
        for action in actions
        for text in (action.before, action.after)
        for title in _path(text)
    }
    for located in index.by_key.values():
        if located.entry.id in claims:
            found |= {
                *located.section,
                *_path(metadata.read_text(located.entry.values.get("home", ""))),
            }
    return found


def _path(section: str) -> list[str]:
    return section.split(" > ")


def _headings(document: Document, titles: set[str]) -> set[str]:
    """The lines of the headings with these titles."""
    found = (node for node in document.nodes if isinstance(node, Heading) and node.title in titles)
    return {line for one in found for line in split_lines(one.raw)}


def _compare(path: str, old: list[str], new: list[str], headings: set[str]) -> None:
    """Raises :class:`IndexRefused` where ``new`` is not ``old`` and some of the ``headings``."""
    rest = iter(old)
    wanted = next(rest, None)
    for line in new:
        if wanted is not None and (line == wanted or line.rstrip("\r\n") == wanted):
            wanted = next(rest, None)
        elif line not in headings:
            raise _unclaimed_change(path, line)
    if wanted is not None:
        raise _unclaimed_change(path, wanted)


def _unclaimed_change(path: str, line: str) -> IndexRefused:
    return IndexRefused(
        path=path, reason=f"upkeep would change {line.strip()[:60]!r}, which no action names"
    )
