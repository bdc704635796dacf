"""Edits of a document: each returns a new one, and changes no line that it does not name (laws 2 to 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import partial

from hippocampus_cli.errors import EntryNotFound, IndexRefused
from hippocampus_cli.fast_types import Frozen, pattern
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import written
from hippocampus_cli.index.document import Document, Heading, Located, Node, View
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, format_pointers
from hippocampus_cli.markdown.lines import chomp, line_ending, newline_of, split_lines


class Draft(Frozen):
    """The values of an entry to be written (INDEX §5.1), which is being accessed: its strength is its ``base``."""

    id: str
    topic: str
    summary: str
    pointers: tuple[Pointer, ...]
    created: date | datetime
    accessed: date | datetime
    base: float
    hits: int = 0
    tags: tuple[str, ...] = ()
    rel: tuple[str, ...] = ()
    pri: metadata.Priority = metadata.Priority.NORMAL
    src: metadata.Source = metadata.Source.AUTO


def block(draft: Draft) -> str:
    """The draft's block: lines joined by ``\\n``, no final line ending; who adds it sets the heading's level.

    Its ``hx`` values are in the order of INDEX §5.2; what is empty or default is left out: an entry without
    ``accessed`` was accessed when it was created, and its strength follows from that.
    """
    values = {
        "id": metadata.write_text(draft.id),
        "created": metadata.write_date(draft.created),
        "accessed": "" if draft.accessed == draft.created else metadata.write_date(draft.accessed),
        "hits": str(draft.hits or ""),
        **({} if draft.base == 1.0 else written(draft.base, draft.base)),
        "tags": metadata.write_list(draft.tags),
        "rel": metadata.write_list(draft.rel),
        "pri": "" if draft.pri is metadata.Priority.NORMAL else draft.pri.value,
        "src": "" if draft.src is metadata.Source.AUTO else draft.src.value,
    }
    pairs = [f"{key}={raw}" for key, raw in values.items() if raw]
    comment = "<!-- hx: " + " | ".join(pairs[:5])
    if pairs[5:]:
        comment += "\n| " + " | ".join(pairs[5:])
    heading = f"## {metadata.plain_line(draft.topic) or draft.id}"
    summary = metadata.plain_line(draft.summary)
    lines = [heading, summary, format_pointers(draft.pointers), f"{comment} -->"]
    return "\n".join(line for line in lines if line)


SectionPath = tuple[str, ...]
_HASHES = pattern(r"\A[\ufeff ]*#+[ \t]*")


def find(entries: Mapping[str, Located], key: str) -> Located:
    """The entry with this key. Raises :class:`EntryNotFound`."""
    located = entries.get(key)
    if located is None:
        raise EntryNotFound(id=key, nearest="")
    return located


def change_entries(document: Document, changes: Mapping[str, Callable[[Entry], Entry]]) -> Document:
    """The document with the changes applied to entries by key: all of them, or none.

    Raises :class:`IndexRefused` where a new entry would read differently among its neighbours.
    """
    nodes = list(document.nodes)
    for key, change in changes.items():
        located = find(document.by_key, key)
        nodes[located.node] = _changed(located, change)
    edited = Document(tuple(nodes))
    if edited == document:
        return document
    if parse(edited.text) != edited:
        names = ", ".join(map(repr, changes))
        raise IndexRefused(reason=f"the edit of {names} would change the text around it")
    return edited


def _changed(located: Located, change: Callable[[Entry], Entry]) -> Entry:
    try:
        return change(located.entry)
    except IndexRefused as refused:
        refused.line = refused.line or located.line
        raise


def set_many(document: Document, values: Mapping[str, Mapping[str, str]]) -> Document:
    """The document with raw metadata values of entries set, by key; an empty one goes.

    An entry that cannot be edited is left alone.
    """
    there = document.by_key
    changes = {
        key: partial(Entry.with_values, values=wanted)
        for key, wanted in values.items()
        if key in there and there[key].entry.is_editable
    }
    return change_entries(document, changes)


BY_DAY = "Daily Logs"
"""The section whose entries stand in the order of their days, the newest first."""


def add_entries(document: Document, section: SectionPath, blocks: Sequence[str]) -> Document:
    """The document with entry blocks (``\\n`` between lines, no final one) added at the end of a section, or by day.

    The heading level of each block is set to one below the section (decision D2). The section is made
    where it is missing. Raises :class:`IndexRefused` where the text around would swallow the new entries.
    """
    if not blocks:
        return document
    document = ensure_section(document, section)
    nl, level = newline_of(document.text), _level_below(document, section)
    marks = "#" * level + " "
    added = [_HASHES.sub(marks, block, count=1).replace("\n", nl) for block in blocks]
    cores: dict[int, list[str]] = {}  # by the node that they go in front of
    for core in added:
        cores.setdefault(_place(document, section, core), []).append(core)
    text = document.text
    for node in sorted(cores, reverse=True):  # from the end, so that earlier positions stay valid
        text = _join(text, _offset(document, node), (nl + nl).join(cores[node]))
    return _checked(document, text, added=len(added), cores=added)


def _place(document: Document, section: SectionPath, core: str) -> int:
    """The node that a new entry goes in front of: of a day's log the first that is older, else the section's end."""
    span = section_span(document, section, deepest=6)
    if section[-1:] != (BY_DAY,):
        return span.stop
    entries = (located.entry for located in parse(core).entries)
    day = max(filter(None, map(_day_of, entries)), default=date.min)
    days = ((number, _day_of(document.nodes[number])) for number in span)
    return next((number for number, other in days if other and other < day), span.stop)


def _day_of(node: Node) -> date | None:
    return metadata.day_of(node.created) if isinstance(node, Entry) else None


def add_text(document: Document, section: SectionPath, text: str) -> Document:
    """The document with a person's own lines (which may be bullets) at the end of a section, made where it is
    missing; empty ones only make the section. Raises :class:`IndexRefused` where they would not read the same there.
    """
    document = ensure_section(document, section)
    core = text.strip("\r\n")
    if not core.strip():
        return document
    end = section_span(document, section, deepest=6).stop
    joined = _join(document.text, _offset(document, end), core)
    return _checked(document, joined, added=len(parse(core).entries))


def remove_entries(document: Document, keys: Iterable[str]) -> Document:
    """The document without these entries and the blank lines that set them off."""
    gone = sorted(
        (find(document.by_key, key) for key in keys), key=lambda located: located.node, reverse=True
    )
    raws = [node.raw for node in document.nodes]
    for located in gone:
        _remove(raws, located)
    return _checked(document, "".join(raws), added=-len(gone)) if gone else document


def block_of(entry: Entry) -> str:
    """An entry's block as :func:`add_entries` takes it. Raises :class:`IndexRefused` for a bullet."""
    if entry.form is Form.BULLET:
        raise IndexRefused(reason=f"{entry.topic!r} is a bullet; only full entries move")
    return "\n".join(chomp(line) for line in split_lines(entry.raw))


def ensure_section(document: Document, section: SectionPath) -> Document:
    """The document with headings for every part of ``section``, new ones at the end of what encloses them."""
    for depth in range(1, len(section) + 1):
        path = section[:depth]
        if section_node(document, path) is not None:
            continue
        parent = path[:-1]
        end = section_span(document, parent).stop
        level = _level_below(document, parent)
        heading = f"{'#' * level} {path[-1]}"
        text = _join(document.text, _offset(document, end), heading)
        document = _checked(document, text, added=0)
    return document


def set_view(document: Document, section: SectionPath, name: str, lines: Iterable[str]) -> Document:
    """The document with a generated region replaced, or put straight under the section's heading (D4)."""
    nl = newline_of(document.text)
    body = [f"<!-- hippo:begin {name} -->", *lines, f"<!-- hippo:end {name} -->"]
    raw = nl.join(body)
    old = document.views.get(name)
    if old is not None:
        node = View(raw + line_ending(split_lines(old.raw)[-1]), name)
        return document.with_node(document.nodes.index(old), node)
    document = ensure_section(document, section)
    start = _offset(document, section_span(document, section).start)
    before = document.text[:start]
    lead = "" if before.endswith(("\n", "\r")) else nl
    return _checked(document, before + lead + raw + nl + document.text[start:], added=0)


def set_header(document: Document, reindexed: str | None = None) -> Document:
    """The document with the header's entry count (and time) brought up to date, where it has a header."""
    header = document.header
    if header is None:
        return document
    new = header.with_values(len(document.entries), reindexed)
    return document if new == header else document.with_node(document.nodes.index(header), new)


def _remove(raws: list[str], located: Located) -> None:
    """Empty one node's text, with the blank line after it or, for a heading, else the one before it."""
    position, raw = located.node, located.entry.raw
    raws[position] = ""
    after = _first_with_text(raws, range(position + 1, len(raws)))
    before = _first_with_text(raws, range(position - 1, -1, -1))
    if after is not None and not (first := split_lines(raws[after])[0]).strip():
        raws[after] = raws[after][len(first) :]
        after = _first_with_text(raws, range(after, len(raws)))
    elif before is not None and located.entry.form is Form.HEADING:
        last = split_lines(raws[before])[-1]
        if not last.strip():
            raws[before] = raws[before][: -len(last)]
            before = _first_with_text(raws, range(before, -1, -1))
    if after is None and before is not None and not line_ending(raw):
        raws[before] = raws[before].removesuffix(line_ending(raws[before]))


def _first_with_text(raws: Sequence[str], numbers: Iterable[int]) -> int | None:
    return next((number for number in numbers if raws[number]), None)


def _level_below(document: Document, section: SectionPath) -> int:
    number = section_node(document, section)
    node = document.nodes[number] if number is not None else None
    return min(6, node.level + 1) if isinstance(node, Heading) else 2


def section_node(document: Document, section: SectionPath) -> int | None:
    """The node of a section's heading; titles compare case-insensitively."""
    wanted = _folded(section)
    named = (number for number, path in document.sections.items() if _folded(path) == wanted)
    return next(named, None)


def _folded(section: SectionPath) -> SectionPath:
    return tuple(title.casefold() for title in section)


def section_span(document: Document, section: SectionPath, deepest: int | None = None) -> range:
    """The nodes after a section's heading, up to the next heading of level ``deepest`` or above.

    By default that is the section's own level: its subsections are in it. Empty where there is no such section.
    """
    start = section_node(document, section)
    if start is None:
        return range(len(document.nodes), len(document.nodes))
    heading = document.nodes[start]
    own = heading.level if isinstance(heading, Heading) else 6
    for end, node in enumerate(document.nodes[start + 1 :], start + 1):
        ends = isinstance(node, Heading) and node.level <= (deepest or own)
        if ends or (isinstance(node, Entry) and 0 < node.level <= own):
            return range(start + 1, end)
    return range(start + 1, len(document.nodes))


def _offset(document: Document, node: int) -> int:
    """Where a node begins in the text."""
    return sum(len(earlier.raw) for earlier in document.nodes[:node])


def _join(text: str, place: int, core: str) -> str:
    """The text with ``core`` at a place, set off by blank lines such that :func:`remove_entries` finds the way back
    to the byte."""
    before, after, nl = text[:place], text[place:], newline_of(text)
    last = split_lines(before)[-1] if before else ""
    if last.endswith("\r") and nl == "\n":  # a bare "\n" would join it to one line ending
        nl = "\r\n"
    if before and not line_ending(last):
        return before + nl + nl + core + after
    if not before:
        return core + nl + (nl + after if after else "")
    if last.strip():
        return before + nl + core + nl + after
    return before + core + nl + nl + after


def _checked(old: Document, new_text: str, added: int, cores: Sequence[str] = ()) -> Document:
    """The document of ``text``, checked: it holds what was there before and ``added`` entries more.

    ``cores`` are their blocks, one of which may end in text that was there before.
    """
    new = parse(new_text)
    kept = {located.entry.raw.rstrip("\r\n") for located in new.entries}
    lost = [located for located in old.entries if located.entry.raw.rstrip("\r\n") not in kept]
    here = all(
        core.rstrip("\r\n") in kept or any(text.startswith(core) for text in kept) for core in cores
    )
    if not here or len(new.entries) != len(old.entries) + added or len(lost) > max(0, -added):
        raise IndexRefused(
            reason="a code fence or comment that is never closed would swallow entries"
        )
    return new
