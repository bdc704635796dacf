"""A note as sections with line numbers: what pointers name and what search returns.

Headings are compared without markdown, case, or the invisible parts of an emoji. The YAML at the top is only
read: writing it back would sort keys and drop comments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Blocks, Heading, Kind, scan
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.markdown.safe import inline_text

_INVISIBLE = pattern("[\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u00ad]")
_MARKS = pattern(r"~~|==")
_SIGNS = pattern(r"[*`~=_\\\[\]<>&]")


def plain(title: str) -> str:
    """``title`` as it reads: links by their text, no emphasis, single blanks."""
    if not title.isascii():
        title = _INVISIBLE.sub("", title)
    if _SIGNS.search(title):
        title = _MARKS.sub("", inline_text(title))
    title = " ".join(title.split())
    return title if title.strip("*_` ") else ""  # signs alone name nothing


@lru_cache(maxsize=8192)
def fold(title: str) -> str:
    """What two titles have in common that name the same heading."""
    return plain(title).casefold()


_MAX_CHARACTERS = (
    64_000  # a note's own words about itself; a bigger block is data, and slow to parse
)


def read_front_matter(lines: Sequence[str], blocks: Blocks) -> dict[str, object]:
    """The front matter of ``lines`` by key; empty where it is broken or is not a mapping. Never raises."""
    end = next(
        (at for at, kind in enumerate(blocks.kinds) if kind != Kind.FRONT_MATTER), len(lines)
    )
    text = "".join(lines[1 : end - 1])
    if len(text) > _MAX_CHARACTERS:
        return {}
    from frontmatter.default_handlers import YAMLHandler

    try:
        found = YAMLHandler().load(text)
    except (
        Exception
    ):  # a note may say anything here: impossible dates, unhashable keys, deep nesting
        return {}
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else {}


MOST_HEADINGS = 50_000
"""Headings of one note that open a section; further ones are text of the last, so that its size stays bounded."""


class Section(NamedTuple):
    """A heading and its text. Lines are 1-based and inclusive.

    ``ordinal`` counts sections in the file from 0. The text before the first heading, if there is any, is
    a section of ``level`` 0 with an empty ``title``. ``end`` is the last non-blank line before the next
    heading of any level; ``tree_end`` the last one before the next heading of this level or above, so
    ``start..tree_end`` holds the subsections too. ``parents`` are the enclosing titles, outermost first.
    """

    ordinal: int
    level: int
    title: str
    parents: tuple[str, ...]
    start: int
    end: int
    tree_end: int
    heading_lines: int = 1


class Note(Frozen):
    """One text file: ``path`` is relative to the workspace and ``/``-separated."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The lines with their endings."""
        return split_lines(self.text)

    @cached_property
    def blocks(self) -> Blocks:
        """The kind of each line."""
        return scan(self.lines, setext=True, most=MOST_HEADINGS)

    @cached_property
    def front_matter(self) -> Mapping[str, object]:
        """The YAML front matter by key; empty where there is none, or none that can be read."""
        if not self.lines or self.blocks.kinds[0] != Kind.FRONT_MATTER:
            return {}
        return read_front_matter(self.lines, self.blocks)

    @cached_property
    def title(self) -> str | None:
        """The first heading of level 1, else the front matter's ``title``, else ``None``."""
        for heading in self.blocks.headings:
            if heading.level == 1 and heading.title:
                return heading.title
        title = self.front_matter.get("title")
        return " ".join(str(title).split()) or None if title is not None else None

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """Every section in file order; empty for a file with nothing but white space."""
        return tuple(_sections(self.lines, self.blocks))

    def text_of(self, start: int, end: int) -> str:
        """The text of 1-based inclusive lines, without the last line ending."""
        return "".join(self.lines[start - 1 : end]).rstrip("\r\n")


def _sections(lines: Sequence[str], blocks: Blocks) -> list[Section]:
    heads, total = blocks.headings, len(lines)
    first = heads[0].line if heads else total
    found: list[Section] = []
    lead = _first_text(lines, blocks, first)
    if lead < first:
        end = _last_text(lines, lead, first)
        found.append(Section(0, 0, "", (), lead + 1, end, end, 0))
    stops = [head.line for head in heads[1:]] + [total]
    parents: list[Heading] = []
    for head, stop, tree in zip(heads, stops, _tree_stops(heads, total), strict=False):
        while parents and parents[-1].level >= head.level:
            parents.pop()
        found.append(
            Section(
                ordinal=len(found),
                level=head.level,
                title=head.title,
                parents=tuple(parent.title for parent in parents),
                start=head.line + 1,
                end=_last_text(lines, head.line, stop),
                tree_end=_last_text(lines, head.line, tree),
                heading_lines=head.span,
            )
        )
        parents.append(head)
    return found


def _tree_stops(heads: Sequence[Heading], total: int) -> list[int]:
    """For each heading the 0-based line of the next one of its level or above, in one backward pass."""
    stops = [total] * len(heads)
    nearest = [total] * 7  # by level: where the next heading of that level or above stands
    for at in range(len(heads) - 1, -1, -1):
        level = heads[at].level
        stops[at] = nearest[level]
        nearest[level:] = [heads[at].line] * (7 - level)
    return stops


def _first_text(lines: Sequence[str], blocks: Blocks, stop: int) -> int:
    """The first 0-based line before ``stop`` that says something (front matter does not)."""
    at = 0
    while at < stop and (
        blocks.kinds[at] == Kind.FRONT_MATTER or not lines[at].strip("\ufeff \t\r\n")
    ):
        at += 1
    return at


def _last_text(lines: Sequence[str], start: int, stop: int) -> int:
    """The 1-based last non-blank line of ``lines[start:stop]``; at least ``start + 1``."""
    while stop > start + 1 and not lines[stop - 1].strip():
        stop -= 1
    return stop
