"""Three sequences merged: a base and the two that were made from it (the diff3 algorithm). Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Generic, NamedTuple, TypeVar

from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.lines import line_ending, newline_of, split_lines

_Item = TypeVar("_Item", bound=Hashable)


class Region(NamedTuple, Generic[_Item]):
    """A stretch of all three. It is a conflict where the two differ from the base, and from each other."""

    base: Sequence[_Item]
    ours: Sequence[_Item]
    theirs: Sequence[_Item]

    @property
    def settled(self) -> Sequence[_Item] | None:
        """What the stretch becomes; ``None`` where it is a conflict."""
        if self.ours == self.theirs or self.theirs == self.base:
            return self.ours
        return self.theirs if self.ours == self.base else None


class Labels(NamedTuple):
    """How a conflict is marked: the length of the marks, and what the sides are called."""

    size: int = 7
    ours: str = "ours"
    theirs: str = "theirs"


def regions(
    base: Sequence[_Item], ours: Sequence[_Item], theirs: Sequence[_Item]
) -> Iterator[Region[_Item]]:
    """The stretches in order: each item that all three have, and what stands between two of those."""
    mine, other = _pairs(base, ours), _pairs(base, theirs)
    ends = len(base), len(ours), len(theirs)
    shared = [(place, mine[place], other[place]) for place in sorted(mine.keys() & other.keys())]
    start = (0, 0, 0)
    for places in (*shared, ends):
        if places != start:
            sides = zip((base, ours, theirs), start, places, strict=True)
            yield Region(*(side[begin:end] for side, begin, end in sides))
        if same := base[places[0] : places[0] + 1]:
            yield Region(same, same, same)
        start = (places[0] + 1, places[1] + 1, places[2] + 1)


def merge_lines(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], labels: Labels
) -> tuple[list[str], int]:
    """Lines merged as git does, conflicts marked, and their number. Each line has its own ending."""
    lines: list[str] = []
    conflicts = 0
    for region in regions(base, ours, theirs):
        settled = region.settled
        conflicts += settled is None
        lines += marked(region, labels) if settled is None else settled
    return lines, conflicts


def merge_log(base: str, ours: str, theirs: str, labels: Labels) -> tuple[str, int]:
    """As :func:`merge_lines`, for a text to which sections are added: what both added at one place stays.

    An empty base is none: what both have is taken for it.
    """
    nl = newline_of(base or ours)
    sides = [_sections("".join(_ended(split_lines(text), nl))) for text in (base, ours, theirs)]
    if not base:
        sides[0] = common(sides[1], sides[2])
    parts: list[str] = []
    count = 0
    for region in regions(*sides):
        settled = region.settled
        if settled is None and not region.base:
            settled = _one_after_the_other(region.ours, region.theirs)
        if settled is None:
            was, mine, other = (split_lines("".join(side)) for side in region)
            settled, conflicts = merge_lines(was, mine, other, labels)
            count += conflicts
        parts += settled
    return "".join(parts), count


def _sections(text: str) -> list[str]:
    """A text cut before its headings of the first two levels, and before the blank lines above them."""
    lines = split_lines(text)
    cuts = [0]
    for heading in scan(lines).headings:
        cut = heading.line
        while cut > cuts[-1] and not lines[cut - 1].strip():
            cut -= 1
        if heading.level <= 2 and cut > cuts[-1]:
            cuts.append(cut)
    pairs = zip(cuts, [*cuts[1:], len(lines)], strict=True)
    return ["".join(lines[start:end]) for start, end in pairs if end > start]


def common(ours: Sequence[_Item], theirs: Sequence[_Item]) -> list[_Item]:
    """What both have, in their order: the base of two sequences that have none."""
    return [ours[place] for place in _pairs(ours, theirs)]


def marked(region: Region[str], labels: Labels) -> list[str]:
    """The lines of a conflict between marks, each side whole."""
    nl = newline_of("".join((*region.ours, *region.theirs)))
    size = labels.size
    return [
        f"{'<' * size} {labels.ours}{nl}",
        *_ended(region.ours, nl),
        f"{'=' * size}{nl}",
        *_ended(region.theirs, nl),
        f"{'>' * size} {labels.theirs}{nl}",
    ]


def _one_after_the_other(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The sections of both, one that both have once; by their headings, where each side has them in order.

    So two clones that merge each other get the same text.
    """
    new = [section for section in theirs if section not in ours]
    both = [*ours, *new]
    if all(list(side) == sorted(side, key=str.strip) for side in (ours, new)):
        both.sort(key=str.strip)
    return both


def _ended(lines: Sequence[str], nl: str) -> list[str]:
    """The lines, the last one with an ending."""
    if not lines or line_ending(lines[-1]):
        return list(lines)
    return [*lines[:-1], lines[-1] + nl]


def _pairs(base: Sequence[_Item], other: Sequence[_Item]) -> dict[int, int]:
    """Which item of the base is which of the other one, by their places."""
    blocks = SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()
    return {start + n: there + n for start, there, size in blocks for n in range(size)}
