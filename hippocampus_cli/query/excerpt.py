"""A place as it is shown: its lines, more of its section where there is room, fewer where there is not. Pure."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind
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
    note: Note,
    place: Place,
    room: int,
    each: int,
    shown: AbstractSet[int],
    stems: AbstractSet[str],
) -> Excerpt | None:
    """As much of a place, its heading aside, as ``each`` place may have and ``room`` holds (tokens), of its section
    around it as much as :data:`EACH` holds, but for lines that are ``shown`` already. Where that is too much, the
    end that has fewer of the ``stems`` goes; around a word with one of them where not even a line fits. ``None``
    without any text.

    Code and tables may have twice as much: a part says little of them.
    """
    section = place.section
    first = max((section.start + section.heading_lines, *(n + 1 for n in shown if n < place.start)))
    last = min((section.end, *(n - 1 for n in shown if n > place.start)))
    lines = [line for line in range(first, last + 1) if note.lines[line - 1].strip()]
    inside = [at for at, line in enumerate(lines) if place.start <= line <= place.end]
    if not inside:
        return None
    begin, end = inside[0], inside[-1]

    def text(begin: int, end: int) -> str:
        return note.text_of(lines[begin], lines[end])

    most = min(room, 2 * each if _is_block(note, lines[begin]) else each)

    def asked(at: int) -> int:
        return len(stems & {*terms(note.lines[lines[at] - 1])})

    while end > begin and tokens(text(begin, end)) > most:
        if asked(begin) < asked(end):
            begin += 1
        else:
            end -= 1
    if tokens(text(begin, end)) > most:
        part = _shortened(text(begin, end), most, stems)
        return Excerpt(lines[begin], lines[end], part, cut=True)
    while end + 1 < len(lines) and tokens(text(begin, end + 1)) <= min(room, EACH):
        end += 1
    while begin and tokens(text(begin - 1, end)) <= min(room, EACH):
        begin -= 1
    cut = end - begin + 1 < len(lines)
    return Excerpt(lines[begin], lines[end], text(begin, end), cut)


def _is_block(note: Note, line: int) -> bool:
    return note.blocks.kinds[line - 1] == Kind.CODE or note.lines[line - 1].lstrip().startswith("|")


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
