"""Pointers: ``→ path [§section] [| path [§section]]...`` (decision D5)."""

from __future__ import annotations

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.index.metadata import POINTER, escape, unescape

_LINE = pattern(r" {0,3}(?:[-*+][ \t]+)?(?:→|->)[ \t]*(?=\S)")
_PATHLIKE = pattern(r"[^\s|]*\.[A-Za-z0-9]{1,8}(?:$|[\s|§`#:])|[^\s|]+/|§|`")


class Pointer(NamedTuple):
    """The place of a memory: a ``/``-separated path relative to the workspace root, and maybe a section."""

    path: str
    section: str | None = None

    def __str__(self) -> str:
        path = _edged(escape(self.path, POINTER))
        return path if self.section is None else f"{path} §{_edged(escape(self.section, POINTER))}"


def is_pointer_line(line: str) -> bool:
    """Whether ``line`` is a pointer line of an entry's block."""
    return bool(_LINE.match(line))


def parse_pointers(line: str) -> tuple[Pointer, ...]:
    """The pointers of a pointer line (or of the text after a bullet's arrow). Empty pieces are dropped."""
    arrow = _LINE.match(line)
    text = line[arrow.end() :] if arrow else line
    pointers = (_one(piece) for piece in text.split("|"))
    return tuple(pointer for pointer in pointers if pointer.path or pointer.section)


def format_pointers(pointers: tuple[Pointer, ...]) -> str:
    """A pointer line without line ending; :func:`parse_pointers` is the inverse."""
    return "→ " + " | ".join(map(str, pointers))


def can_be_named(pointer: Pointer) -> bool:
    """Whether the pointer reads back as itself: names may begin or end with white space of any kind."""
    return parse_pointers(format_pointers((pointer,))) == (pointer,)


def _edged(text: str) -> str:
    """``text`` with the spaces at its ends escaped, because reading strips them."""
    bare = text.strip(" ")
    lead, _, tail = text.partition(bare) if bare else (text, "", "")
    return "%20" * len(lead) + bare + "%20" * len(tail)


def looks_like_path(text: str) -> bool:
    """Whether the text after a bullet's arrow names a file; ``→`` is in ordinary prose too."""
    return bool(_PATHLIKE.match(text.strip()))


def _one(piece: str) -> Pointer:
    path, mark, section = piece.partition("§")
    path = path.strip()
    if len(path) > 1 and path[0] == path[-1] == "`":
        path = path[1:-1]
    name = unescape(section.strip()) if mark else ""
    return Pointer(unescape(path), name or None)
