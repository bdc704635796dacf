"""Tags of an entry added and removed; pinning: an entry with ``pri=amygdala`` does not decay (INDEX §5.2, D10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hippocampus_cli.entries.arguments import texts
from hippocampus_cli.entries.select import find
from hippocampus_cli.errors import IndexRefused, UsageError
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Entry, Form, parse_entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.redaction.redactor import secrets_in

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

    Raises :class:`EntryNotFound`, :class:`UsageError` for a word that cannot be a tag.
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
    advice = "keep it in a note: an entry says where it is, never what it is"
    return UsageError(reason="that looks like a secret and cannot be a tag", advice=advice)


def clean_tags(words: Iterable[str]) -> tuple[str, ...]:
    """Words as tags: without ``#`` in front, each once. Raises :class:`UsageError`."""
    found: dict[str, str] = {}
    for word in texts(words):
        tag = " ".join(word.split()).lstrip("#").strip()
        if not tag or len(tag) > _LONGEST:
            advice = f"a tag is a word of at most {_LONGEST} characters"
            raise UsageError(reason=f"{word[:40]!r} cannot be a tag", advice=advice)
        if secrets_in(tag):
            raise _refused()
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def _with_tags(entry: Entry, tags: tuple[str, ...]) -> Entry:
    raw = metadata.write_list(tags)
    changed = entry.with_value("tags", raw) if raw else entry.without("tags")
    if "id" in entry.values:  # a reconsolidation (INDEX §5.2); a bare bullet keeps no count
        changed = changed.with_value("ver", str(entry.ver + 1))
    return changed


_EMPTY_COMMENT = "<!-- hx: -->"


@dataclass(frozen=True, slots=True)
class Pinned:
    """The priority of an entry before and after."""

    id: str
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


def pin(index: Hierarchy, keys: Sequence[str]) -> tuple[Hierarchy, list[Pinned]]:
    """The index with these entries pinned. Raises :class:`EntryNotFound` if one of them is unknown."""
    done = []
    for key in dict.fromkeys(keys):
        found = find(index, key)
        before = found.entry.pri
        if before is not Priority.AMYGDALA:
            index = _pinned(index, found)
        done.append(Pinned(found.key, before.value, Priority.AMYGDALA.value))
    return index, done


def unpin(index: Hierarchy, keys: Sequence[str]) -> tuple[Hierarchy, list[Pinned]]:
    """The index with these entries at normal priority: what :func:`pin` wrote is gone to the byte.

    Raises :class:`EntryNotFound` if one of them is unknown.
    """
    done = []
    for key in dict.fromkeys(keys):
        found = find(index, key)
        before = found.entry.pri
        index = index.change(found.key, _without_priority)
        done.append(Pinned(found.key, before.value, Priority.NORMAL.value))
    return index, done


def _pinned(index: Hierarchy, found: Located) -> Hierarchy:
    at = index.entries.index(found)
    after = index.change(found.key, _with_priority)
    if (
        after.entries[at].entry.pri is not Priority.AMYGDALA
    ):  # the text swallows what is put behind it
        reason = "a comment in the entry's line is not closed"
        raise IndexRefused(path=found.file, line=found.line, reason=reason)
    return after


def _with_priority(entry: Entry) -> Entry:
    return entry.with_value("pri", Priority.AMYGDALA.value)


def _without_priority(entry: Entry) -> Entry:
    while entry.pri is not Priority.NORMAL:
        entry = entry.without("pri")
    if entry.form is Form.BULLET and entry.comment == _EMPTY_COMMENT and entry.hx_span:
        # the comment that pinning gave a bare bullet
        start, end = entry.hx_span
        return parse_entry(entry.raw[:start].removesuffix(" ") + entry.raw[end:], entry.form)
    return entry
