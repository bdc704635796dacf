"""The law that a cycle changes no line that none of its actions names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Document, Header, Heading, Node, View
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy, new_file
from hippocampus_cli.index.views import BY_TIME, without_periods
from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.markdown.lines import split_lines


def check_claimed(before: Hierarchy, after: Hierarchy, actions: Iterable[Action]) -> None:
    """Raises :class:`AssertionError` where a line changes that none of the ``actions`` claims.

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
            raise AssertionError(f"{path} would be removed")
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
        if not isinstance(node, Header) and not _is_claimed(node, claims):
            lines += (line for line in split_lines(node.raw) if line.strip())
    return [line for line in lines if not line.startswith("<!-- hippocampus.md")]


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
    """Raises :class:`AssertionError` where ``new`` is not ``old`` and some of the ``headings``."""
    rest = iter(old)
    wanted = next(rest, None)
    for line in new:
        if wanted is not None and (line == wanted or line.rstrip("\r\n") == wanted):
            wanted = next(rest, None)
        elif line not in headings:
            raise _unclaimed_change(path, line)
    if wanted is not None:
        raise _unclaimed_change(path, wanted)


def _unclaimed_change(path: str, line: str) -> AssertionError:
    return AssertionError(f"{path}: {line.strip()[:60]!r} would change, which no action names")
