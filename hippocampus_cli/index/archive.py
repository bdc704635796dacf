"""Into the archive and back: nothing is ever deleted (decision D11, INDEX §8.2).

An archived entry is its block as it was, with a few values more: ``archived`` (the day), ``why``, ``into`` (the id
of the entry that it was merged into) and ``home`` (the section that it was in, from the outside in, as
``By Topic > Projects``; the file comes first where that is not the master, or where there was no section).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import MASTER, TOPICS, Located
from hippocampus_cli.index.edit import SectionPath, block_of, find
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.hierarchy import Hierarchy, archive_file
from hippocampus_cli.index.pointers import format_pointers
from hippocampus_cli.index.views import DECAY_QUEUE, SECTIONS

QUEUE: SectionPath = (SECTIONS[DECAY_QUEUE],)
_WITHIN = " > "
MARKS = ("archived", "why", "into", "home", "queued")
"""The values that an archived entry has besides its own."""


class Why(StrEnum):
    """``why``: the reason why an entry is in the archive."""

    MERGED = "merged"  # another says the same
    PRUNED = "pruned"  # weak beyond use
    SILENT = "silent"  # long in the Decay Queue
    GONE = "gone"  # what it pointed at is gone, and somebody said to drop the entry
    UNDONE = "undone"  # a cycle had added it, and that was undone


def retired(
    index: Hierarchy, leaving: Mapping[str, Mapping[str, str]], why: Why, day: date
) -> Hierarchy:
    """The index with living entries moved to the archive of the day's month, all or none; ``leaving`` holds further
    values by key.

    The index must have been read with its archive. Raises :class:`EntryNotFound`, :class:`IndexRefused`.
    """
    marks = {key: _marks(_movable(index, key), why, day, more) for key, more in leaving.items()}
    return index.set_values(marks).moved(leaving, (), archive_file(f"{day:%Y-%m}"))


def stored(index: Hierarchy, entries: Sequence[Located], why: Why, day: date) -> Hierarchy:
    """The index with entries that are nowhere in it added to its archive, where a bullet becomes a full entry."""
    marked = (one.entry.with_values(_marks(one, why, day, {})) for one in entries)
    blocks = [_full(one) if one.form is Form.BULLET else block_of(one) for one in marked]
    return index.add((), blocks, archive_file(f"{day:%Y-%m}")) if blocks else index


def _full(bullet: Entry) -> str:
    return "\n".join((f"## {bullet.topic}", format_pointers(bullet.pointers), bullet.comment))


def queued(index: Hierarchy, keys: Sequence[str], day: date) -> Hierarchy:
    """The index with these entries in the Decay Queue of the master, since ``day``.

    Those that are in a queue already are only stamped. Raises :class:`IndexRefused`.
    """
    marks: dict[str, dict[str, str]] = {}
    moving = []
    for key in keys:
        located = _movable(index, key)
        marks[key] = {"queued": metadata.write_date(day)}
        if not is_queued(located):
            marks[key]["home"] = metadata.write_text(home_of(located))
            moving.append(key)
    return index.set_values(marks).moved(moving, QUEUE)


def _marks(located: Located, why: Why, day: date, more: Mapping[str, str]) -> dict[str, str]:
    """The raw values that say that an entry is archived."""
    values = {"archived": metadata.write_date(day), "why": why.value, **more}
    if home := home_of(located):
        values["home"] = home
    return {name: metadata.write_text(value) for name, value in values.items()}


def home_of(located: Located) -> str:
    """Where an entry belongs, in the form of ``home``; empty if only its place in the Decay Queue is known."""
    if "home" in located.entry.values:
        return metadata.read_text(located.entry.values["home"])
    if is_queued(located):
        return ""
    file = () if located.file == MASTER else (located.file,)
    return _WITHIN.join((*file, *located.section)) or MASTER


def bring_back(index: Hierarchy, keys: Mapping[str, SectionPath]) -> Hierarchy:
    """The index with entries back from the archive, or from the Decay Queue, in the sections they were in.

    ``keys`` says in which section of the master an entry goes of which no home is known. The blocks are as they
    were; their strength does not change here. If a living entry has the id as an alias, the alias goes. A
    living entry outside the queue stays where it is. All of them, or none.

    Raises :class:`EntryNotFound`, and :class:`IndexRefused` where a living entry has that id now.
    """
    places: dict[tuple[str, SectionPath], list[str]] = {}
    living = set(index.ids)
    back: set[str] = set()
    for key, otherwise in keys.items():
        located = _movable(index, key)
        archived, entry = located.is_archived, located.entry
        if not archived and not is_queued(located):
            continue
        if archived and entry.id in living:
            raise IndexRefused(reason=f"there is another entry {entry.id!r} by now")
        living.add(entry.id)
        back.add(entry.id)
        place = _place(index, metadata.read_text(entry.values.get("home", "")), otherwise)
        places.setdefault(place, []).append(key)
    unmarked = {key: dict.fromkeys(MARKS, "") for there in places.values() for key in there}
    for holder in {index.aliases[name] for name in back & index.aliases.keys()}:
        aliases = [alias for alias in index.by_key[holder].entry.aka if alias not in back]
        unmarked.setdefault(holder, {})["aka"] = metadata.write_list(aliases)
    return index.set_values(unmarked).moved_to(places) if places else index


def _movable(index: Hierarchy, key: str) -> Located:
    located = find(index.by_key, key)
    if not located.entry.closed:
        raise IndexRefused(reason=f"the hx comment of {key!r} is never closed with -->")
    return located


def is_queued(located: Located) -> bool:
    """Whether an entry is in the Decay Queue."""
    return [title.casefold() for title in located.section[:1]] == [QUEUE[0].casefold()]


def _place(index: Hierarchy, home: str, otherwise: SectionPath) -> tuple[str, SectionPath]:
    """The file and the section that a ``home`` names; a title may contain the separator."""
    if not home:
        return MASTER, otherwise
    first, _, rest = home.partition(_WITHIN)
    named = first == MASTER or first.startswith(TOPICS)
    file, text = (first, rest) if named else (MASTER, home)
    document = index.files.get(file)
    for path in document.sections.values() if document else ():
        if " ".join(_WITHIN.join(path).split()) == text:
            return file, path
    return file, tuple(text.split(_WITHIN)) if text else ()
