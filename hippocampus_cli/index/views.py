"""The generated lists of an index: functions of the document and the moment (decision D4, INDEX §5.3).

Each list stays within its share of ``Limits.tokens``; what does not fit is counted at its end.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.fast_types import Frozen, pattern
from hippocampus_cli.index.decay import Band, Curve, DecayClock, band, hours_until
from hippocampus_cli.index.document import Document, Heading, Located, Node, Text
from hippocampus_cli.index.edit import set_view
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.metadata import RISING_PRIORITIES
from hippocampus_cli.markdown.tokens import tokens

QUICK_ACCESS = "quick-access"
BY_TIME = "by-time"
ASSOCIATIONS = "associations"
DECAY_QUEUE = "decay-queue"
META = "meta"
SECTIONS = {
    QUICK_ACCESS: "Quick Access",
    BY_TIME: "By Time",
    ASSOCIATIONS: "Associations",
    DECAY_QUEUE: "Decay Queue",
    META: "Meta",
}
"""The section of each view, in the order of INDEX §5.3."""
_ROW_CHARACTERS = 150
_COUNTING = 8  # tokens of the row that counts what is not listed


_TOKENS_OF_AN_ENTRY = 12
"""Tokens that the views may take for each entry: of a few entries there is little to list."""
_LEAST_TOKENS = 60  # of one view


class Limits(Frozen):
    """How much the views may hold: rows of a list, and ``tokens`` for all of them together."""

    quick_access: int = 20
    rows: int = 15
    tokens: int = 1500
    bands: Bands = Bands()


class Standing(Frozen):
    """The entries of a document with their strength at one moment."""

    document: Document
    clock: DecayClock
    beyond: int = 0

    @cached_property
    def ranked(self) -> list[tuple[Located, float]]:
        """Every entry with its strength now, in file order."""
        return [(one, self.clock.strength(one.entry)) for one in self.document.entries]

    @cached_property
    def topics(self) -> dict[str, str]:
        """The topic of each entry by its id."""
        return {one.entry.id: one.entry.topic for one in reversed(self.document.entries)}


def view_lines(name: str, document: Document, clock: DecayClock, limits: Limits) -> list[str]:
    """The lines of one view, markers aside. Raises ``KeyError`` for a name that is not in ``SECTIONS``."""
    return _MAKERS[name](standing_of(document, clock), limits)


def standing_of(document: Document, clock: DecayClock, beyond: int = 0) -> Standing:
    """The entries' standing, with the relations that exist in this document and where the clock knows of more."""
    return Standing(document, clock._replace(ids=document.ids | clock.ids), beyond)


def refreshed(
    document: Document,
    clock: DecayClock,
    limits: Limits,
    names: Iterable[str] | None = None,
    *,
    beyond: int = 0,
) -> Document:
    """The document with these views brought up to date and made where missing; else those that it has.

    ``beyond`` is how many entries are in topic files.
    """
    known = [name for name in document.views if name in SECTIONS] if names is None else names
    standing = standing_of(document, clock, beyond)
    for name in known:
        document = set_view(document, (SECTIONS[name],), name, _MAKERS[name](standing, limits))
    return document


def empty_sections(document: Document) -> list[str]:
    """The views whose section is there and holds nothing but comments: an index of the specification's own shape
    (INDEX §5.3) waits for them. The queue may hold entries; alone, upkeep itself made it in an index without lists.
    """
    found = []
    for name, title in SECTIONS.items():
        nodes = _nodes_of(document, title)
        own = [one for one in nodes if not (name == DECAY_QUEUE and isinstance(one, Entry))]
        kept = [one for one in own if not (name == BY_TIME and _is_period(one))]
        if nodes is not _NONE and not any(map(_says_something, kept)):
            found.append(name)
    return [] if found == [DECAY_QUEUE] else found


def without_periods(document: Document) -> Document:
    """The document without the empty headings of By Time, which its view writes itself."""
    nodes = _nodes_of(document, SECTIONS[BY_TIME])
    gone = {
        id(one)
        for before, one in zip((None, *nodes), nodes, strict=False)
        if _is_period(one) or (before and _is_period(before) and not one.raw.strip())
    }
    return document.replaced(nodes=tuple(one for one in document.nodes if id(one) not in gone))


_PERIODS = ("This Week", "This Month", "Older")
_COMMENT = pattern(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)
_NONE: Sequence[Node] = ()


def _nodes_of(document: Document, title: str) -> Sequence[Node]:
    """What stands in the section, its subsections included; ``_NONE`` where there is no such section."""
    wanted = (title.casefold(),)
    for at, path in document.sections.items():
        if tuple(one.casefold() for one in path) == wanted:
            rest = document.nodes[at + 1 :]
            ends = (n for n, one in enumerate(rest) if isinstance(one, Heading) and one.level < 3)
            return list(rest[: next(ends, len(rest))])
    return _NONE


def _is_period(node: Node) -> bool:
    return isinstance(node, Heading) and node.title in _PERIODS


def _says_something(node: Node) -> bool:
    return not isinstance(node, Text) or bool(_COMMENT.sub("", node.raw).strip())


def _quick_access(standing: Standing, limits: Limits) -> list[str]:
    """The most used entries, then those of the higher priority, of the stronger band, then those that most others
    relate to (INDEX §8.2)."""
    bands, ranks = limits.bands, list(Band)
    awake = [pair for pair in standing.ranked if pair[1] >= bands.silent]
    named = Counter(other for one, _ in awake for other in one.entry.rel)
    awake.sort(
        key=lambda pair: (
            -pair[0].entry.hits,
            -RISING_PRIORITIES.index(pair[0].entry.pri),
            ranks.index(band(pair[1], bands)),
            -named[pair[0].entry.id],
            pair[0].node,
        )
    )
    rows = [_where(one.entry) for one, _ in awake[: limits.quick_access]]
    return _within(rows, _room(standing, limits, 35), counted=False)


def _by_time(standing: Standing, limits: Limits) -> list[str]:
    """One bullet a day, newest first, under This Week (since Monday), This Month and Older."""
    today = standing.clock.now.date()
    week, month = today - timedelta(days=today.weekday()), today.replace(day=1)
    parts: dict[str, dict[date, list[str]]] = {"This Week": {}, "This Month": {}, "Older": {}}
    dated = [(_day(one.entry.created), one) for one, _ in standing.ranked]
    for day, one in sorted(dated, key=lambda pair: pair[0] or date.min, reverse=True):
        if day is not None:
            part = "This Week" if day >= week else "This Month" if day >= month else "Older"
            parts[part].setdefault(day, []).append(_without_day(one.entry.topic, day))
    lines: list[str] = []
    room = _room(standing, limits, 10)
    for title, days in parts.items():
        if days:
            lines += ["", f"### {title}", ""] if lines else [f"### {title}", ""]
            rows = [_row(f"- {day}: ", topics) for day, topics in days.items()]
            lines += _within(rows, room, most=limits.rows, what="day")
    return lines


def _associations(standing: Standing, limits: Limits) -> list[str]:
    """Which entries relate to which, the best connected first."""
    topics = standing.topics
    linked = [
        (one.entry, found)
        for one, _ in standing.ranked
        if (found := [topics[other] for other in one.entry.rel if other in topics])
    ]
    linked.sort(key=lambda pair: -len(pair[1]))
    rows = [_row(f"- {entry.topic} ↔ ", found) for entry, found in linked]
    return _within(rows, _room(standing, limits, 20), most=limits.rows)


def _decay_queue(standing: Standing, limits: Limits) -> list[str]:
    """Candidates for the queue: entries below ``weak`` that are not silent, the first to be so first (D11).

    The day is what the list stays the same with while time goes on (D21). What never falls silent is no candidate.
    """
    bands = limits.bands
    fading = [
        (day, one.node, one.entry.topic)
        for one, strength in standing.ranked
        if band(strength, bands) is Band.DECAYING
        if (day := _silent_on(standing.clock.curve(one.entry), bands.silent)) is not None
    ]
    rows = [f"- silent on {day} · {topic}" for day, _, topic in sorted(fading)]
    return _within(rows, _room(standing, limits, 9), most=limits.rows)


def _meta(standing: Standing, limits: Limits) -> list[str]:
    """Counts, and how strength is spread over the bands."""
    notes = {p.path for one, _ in standing.ranked for p in one.entry.pointers}
    bands = [band(strength, limits.bands) for _, strength in standing.ranked]
    spread = ", ".join(f"{bands.count(one)} {one}" for one in Band if one in bands)
    further = f", {standing.beyond:,} more in .hippocampus/topics" if standing.beyond else ""
    return [
        f"- {_count(len(bands), 'entry', 'entries')} for {_count(len(notes), 'note', 'notes')}{further}",
        f"- Strength: {spread or 'nothing yet'}",
    ]


_MAKERS: dict[str, Callable[[Standing, Limits], list[str]]] = {
    QUICK_ACCESS: _quick_access,
    BY_TIME: _by_time,
    ASSOCIATIONS: _associations,
    DECAY_QUEUE: _decay_queue,
    META: _meta,
}


def _where(entry: Entry) -> str:
    used = f" ({_count(entry.hits, 'hit', 'hits')})" if entry.hits else ""
    target = f" → {entry.pointers[0]}" if entry.pointers else ""
    return f"- {entry.topic}{target}{used}"


def _silent_on(curve: Curve, bound: float) -> date | None:
    """The day from which on a strength is below ``bound``; ``None`` where it never is, or after all days."""
    last = _day(curve.last)
    if last is None or not curve.factor * curve.rates.forgetting * curve.rates.rate:
        return None
    try:
        hours = hours_until(bound / curve.base, curve.rates, curve.factor) - curve.head_start
        return last + timedelta(days=math.ceil(hours / 24))
    except OverflowError:
        return None


def _row(lead: str, items: Sequence[str]) -> str:
    """``lead`` and as many items as fit on one line, the others counted."""
    text = lead + items[0]
    for at, item in enumerate(items[1:], 1):
        if len(text) + len(item) + 2 > _ROW_CHARACTERS:
            return f"{text} … +{len(items) - at}"
        text += f"; {item}"
    return text


def _room(standing: Standing, limits: Limits, percent: int) -> int:
    """The tokens of one view, which has so many hundredths of what all have."""
    share = min(limits.tokens, len(standing.ranked) * _TOKENS_OF_AN_ENTRY) * percent // 100
    return min(limits.tokens * percent // 100, max(_LEAST_TOKENS, share))


def _within(
    rows: Sequence[str], room: int, *, most: int | None = None, counted: bool = True, what: str = ""
) -> list[str]:
    """The first rows that fit ``room`` tokens, and one that counts the others."""
    kept: list[str] = []
    used = _COUNTING
    for row in rows[:most]:
        used += tokens(f"{row}\n")
        if used > room:
            break
        kept.append(row)
    left = len(rows) - len(kept)
    if left and counted:
        kept.append(f"- … and {left} more {what}{'s' if what and left > 1 else ''}".rstrip())
    return kept


def _without_day(topic: str, day: date) -> str:
    return topic.removesuffix(f" ({day})").removeprefix(f"{day}: ")


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _day(moment: date | datetime | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment
