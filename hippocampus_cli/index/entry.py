"""An entry: its own bytes, and where in them its parts are (INDEX §5.1, decisions D2, D6).

Two forms: a heading with a block that holds an ``hx`` comment, and a bullet ``- topic → path`` with or without
one at its end. An edit makes a new entry from new text; everything that the edit does not name keeps its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import accumulate

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern
from hippocampus_cli.index import metadata
from hippocampus_cli.index.pointers import (
    Pointer,
    format_pointers,
    is_pointer_line,
    looks_like_path,
    parse_pointers,
)
from hippocampus_cli.markdown.blocks import Kind, heading_of, is_hx, scan
from hippocampus_cli.markdown.lines import chomp, newline_of, split_lines

_BULLET = pattern(
    r"(?P<lead> {0,3}[-*+][ \t]++(?:\[[ xX]\][ \t]++)?)(?P<topic>\S(?:(?:(?!→|->).)*(?<=\S))?)[ \t]*+(?P<arrow>→|->)"
)
_LINE_END = pattern(r"[ \t]*(\r\n|\r|\n|$)")
_INLINE_HX = pattern(r"(?:(?<![ \t])[ \t]+)?(<!--[ \t]*+hx:(?:(?!-->|<!--[ \t]*hx:).)*+-->)")
Span = tuple[int, int]


class Anatomy(NamedTuple):
    """An entry's text and offsets into it. ``level`` is 0 for a bullet; ``closed``: the comment ends."""

    raw: str
    level: int
    topic: Span
    summary: Span | None
    pointers: tuple[Span, ...]
    hx: Span | None
    closed: bool


def bullet_anatomy(line: str) -> Anatomy | None:
    """A minimal entry ``- topic → path`` (decision D6), or ``None`` where the line is something else."""
    if "→" not in line and "->" not in line:
        return None
    found = _BULLET.match(line)
    if not found:
        return None
    hx = _INLINE_HX.search(line, found.end())
    text_end = hx.start() if hx else len(chomp(line).rstrip())
    rest = line[found.end() : text_end]
    start = text_end - len(rest.lstrip(" \t"))
    if not looks_like_path(line[start:text_end]):
        return None
    comment = hx.span(1) if hx else None
    return Anatomy(line, 0, found.span("topic"), None, ((start, text_end),), comment, closed=True)


def block_anatomy(lines: Sequence[str], kinds: Sequence[int]) -> Anatomy | None:
    """The entry at the start of a heading's block, or ``None`` where the block has no ``hx`` comment.

    ``lines[0]`` is the heading, ``kinds`` are their :class:`Kind`. The entry ends after the last of its
    parts; what follows in the block is the writer's own text and stays where it is when the entry moves.
    """
    hx_at = next((n for n, line in enumerate(lines) if kinds[n] != Kind.CODE and is_hx(line)), None)
    if hx_at is None:
        return None
    level, title = heading_of(lines[0]) or (0, "")
    if not level:
        return None
    hx, hx_end, closed = _comment(lines, kinds, hx_at)
    summary: Span | None = None
    pointers: list[Span] = []
    starts = [0, *accumulate(map(len, lines))]
    at, end = 1, hx_end
    while at < len(lines):
        if at == hx_at:
            at = hx_end
            continue
        line, start = lines[at], starts[at]
        at += 1
        if kinds[at - 1] != Kind.TEXT or not line.strip():
            continue
        if is_pointer_line(line):
            pointers.append((start, start + len(line.rstrip())))
            end = max(end, at)
        elif summary is None and (at <= hx_at or end == at - 1):
            while (
                at < len(lines) and at != hx_at and kinds[at] == Kind.TEXT and _continues(lines[at])
            ):
                at += 1
            summary = (start, starts[at - 1] + len(lines[at - 1].rstrip()))
            end = max(end, at)
    hashes = lines[0].index("#") + level
    topic = lines[0].find(title, hashes) if title else hashes
    span = (topic, topic + len(title))
    return Anatomy("".join(lines[:end]), level, span, summary, tuple(pointers), hx, closed)


def _continues(line: str) -> bool:
    return bool(line.strip()) and not is_pointer_line(line)


def _comment(lines: Sequence[str], kinds: Sequence[int], at: int) -> tuple[Span, int, bool]:
    """Span of the ``hx`` comment that opens on line ``at``, the line after it, and whether it is closed.

    An unclosed one is taken to reach to the next blank line or comment, so that its fields can be read.
    """
    start = sum(map(len, lines[:at])) + lines[at].index("<!--")
    if kinds[at] == Kind.COMMENT:
        end = start + "".join(lines[at:])[lines[at].index("<!--") :].index("-->", 4) + 3
        stop = at
        reach = sum(map(len, lines[:at]))
        while reach < end:
            reach += len(lines[stop])
            stop += 1
        return (start, end), stop, True
    stop = at + 1
    while stop < len(lines) and lines[stop].strip() and "<!--" not in lines[stop]:
        stop += 1
    return (start, len("".join(lines[:stop]).rstrip())), stop, False


class Form(StrEnum):
    """The form of an entry in the file."""

    HEADING = "heading"
    BULLET = "bullet"


class Entry(Frozen):
    """One entry. ``raw`` holds every byte of it, line endings included; spans are offsets into ``raw``.

    ``closed`` is false where the ``hx`` comment never ends: such an entry is read but never edited.
    """

    raw: str
    form: Form = Form.HEADING
    level: int = 0
    topic_span: Span = (0, 0)
    summary_span: Span | None = None
    pointer_spans: tuple[Span, ...] = ()
    hx_span: Span | None = None
    closed: bool = True

    _compared = ("raw", "form")  # all else follows from these

    @cached_property
    def topic(self) -> str:
        """What the entry is about: the heading's or the bullet's text."""
        return self.raw[slice(*self.topic_span)].strip()

    @cached_property
    def summary(self) -> str:
        """The paragraph under the heading on one line; empty where there is none."""
        return " ".join(self.raw[slice(*self.summary_span)].split()) if self.summary_span else ""

    @cached_property
    def pointers(self) -> tuple[Pointer, ...]:
        """Every pointer of the entry in order."""
        return tuple(
            p for span in self.pointer_spans for p in parse_pointers(self.raw[slice(*span)])
        )

    @cached_property
    def comment(self) -> str:
        """The ``hx`` comment with its delimiters; empty for a bare bullet."""
        return self.raw[slice(*self.hx_span)] if self.hx_span else ""

    @cached_property
    def values(self) -> dict[str, str]:
        """Raw metadata values by key; of a key that stands twice, the first."""
        found: dict[str, str] = {}
        for item in metadata.items(self.comment) if self.comment else ():
            found.setdefault(item.key, item.value)
        return found

    @cached_property
    def id(self) -> str:
        """The ``id``; where it is missing, one derived from the topic."""
        raw = metadata.leading_id(self.comment) or self.values.get("id", "")
        return metadata.read_text(raw) or metadata.slug(self.topic)

    @property
    def created(self) -> date | datetime | None:
        return metadata.read_date(self.values.get("created", ""))

    @property
    def accessed(self) -> date | datetime | None:
        return metadata.read_date(self.values.get("accessed", ""))

    @property
    def queued(self) -> date | datetime | None:
        """When the entry became silent and was moved into the Decay Queue (decision D11)."""
        return metadata.read_date(self.values.get("queued", ""))

    @property
    def stale(self) -> date | datetime | None:
        """Since when what the entry points at is gone; ``None`` where all its pointers lead somewhere."""
        return metadata.read_date(self.values.get("stale", ""))

    @property
    def hits(self) -> int:
        return metadata.read_int(self.values.get("hits", "")) or 0

    @property
    def ver(self) -> int:
        return metadata.read_int(self.values.get("ver", "")) or 1

    @property
    def strength(self) -> float | None:
        """``str`` as stored, clamped to 0..1; what it is *now* is for :mod:`decay` to say."""
        return _unit(self.values.get("str", ""))

    @property
    def base(self) -> float | None:
        """Strength right after the last access (decision D8), clamped to 0..1."""
        return _unit(self.values.get("base", ""))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        return metadata.read_list(self.values.get("tags", ""))

    @cached_property
    def rel(self) -> tuple[str, ...]:
        return metadata.read_list(self.values.get("rel", ""))

    @cached_property
    def aka(self) -> tuple[str, ...]:
        """The ids of entries that were merged into this one."""
        return metadata.read_list(self.values.get("aka", ""))

    @property
    def pri(self) -> metadata.Priority:
        raw = metadata.read_text(self.values.get("pri", "")).lower()
        known = metadata.Priority._value2member_map_
        return metadata.Priority(raw) if raw in known else metadata.Priority.NORMAL

    @property
    def src(self) -> metadata.Source | None:
        """How the entry came to be; ``None`` where that is not known.

        ``auto`` is left out (D21), by a writer of every required field: what has fewer is by hand.
        """
        raw = metadata.read_text(self.values.get("src", "")).lower()
        if "src" not in self.values and all(key in self.values for key in metadata.REQUIRED):
            return metadata.Source.AUTO
        return metadata.Source(raw) if raw in metadata.Source._value2member_map_ else None

    def with_value(self, key: str, raw_value: str) -> Entry:
        """A new entry with one metadata field set; a bare bullet gets a comment at its end (D6).

        Raises :class:`IndexRefused` on an entry whose ``hx`` comment never ends.
        """
        if self.hx_span is None:
            end = len(chomp(self.raw).rstrip())
            comment = f" <!-- hx: {key}={raw_value} -->"
            return parse_entry(self.raw[:end] + comment + self.raw[end:], self.form)
        return self._splice(self.hx_span, metadata.with_value(self.comment, key, raw_value))

    def with_values(self, values: Mapping[str, str]) -> Entry:
        """A new entry with these metadata fields set; one of which the raw value is empty goes."""
        if self.hx_span is None:
            entry = self
            for key, raw in values.items():
                entry = entry.with_value(key, raw) if raw else entry
            return entry
        comment, held = self.comment, self.values
        for key, raw in values.items():
            if held.get(key, "") != raw:
                comment = (
                    metadata.with_value(comment, key, raw)
                    if raw
                    else metadata.without(comment, key)
                )
        return self if comment == self.comment else self._splice(self.hx_span, comment)

    def without(self, key: str) -> Entry:
        """A new entry without one metadata field."""
        return (
            self._splice(self.hx_span, metadata.without(self.comment, key))
            if self.hx_span
            else self
        )

    def with_topic(self, topic: str) -> Entry:
        """A new entry with another heading text."""
        text = metadata.plain_line(topic)
        start, end = self.topic_span
        lead = "" if self.raw[start - 1 : start] in (" ", "\t") else " "
        return self._splice((start, end), lead + text)

    def with_summary(self, summary: str) -> Entry:
        """A new entry with another summary paragraph."""
        text = metadata.plain_line(summary)
        if not text:
            raise IndexRefused(reason="a summary needs at least one word")
        if self.summary_span:
            return self._splice(self.summary_span, text)
        if self.form is Form.BULLET:
            return self
        at = len(split_lines(self.raw)[0])
        return self._splice((at, at), text + newline_of(self.raw))

    def without_summary(self) -> Entry:
        """A new entry without its summary paragraph; what stands further down may then be read as one."""
        if self.summary_span is None:
            return self
        start, end = self.summary_span
        ending = split_lines(self.raw[end:])[:1]  # white space of any kind, and the line break
        return self._splice((start, end + len("".join(ending))), "")

    def with_pointers(self, pointers: tuple[Pointer, ...]) -> Entry:
        """A new entry with these pointers, all on its first pointer line; further pointer lines go."""
        if not pointers:
            raise IndexRefused(reason="an entry needs at least one pointer")
        if self.form is Form.BULLET:
            return self._splice(self.pointer_spans[0], format_pointers(pointers)[2:])
        line = format_pointers(pointers)
        if not self.pointer_spans:
            lines = split_lines(self.raw)
            at = self.summary_span[1] if self.summary_span else len(chomp(lines[0]))
            return self._splice((at, at), newline_of(self.raw) + line)
        raw = self.raw
        for start, end in reversed(self.pointer_spans[1:]):
            raw = raw[:start] + raw[end:].lstrip(" \t")[len(line_ending_at(raw, end)) :]
        start, end = self.pointer_spans[0]
        return parse_entry(raw[:start] + line + raw[end:], self.form)

    def _splice(self, span: Span, text: str) -> Entry:
        if not self.closed:
            raise IndexRefused(reason=f"the hx comment of {self.topic!r} is never closed with -->")
        return parse_entry(self.raw[: span[0]] + text + self.raw[span[1] :], self.form)


def line_ending_at(raw: str, at: int) -> str:
    """The line ending that follows ``at``, white space aside."""
    found = _LINE_END.match(raw, at)
    return found.group(1) if found else ""


def _unit(raw: str) -> float | None:
    value = metadata.read_float(raw)
    return None if value is None else min(1.0, max(0.0, value))


def parse_entry(raw: str, form: Form) -> Entry:
    """The entry that ``raw`` is, all of it: one heading block, or one bullet line.

    Raises :class:`IndexRefused` where ``raw`` is something else, so that no edit can change the structure.
    """
    lines = split_lines(raw)
    if form is Form.BULLET:
        found = parse_bullet(raw) if len(lines) == 1 else None
    else:
        found = parse_block(lines, scan(lines).kinds) if lines else None
    if found is None or found.raw != raw:
        raise IndexRefused(reason=f"the text would not be one entry: {chomp(raw[:60])!r}")
    return found


def parse_bullet(line: str) -> Entry | None:
    """A minimal entry ``- topic → path`` (decision D6), or ``None`` where the line is something else."""
    found = bullet_anatomy(line)
    return None if found is None else _entry(found, Form.BULLET)


def parse_block(lines: Sequence[str], kinds: Sequence[int]) -> Entry | None:
    """The entry at the start of a heading's block, or ``None`` where the block has no ``hx`` comment."""
    return _block("".join(lines), bytes(kinds))


@lru_cache(maxsize=8192)
def _block(text: str, kinds: bytes) -> Entry | None:
    """Kept, because a cycle reads the whole index again after each of its changes to it."""
    found = block_anatomy(split_lines(text), kinds)
    return None if found is None else _entry(found, Form.HEADING)


def _entry(found: Anatomy, form: Form) -> Entry:
    return Entry(
        found.raw,
        form,
        found.level,
        found.topic,
        found.summary,
        found.pointers,
        found.hx,
        found.closed,
    )
