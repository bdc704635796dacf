"""The generated lists of an index: functions of the document and the moment (decision D4, INDEX §5.3).

Each list stays within its share of ``Limits.tokens``; what does not fit is counted at its end.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from itertools import accumulate

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.document import Document, Heading, Located, Node, Text
from hippocampus_cli.index.edit import section_node, section_span, set_view
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.metadata import RISING_PRIORITIES, day_of
from hippocampus_cli.markdown.lines import chomp, split_lines
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
_PERIODS = ("This Week", "This Month", "Older")
_ROW_CHARACTERS = 150
_COUNTING = 8  # tokens of the row that counts what is not listed


_TOKENS_OF_AN_ENTRY = 12
"""Tokens that the views may take for each entry: a few entries need short lists."""
_LEAST_TOKENS = 60  # of one view


class Limits(Frozen):
    """How much the views may hold: rows of a list, and ``tokens`` for all of them together."""

    quick_access: int = 20
    rows: int = 15
    tokens: int = 1500
    bands: Bands = Bands()


class _Standing(NamedTuple):
    """The entries of a document, each with its strength at one moment, those ``beyond`` it in topic files, and what a
    list is made with."""

    ranked: list[tuple[Located, float]]
    clock: DecayClock
    limits: Limits
    beyond: Sequence[Located]

    def room(self, percent: int) -> int:
        """The tokens of one view: its percentage of the budget of all views."""
        share = min(self.limits.tokens, len(self.ranked) * _TOKENS_OF_AN_ENTRY)
        least = min(_LEAST_TOKENS, self.limits.tokens * percent // 100)
        return max(least, share * percent // 100)


def refreshed(
    document: Document,
    clock: DecayClock,
    limits: Limits,
    names: Iterable[str] | None = None,
    *,
    beyond: Sequence[Located] = (),
) -> Document:
    """The document with these views brought up to date and created where missing; by default those that it has.

    ``beyond`` are the entries in topic files.
    """
    wanted = list(document.views.keys() & SECTIONS.keys() if names is None else names)
    if not wanted:
        return document
    clock = clock._replace(ids=document.ids | clock.ids)
    ranked = [(located, clock.strength(located.entry)) for located in document.entries]
    standing = _Standing(ranked, clock, limits, beyond)
    for name in sorted(wanted, key=list(SECTIONS).index):
        document = set_view(document, (SECTIONS[name],), name, _MAKERS[name](standing))
    return document


def empty_sections(document: Document) -> list[str]:
    """The views whose section is there and holds nothing but comments: an index of the specification's own shape
    (INDEX §5.3) waits for them. The queue may hold entries; alone, upkeep itself made it in an index without lists.
    """
    waiting = []
    for name, title in SECTIONS.items():
        held = any(
            _says_something(node) and not (name == DECAY_QUEUE and isinstance(node, Entry))
            for node in _nodes_of(document, title)
        )
        if not held and section_node(document, (title,)) is not None:
            waiting.append(name)
    return [] if waiting == [DECAY_QUEUE] else waiting


def without_periods(document: Document) -> Document:
    """The document without the empty headings of By Time, which its view writes itself."""
    nodes = _nodes_of(document, SECTIONS[BY_TIME])
    gone = {
        id(node)
        for before, node in zip((None, *nodes), nodes, strict=False)
        if _is_period(node) or (before and _is_period(before) and not node.raw.strip())
    }
    return document.replaced(nodes=tuple(node for node in document.nodes if id(node) not in gone))


_COMMENT = pattern(r"<!--(?:(?!-->|<!--).)*+-->", re.DOTALL)


def _nodes_of(document: Document, title: str) -> Sequence[Node]:
    """What stands in the section, its subsections included."""
    span = section_span(document, (title,))
    return document.nodes[span.start : span.stop]


def _is_period(node: Node) -> bool:
    return isinstance(node, Heading) and node.title in _PERIODS


def _says_something(node: Node) -> bool:
    if isinstance(node, Text):
        return bool(_COMMENT.sub("", node.raw).strip())
    return not _is_period(node)


def _quick_access(standing: _Standing) -> list[str]:
    """The most used entries of the whole index, those of the higher priority first (INDEX §8.2, decision D30)."""
    silent, clock = standing.limits.bands.silent, standing.clock
    beyond = ((located, clock.strength(located.entry)) for located in standing.beyond)
    used = [
        located.entry
        for located, strength in (*standing.ranked, *beyond)
        if located.entry.hits and strength >= silent
    ]
    used.sort(key=lambda entry: (-entry.hits, -RISING_PRIORITIES.index(entry.pri)))
    rows = map(_target_row, used[: standing.limits.quick_access])
    return _fitting([*rows], standing.room(35))


def is_true(document: Document, beyond: Sequence[Located]) -> bool:
    """Whether every row of Quick Access is one of an entry as it is now."""
    rows = {_target_row(located.entry) for located in (*document.entries, *beyond)}
    view = document.views.get(QUICK_ACCESS)
    return view is None or rows.issuperset(map(chomp, split_lines(view.raw)[1:-1]))


def _by_time(standing: _Standing) -> list[str]:
    """One bullet a day, newest first, under This Week (since Monday), This Month and Older."""
    today = standing.clock.now.date()
    begins = (today - timedelta(days=today.weekday()), today.replace(day=1), date.min)
    days: dict[date, list[str]] = defaultdict(list)
    for located, _ in standing.ranked:
        if day := day_of(located.entry.created):
            topic = located.entry.topic.removesuffix(f" ({day})").removeprefix(f"{day}: ")
            days[day].append(topic)
    lines: list[str] = []
    for title, begin in zip(_PERIODS, begins, strict=True):
        within = sorted((day for day in days if day >= begin), reverse=True)
        rows = [_row(f"- {day}: ", days.pop(day)) for day in within]
        if rows:
            lines += ["", f"### {title}", ""] if lines else [f"### {title}", ""]
            lines += _shortened(rows, standing, 10, what="day")
    return lines


def _associations(standing: _Standing) -> list[str]:
    """Which entries relate to which, the best connected first."""
    topics = {located.entry.id: located.entry.topic for located, _ in reversed(standing.ranked)}
    linked = [
        (located.entry.topic, [topics[other] for other in located.entry.rel if other in topics])
        for located, _ in standing.ranked
    ]
    linked.sort(key=lambda pair: -len(pair[1]))
    rows = [_row(f"- {topic} ↔ ", others) for topic, others in linked if others]
    return _shortened(rows, standing, 20)


def _decay_queue(standing: _Standing) -> list[str]:
    """Candidates for the queue: entries below ``weak`` that are not silent, the first to be so first (D11).

    Rows show a day, so that the list does not change with time alone (D21). What never falls silent is not listed.
    """
    bands = standing.limits.bands
    fading = [
        (day, located.node, located.entry.topic)
        for located, strength in standing.ranked
        if band(strength, bands) is Band.DECAYING
        if (day := standing.clock.curve(located.entry).day_below(bands.silent))
    ]
    rows = [f"- silent on {day} · {topic}" for day, _, topic in sorted(fading)]
    return _shortened(rows, standing, 9)


def _meta(standing: _Standing) -> list[str]:
    """Counts, and how strength is spread over the bands."""
    notes = {p.path for located, _ in standing.ranked for p in located.entry.pointers}
    counts = Counter(band(strength, standing.limits.bands) for _, strength in standing.ranked)
    spread = ", ".join(f"{counts[name]} {name}" for name in Band if counts[name])
    beyond = standing.beyond
    further = f", {len(beyond):,} more in .hippocampus/topics" if beyond else ""
    entries = _count(len(standing.ranked), "entry", "entries")
    return [
        f"- {entries} for {_count(len(notes), 'note', 'notes')}{further}",
        f"- Strength: {spread or 'nothing yet'}",
    ]


_MAKERS: dict[str, Callable[[_Standing], list[str]]] = {
    QUICK_ACCESS: _quick_access,
    BY_TIME: _by_time,
    ASSOCIATIONS: _associations,
    DECAY_QUEUE: _decay_queue,
    META: _meta,
}


def _target_row(entry: Entry) -> str:
    target = f" → {entry.pointers[0]}" if entry.pointers else ""
    return f"- {entry.topic}{target}"  # without its hits: a use would change this line, too (D21)


def _row(lead: str, items: Sequence[str]) -> str:
    """``lead`` and as many items as fit on one line, the others counted."""
    text = lead + items[0]
    for number, item in enumerate(items[1:], 1):
        if len(text) + len(item) + 2 > _ROW_CHARACTERS:
            return f"{text} … +{len(items) - number}"
        text += f"; {item}"
    return text


def _fitting(rows: Sequence[str], room: int) -> list[str]:
    """The first rows that fit ``room`` tokens."""
    used = accumulate((tokens(f"{row}\n") for row in rows), initial=_COUNTING)
    next(used)
    return [row for row, total in zip(rows, used, strict=True) if total <= room]


def _shortened(rows: Sequence[str], standing: _Standing, percent: int, what: str = "") -> list[str]:
    """The first rows that fit, and one that counts the others."""
    kept = _fitting(rows[: standing.limits.rows], standing.room(percent))
    left = len(rows) - len(kept)
    if left:
        kept.append(f"- … and {left} more {what}{'s' if what and left > 1 else ''}".rstrip())
    return kept


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
