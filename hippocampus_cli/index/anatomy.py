"""Where in an entry's text its parts stand: topic, summary, pointers, the ``hx`` comment (INDEX §5.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from hippocampus_cli.index.pointers import is_pointer_line, looks_like_path
from hippocampus_cli.light import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind, heading_of, is_hx
from hippocampus_cli.markdown.lines import chomp

_BULLET = pattern(
    r"(?P<lead> {0,3}[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)(?P<topic>.*?\S)[ \t]*(?P<arrow>→|->)"
)
_INLINE_HX = pattern(r"[ \t]*(<!--[ \t]*hx:.*?-->)")
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
