"""An entry: its own bytes, and where in them its parts are (INDEX §5.1, decisions D2, D6).

Two forms: a heading with a block that holds an ``hx`` comment, and a bullet ``- topic → path`` with or without
one at its end. An edit makes a new entry from new text; everything that the edit does not name keeps its bytes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import accumulate

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.fast_types import Frozen, pattern
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
_INLINE_HX = pattern(r"(?:(?<![ \t])[ \t]+)?(<!--[ \t]*+hx:(?:(?!-->|<!--[ \t]*hx:).)*+-->)")
_EMPTY = "<!-- hx: -->"
Span = tuple[int, int]


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

    _compared = ("raw", "form")  # everything else is derived from these

    @property
    def is_editable(self) -> bool:
        """Whether it has metadata that may be changed."""
        return self.closed and self.hx_span is not None

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
        """Raw metadata values by key; of a key that occurs twice, the first."""
        values: dict[str, str] = {}
        for item in metadata.items(self.comment):
            values.setdefault(item.key, item.value)
        return values

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
        """The day since when the target is gone; ``None`` where every pointer leads somewhere."""
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
        return metadata.read_unit(self.values.get("str", ""))

    @property
    def base(self) -> float | None:
        """Strength right after the last access (decision D8), clamped to 0..1."""
        return metadata.read_unit(self.values.get("base", ""))

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

    @cached_property
    def also(self) -> tuple[str, ...]:
        """Other phrases that what it points at is asked by."""
        phrases = metadata.read_text(self.values.get("also", "")).split(";")
        return tuple(filter(None, map(str.strip, phrases)))

    @property
    def pri(self) -> metadata.Priority:
        raw = metadata.read_text(self.values.get("pri", "")).lower()
        known = metadata.Priority._value2member_map_
        return metadata.Priority(raw) if raw in known else metadata.Priority.NORMAL

    @property
    def src(self) -> metadata.Source | None:
        """How the entry was made; ``None`` if unknown.

        ``auto`` is left out (D21), by a writer of every field that has no default: what has fewer is by hand.
        """
        raw = metadata.read_text(self.values.get("src", "")).lower()
        if "src" not in self.values and all(key in self.values for key in metadata.REQUIRED):
            return metadata.Source.AUTO
        return metadata.Source(raw) if raw in metadata.Source._value2member_map_ else None

    def with_value(self, key: str, raw_value: str) -> Entry:
        """As :meth:`with_values`, for one field."""
        return self.with_values({key: raw_value})

    def with_values(self, values: Mapping[str, str]) -> Entry:
        """A new entry with these metadata fields set; a field whose raw value is empty is removed.

        A bare bullet gets a comment at its end (D6), and loses it to the byte with its last field.
        Raises :class:`IndexRefused` on an entry whose ``hx``
        comment never ends.
        """
        changed = {key: raw for key, raw in values.items() if self.values.get(key, "") != raw}
        if not changed:
            return self
        end = len(chomp(self.raw).rstrip())
        start, end = self.hx_span or (end, end)
        comment = self.comment or f" {_EMPTY}"
        for key, raw in changed.items():
            comment = metadata.with_value(comment, key, raw)
        if comment == _EMPTY and self.form is Form.BULLET:
            start, comment = len(self.raw[:start].removesuffix(" ")), ""
        return self._splice((start, end), comment)

    def with_topic(self, topic: str) -> Entry:
        """A new entry with another heading text."""
        text = metadata.plain_line(topic)
        start, end = self.topic_span
        lead = "" if self.raw[start - 1 : start] in (" ", "\t") else " "
        return self._splice((start, end), lead + text)

    def with_summary(self, summary: str) -> Entry:
        """A new entry with another summary paragraph, or with none where that is empty.

        A paragraph further down may then be read as the summary.
        """
        text = metadata.plain_line(summary)
        if self.form is Form.BULLET:
            return self
        if not text and self.summary_span:
            start, end = self.summary_span
            return self._splice((start, len(self.raw) - len(_after_line(self.raw, end))), "")
        if self.summary_span:
            return self._splice(self.summary_span, text)
        end = len(split_lines(self.raw)[0])
        return self._splice((end, end), text + newline_of(self.raw)) if text else self

    def with_pointers(self, pointers: tuple[Pointer, ...]) -> Entry:
        """A new entry with these pointers, all on its first pointer line; further pointer lines go."""
        if not pointers:
            raise IndexRefused(reason="an entry needs at least one pointer")
        if self.form is Form.BULLET:
            return self._splice(self.pointer_spans[0], format_pointers(pointers)[2:])
        line = format_pointers(pointers)
        if not self.pointer_spans:
            lines = split_lines(self.raw)
            place = self.summary_span[1] if self.summary_span else len(chomp(lines[0]))
            return self._splice((place, place), newline_of(self.raw) + line)
        raw = self.raw
        for start, end in reversed(self.pointer_spans[1:]):
            raw = raw[:start] + _after_line(raw, end)
        start, end = self.pointer_spans[0]
        return parse_entry(raw[:start] + line + raw[end:], self.form)

    def _splice(self, span: Span, text: str) -> Entry:
        if not self.closed:
            raise IndexRefused(reason=f"the hx comment of {self.topic!r} is never closed with -->")
        return parse_entry(self.raw[: span[0]] + text + self.raw[span[1] :], self.form)


def _after_line(raw: str, place: int) -> str:
    """The text after the line that goes on at ``place``."""
    return "".join(split_lines(raw[place:])[1:])


def parse_entry(raw: str, form: Form) -> Entry:
    """The entry that all of ``raw`` is: one heading block, or one bullet line.

    Raises :class:`IndexRefused` where ``raw`` is something else, so that no edit can change the structure.
    """
    lines = split_lines(raw)
    entry = None
    if form is Form.HEADING and lines:
        entry = parse_block(raw, bytes(scan(lines).kinds))
    elif len(lines) == 1:
        entry = parse_bullet(raw)
    if entry is None or entry.raw != raw:
        raise IndexRefused(reason=f"the text would not be one entry: {chomp(raw[:60])!r}")
    return entry


def parse_bullet(line: str) -> Entry | None:
    """A minimal entry ``- topic → path`` (decision D6), or ``None`` where the line is something else."""
    bullet = _BULLET.match(line) if "→" in line or "->" in line else None
    if bullet is None:
        return None
    hx = _INLINE_HX.search(line, bullet.end())
    end = hx.start() if hx else len(chomp(line).rstrip())
    start = end - len(line[bullet.end() : end].lstrip(" \t"))
    if not looks_like_path(line[start:end]):
        return None
    return Entry(
        raw=line,
        form=Form.BULLET,
        topic_span=bullet.span("topic"),
        pointer_spans=((start, end),),
        hx_span=hx.span(1) if hx else None,
    )


@lru_cache(maxsize=8192)  # a cycle reads the whole index again after each of its changes
def parse_block(text: str, kinds: bytes) -> Entry | None:
    """The entry at the start of a heading's block, or ``None`` where the block has no ``hx`` comment.

    The first line is the heading, ``kinds`` are the lines' :class:`Kind`. The entry ends after the last of its
    parts; what follows in the block is the writer's own text and stays where it is when the entry moves.
    """
    lines = split_lines(text)
    hx_at = next((n for n, line in enumerate(lines) if kinds[n] != Kind.CODE and is_hx(line)), None)
    level, title = heading_of(lines[0]) or (0, "")
    if hx_at is None or not level:
        return None
    starts = [0, *accumulate(map(len, lines))]
    hx, hx_end, closed = _comment(text, lines, starts, kinds, hx_at)
    summary: Span | None = None
    pointers: list[Span] = []
    end, goes_on = hx_end, False  # whether the line before is of the summary
    for number, line in enumerate(lines[1:], 1):
        is_text = kinds[number] == Kind.TEXT and not hx_at <= number < hx_end and line.strip()
        span = (starts[number], starts[number] + len(line.rstrip()))
        is_pointer = is_text and is_pointer_line(line)
        if is_pointer:
            pointers.append(span)
        goes_on = (
            bool(is_text)
            and not is_pointer
            and (goes_on or (summary is None and (number < hx_at or end == number)))
        )
        if goes_on:
            summary = (summary or span)[0], span[1]
        if is_pointer or goes_on:
            end = max(end, number + 1)
    hashes = lines[0].index("#") + level
    topic = lines[0].find(title, hashes) if title else hashes
    return Entry(
        raw=text[: starts[end]],  # the same text where that is all of it
        level=level,
        topic_span=(topic, topic + len(title)),
        summary_span=summary,
        pointer_spans=tuple(pointers),
        hx_span=hx,
        closed=closed,
    )


def _comment(
    text: str, lines: Sequence[str], starts: Sequence[int], kinds: Sequence[int], number: int
) -> tuple[Span, int, bool]:
    """Span of the ``hx`` comment that opens on line ``number``, the line after it, and whether it is closed.

    An unclosed one is taken to reach to the next blank line or comment, so that its fields can be read.
    """
    start = text.index("<!--", starts[number])
    if kinds[number] == Kind.COMMENT:
        end = text.index("-->", start + 4) + 3
        return (start, end), bisect_left(starts, end), True
    stop = number + 1
    while stop < len(lines) and lines[stop].strip() and "<!--" not in lines[stop]:
        stop += 1
    return (start, len(text[: starts[stop]].rstrip())), stop, False
