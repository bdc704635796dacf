"""A place as it is shown: its lines, fewer where there is no room for all. Pure."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.places import Place
from hippocampus_cli.text.terms import terms, terms_of
from hippocampus_cli.workspace.note import Note

EACH = 120
"""Tokens of a place."""
_ELLIPSIS = "…"
_WORD = pattern(r"\w+")
_CHARACTERS = 4  # of a token, about


class Excerpt(NamedTuple):
    """Lines of a note from ``start`` to ``end``. ``cut``: the section has more."""

    start: int
    end: int
    text: str
    cut: bool


def excerpt(
    note: Note, place: Place, room: int, each: int, stems: AbstractSet[str]
) -> Excerpt | None:
    """As much of a place, its heading aside, as ``each`` place may have and ``room`` holds (tokens). Where it is too
    long, the end that has fewer of the ``stems`` goes; the part around a word with one of them is left where not even
    a line fits. ``None`` without any text.

    Code and tables may have twice as much: a part says little of them. What stands around a place is not shown: it
    would cost more than it answers.
    """
    first, last = place.section.start + place.section.heading_lines, place.section.end
    section = [line for line in range(first, last + 1) if note.lines[line - 1].strip()]
    lines = [line for line in section if place.start <= line <= place.end]
    if not lines:
        return None
    begin, end = 0, len(lines) - 1
    blocks = scan(note.lines[place.section.start - 1 : last])  # a large note has many sections
    kind, line = blocks.kinds[lines[0] - place.section.start], note.lines[lines[0] - 1]
    is_block = kind == Kind.CODE or line.lstrip().startswith("|")
    most = min(room, 2 * each if is_block else each)

    def text() -> str:
        return note.text_of(lines[begin], lines[end])

    def asked(at: int) -> int:
        return len(stems & {*terms(note.lines[lines[at] - 1])})

    while end > begin and tokens(text()) > most:
        if asked(begin) < asked(end):
            begin += 1
        else:
            end -= 1
    shown, cut = text(), (lines[begin], lines[end]) != (section[0], section[-1])
    if tokens(shown) > most:
        shown, cut = _shortened(shown, most, stems), True
    return Excerpt(lines[begin], lines[end], shown, cut)


def _shortened(text: str, room: int, stems: AbstractSet[str]) -> str:
    """The part of a text around the first word with one of ``stems``, its beginning without one."""
    starts = {stem[0] for stem in stems}
    words = (
        found.start()
        for found in _WORD.finditer(text)
        if found[0][0].lower() in starts and not stems.isdisjoint(terms_of(found[0]))
    )
    middle, characters = next(words, 0), room * _CHARACTERS
    shown = text
    while tokens(shown) > room and characters > 1:
        begin = max(0, middle - characters // 2) if middle > characters // 2 else 0
        part = text[begin : begin + characters - 2].strip()
        shown = f"{_ELLIPSIS if begin else ''}{part}{_ELLIPSIS}"
        characters = characters * 3 // 4
    return shown
