"""A note as sections with line numbers: what pointers name and what search returns.

Headings are compared without markdown, case, or the invisible parts of an emoji. The YAML at the top is only
read: writing it back would sort keys and drop comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern
from hippocampus_cli.markdown.blocks import BlockHeading, Blocks, Kind, scan
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.markdown.safe import inline_text

_INVISIBLE = pattern("[\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff\u00ad]")
_MARKS = pattern(r"~~|==")
_SIGNS = pattern(r"[*`~=_\\\[\]<&]")


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


_MAX_CHARACTERS = 64_000  # a note's own words about itself; a bigger block is slow to parse


def _read_front_matter(text: str) -> dict[str, object]:
    """The front matter in ``text`` by key; empty where it is broken or is not a mapping. Never raises."""
    from frontmatter.default_handlers import YAMLHandler

    try:
        values = YAMLHandler().load(text) if len(text) <= _MAX_CHARACTERS else None
    except Exception:
        # a note may say anything here: impossible dates, unhashable keys, deep nesting
        return {}
    return {str(key): value for key, value in values.items()} if isinstance(values, dict) else {}


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
        end = self.blocks.kinds.count(Kind.FRONT_MATTER)
        return _read_front_matter("".join(self.lines[1 : end - 1]))

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


def _sections(lines: Sequence[str], blocks: Blocks) -> Iterator[Section]:
    heads, total = blocks.headings, len(lines)
    first = heads[0].line if heads else total
    lead = blocks.kinds.count(Kind.FRONT_MATTER)
    while lead < first and not lines[lead].strip("\ufeff \t\r\n"):
        lead += 1
    if lead < first:
        end = _last_text(lines, lead, first)
        yield Section(0, 0, "", (), lead + 1, end, end, 0)
    parents: list[BlockHeading] = []
    stops = [*(head.line for head in heads[1:]), total]
    rows = zip(heads, stops, _tree_stops(heads, total), strict=False)
    for ordinal, (head, stop, tree_stop) in enumerate(rows, int(lead < first)):
        while parents and parents[-1].level >= head.level:
            parents.pop()
        yield Section(
            ordinal=ordinal,
            level=head.level,
            title=head.title,
            parents=tuple(parent.title for parent in parents),
            start=head.line + 1,
            end=_last_text(lines, head.line, stop),
            tree_end=_last_text(lines, head.line, tree_stop),
            heading_lines=head.span,
        )
        parents.append(head)


def _tree_stops(heads: Sequence[BlockHeading], total: int) -> list[int]:
    """For each heading the 0-based line of the next one of its level or above, in one backward pass."""
    stops = [total] * len(heads)
    nearest = [total] * 7  # by level: where the next heading of that level or above stands
    for number, head in reversed([*enumerate(heads)]):
        stops[number] = nearest[head.level]
        nearest[head.level :] = [head.line] * (7 - head.level)
    return stops


def _last_text(lines: Sequence[str], start: int, stop: int) -> int:
    """The 1-based last non-blank line of ``lines[start:stop]``; at least ``start + 1``."""
    while stop > start + 1 and not lines[stop - 1].strip():
        stop -= 1
    return stop
