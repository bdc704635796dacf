"""Adding and removing the tags of an entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hippocampus_cli.curation.finding import find
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index import fields
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.redaction import secrets_in

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Tagged:
    """The tags of an entry now, and what became of each word: ``idle`` ones changed nothing."""

    id: str
    tags: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    idle: tuple[str, ...]


def retag(
    index: Hierarchy, key: str, add: Sequence[str], remove: Sequence[str]
) -> tuple[Hierarchy, Tagged]:
    """The index with tags added to and removed from one entry; words compare without case.

    Raises :class:`EntryNotFound`, :class:`UsageError` for a word that can be no tag.
    """
    located = find(index, key)
    entry = located.entry
    wanted, unwanted = clean_tags(add), clean_tags(remove)
    have = {tag.casefold() for tag in entry.tags}
    gone = {tag.casefold() for tag in unwanted}
    added = tuple(tag for tag in wanted if tag.casefold() not in have | gone)
    removed = tuple(tag for tag in entry.tags if tag.casefold() in gone)
    used = {tag.casefold() for tag in (*added, *removed)}
    idle = tuple(tag for tag in (*wanted, *unwanted) if tag.casefold() not in used)
    tags = (*(tag for tag in entry.tags if tag not in removed), *added)
    if added or removed:
        index = index.change(located.key, lambda one: _with_tags(one, tags))
    return index, Tagged(located.key, tags, added, removed, idle)


def refuse_told(tags: Iterable[str], text: str) -> None:
    """Raises :class:`UsageError` where a tag is one of the secrets that ``text`` tells."""
    told = [text[one.start : one.end].casefold() for one in secrets_in(text)]
    if any(tag.casefold().strip("# ") in one for tag in tags for one in told):
        raise _refused()


def _refused() -> UsageError:
    advice = "keep it in a note: an entry says where it lies, never what it is"
    return UsageError(reason="that reads like a secret, and can be no tag", advice=advice)


def clean_tags(words: Iterable[str]) -> tuple[str, ...]:
    """Words as tags: without ``#`` in front, each once. Raises :class:`UsageError`."""
    found: dict[str, str] = {}
    for word in words:
        tag = " ".join(word.split()).lstrip("#").strip()
        if not tag or len(tag) > _LONGEST:
            advice = f"a tag is a word of at most {_LONGEST} characters"
            raise UsageError(reason=f"{word[:40]!r} can be no tag", advice=advice)
        if secrets_in(tag):
            raise _refused()
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def _with_tags(entry: Entry, tags: tuple[str, ...]) -> Entry:
    raw = fields.write_list(tags)
    changed = entry.with_value("tags", raw) if raw else entry.without("tags")
    if "id" in entry.values:  # a reconsolidation (INDEX §5.2); a bare bullet keeps no count
        changed = changed.with_value("ver", str(entry.ver + 1))
    return changed
