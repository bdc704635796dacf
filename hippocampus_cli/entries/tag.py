"""What is given as text, looked at before anything is written with it; tags and priority of an entry changed: one
with ``pri=amygdala`` does not decay (INDEX §5.2, D10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hippocampus_cli.entries.select import find
from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import Frozen
from hippocampus_cli.index import metadata
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.redaction.redactor import secrets_in

_LONGEST = 60


class Tagged(Frozen):
    """The tags and the priority of an entry now, and which tags came and went."""

    id: str
    priority: str
    tags: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


def retag(
    index: Hierarchy,
    key: str,
    add: Sequence[str],
    remove: Sequence[str],
    priority: Priority | None = None,
) -> tuple[Hierarchy, Tagged]:
    """The index with tags added to and removed from one entry, and another ``priority``; words compare without case.

    Raises :class:`EntryNotFound`, :class:`UsageError` for a word that cannot be a tag, :class:`IndexRefused`.
    """
    located = find(index, key)
    entry = located.entry
    gone = {tag.casefold() for tag in clean_tags(remove)}
    known = gone.union(map(str.casefold, entry.tags))
    added = tuple(tag for tag in clean_tags(add) if tag.casefold() not in known)
    removed = tuple(tag for tag in entry.tags if tag.casefold() in gone)
    tags = (*(tag for tag in entry.tags if tag not in removed), *added)
    values = {}
    if added or removed:
        values["tags"] = metadata.write_list(tags)
        if "id" in entry.values:  # a reconsolidation (INDEX §5.2); a bare bullet keeps no count
            values["ver"] = str(entry.ver + 1)
    now = priority or entry.pri
    if now is not entry.pri:
        values["pri"] = "" if now is Priority.NORMAL else now.value
    if values:
        index = index.change(located.key, lambda entry: entry.with_values(values))
    return index, Tagged(located.key, now.value, tags, added, removed)


def refuse_told(tags: Iterable[str], text: str) -> None:
    """Raises :class:`UsageError` where a tag is one of the secrets that ``text`` tells."""
    told = [text[one.start : one.end].casefold() for one in secrets_in(text)]
    if any(tag.casefold().strip("# ") in one for tag in tags for one in told):
        raise secret_refused()


def secret_refused() -> UsageError:
    """The error for a secret where words of an entry are wanted."""
    advice = "keep it in a note: an entry says where it is, never what it is"
    return UsageError(reason="that looks like a secret and cannot stand in an entry", advice=advice)


def require_text(*values: str, errors: str = "strict") -> None:
    """Raises :class:`UsageError` for what no file can keep as it is: halves of characters, and what is no str.

    With ``errors="surrogateescape"`` bytes that are no UTF-8 may stand in it, as Python escapes them.
    """
    for value in values:
        try:
            value.encode("utf-8", errors)
        except (UnicodeEncodeError, AttributeError):
            reason = f"{ascii(value)[:60]} is not UTF-8 text"
            raise UsageError(reason=reason, advice="give it as a str of whole characters") from None


def texts(values: Iterable[str], errors: str = "strict") -> tuple[str, ...]:
    """Several texts. Raises :class:`UsageError` for a single str, whose letters would be taken, and as above."""
    if isinstance(values, str):
        reason = f"{values[:60]!r} is one text where a list of them is wanted"
        raise UsageError(reason=reason, advice=f"write it as [{values[:60]!r}]")
    several = tuple(values)
    require_text(*several, errors=errors)
    return several


def require_priority(pri: str) -> Priority:
    """The priority of this name. Raises :class:`UsageError` for a word that is none."""
    try:
        return Priority(pri)
    except ValueError:
        advice = f"use one of {', '.join(Priority)}"
        raise UsageError(reason=f"{pri!r} is not a priority", advice=advice) from None


def clean_tags(words: Iterable[str]) -> tuple[str, ...]:
    """Words as tags: without ``#`` in front, each once. Raises :class:`UsageError`."""
    found: dict[str, str] = {}
    for word in texts(words):
        tag = " ".join(word.split()).lstrip("#").strip()
        if not tag or len(tag) > _LONGEST:
            advice = f"a tag is a word of at most {_LONGEST} characters"
            raise UsageError(reason=f"{word[:40]!r} cannot be a tag", advice=advice)
        if secrets_in(tag):
            raise secret_refused()
        found.setdefault(tag.casefold(), tag)
    return tuple(found.values())
