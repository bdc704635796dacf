"""A place as it is shown: its lines, more of its section where there is room, fewer where there is not. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.places import Place
from hippocampus_cli.text.tokenizer import forms
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
    """As much of a place as ``each`` place may have and ``room`` holds (tokens), but for lines that are ``shown``
    already; around a word with one of the ``stems`` where not even a line fits. ``None`` without any text.

    Code and tables may have twice as much: a part says little of them.
    """
    whole = _content(note, place)
    first = max((whole[0], *(line + 1 for line in shown if line < place.start)))
    last = min((whole[1], *(line - 1 for line in shown if line > place.start)))
    start, end = max(first, place.start), min(last, place.end)
    if not note.text_of(start, end).strip():
        return None
    most = min(room, 2 * each if _is_block(note, start) else each)
    lines = list(range(start, end + 1))
    while len(lines) > 1 and _size(note, lines[0], lines[-1]) > most:
        lines.pop(0 if not note.lines[lines[0] - 1].strip() else -1)
    start, end = lines[0], lines[-1]
    text = note.text_of(start, end)
    if tokens(text) > most:
        return Excerpt(start, end, _shortened(text, most, stems), cut=True)
    start, end = _grown(note, (first, last), (start, end), min(room, each))
    return Excerpt(start, end, note.text_of(start, end), (start, end) != whole)


def _content(note: Note, place: Place) -> tuple[int, int]:
    """The lines of a section without its heading and the blank ones around its text."""
    section = place.section
    lines = [
        line
        for line in range(section.start + section.heading_lines, section.end + 1)
        if note.lines[line - 1].strip()
    ]
    return (lines[0], lines[-1]) if lines else (section.start, section.start - 1)


def _is_block(note: Note, line: int) -> bool:
    return note.blocks.kinds[line - 1] == Kind.CODE or note.lines[line - 1].lstrip().startswith("|")


def _size(note: Note, start: int, end: int) -> int:
    return tokens(note.text_of(start, end))


def _grown(
    note: Note, content: tuple[int, int], lines: tuple[int, int], room: int
) -> tuple[int, int]:
    """The lines with those after and before them, as long as all fit."""
    start, end = lines
    for wider in _wider(content, lines):
        if _size(note, *wider) > room:
            break
        start, end = wider
    while start < end and not note.lines[end - 1].strip():
        end -= 1
    while start < end and not note.lines[start - 1].strip():
        start += 1
    return start, end


def _wider(content: tuple[int, int], lines: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Ever more lines, one after and one before in turn."""
    (first, last), (start, end) = content, lines
    while first < start or end < last:
        if end < last:
            end += 1
            yield start, end
        if first < start:
            start -= 1
            yield start, end


def _shortened(text: str, room: int, stems: AbstractSet[str]) -> str:
    """The part of a text around the first word with one of ``stems``, its beginning without one."""
    starts = {stem[0] for stem in stems}
    words = (
        found.start()
        for found in _WORD.finditer(text)
        if found[0][0].lower() in starts and not stems.isdisjoint(forms(found[0]))
    )
    middle, characters = next(words, 0), room * _CHARACTERS
    shown = text
    while tokens(shown) > room and characters > 1:
        begin = max(0, middle - characters // 2) if middle > characters // 2 else 0
        part = text[begin : begin + characters - 2].strip()
        shown = f"{_ELLIPSIS if begin else ''}{part}{_ELLIPSIS}"
        characters = characters * 3 // 4
    return shown
