"""A new ``HIPPOCAMPUS.md``, drawn up in one go (INDEX §5.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hippocampus_cli.drafting.shelves import BY_TOPIC
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import views
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.views import Limits

_INTRODUCTION = """\
# HIPPOCAMPUS.md — Memory Index

Where this workspace's memories are: each entry leads to the file and the section that hold one. The lists
between `hippo:begin` and `hippo:end` are generated; everything else is yours to edit.
"""


def first_index(
    shelves: Mapping[str, Sequence[str]], clock: DecayClock, limits: Limits
) -> Document:
    """The index of these entry blocks, by section, with its header and its views.

    Raises :class:`IndexRefused` where an entry's text would not read back as one entry.
    """
    count = sum(map(len, shelves.values()))
    moment = clock.now.isoformat("T", "seconds")
    header = f"<!-- hippocampus.md v1.0 | entries: {count} | reindexed: {moment} -->\n"
    bare = parse(header + "\n".join(_parts(shelves, {})))
    if len(bare.entries) != count:
        raise IndexRefused(reason="an entry would not read back as it was meant")
    generated = {name: views.view_lines(name, bare, clock, limits) for name in views.SECTIONS}
    return parse(header + "\n".join(_parts(shelves, generated)))


def _parts(shelves: Mapping[str, Sequence[str]], generated: Mapping[str, list[str]]) -> list[str]:
    def section(name: str) -> str:
        lines = generated.get(name, [])
        body = "\n".join([f"<!-- hippo:begin {name} -->", *lines, f"<!-- hippo:end {name} -->"])
        return f"## {views.SECTIONS[name]}\n{body}\n"

    parts = [_INTRODUCTION, section(views.QUICK_ACCESS), f"## {BY_TOPIC}\n"]
    for shelf, blocks in shelves.items():
        parts.append(f"### {shelf}\n")
        parts.extend(f"{block}\n" for block in blocks)
    after = (views.BY_TIME, views.ASSOCIATIONS, views.DECAY_QUEUE, views.META)
    return parts + [section(name) for name in after]
