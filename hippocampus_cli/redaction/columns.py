"""Secrets below a head that announces them, in markdown tables and in values between commas. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.announced import flatten
from hippocampus_cli.redaction.judge import can_be
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import ANNOUNCING, JUDGED_AS, PIN

_RULED = pattern(r"[ \t]*+(?:\|[ \t]*+)?:?-[-| :\t]*+\r?(?:\n|$)")
_ROW = pattern(r"\|[^\n]*\n$")
_CELL_MARKS = " \t*_`\"'"
_BETWEEN = "|,;\t"
_LONGEST_HEAD = 400  # characters
_KIND_OF = {
    word: JUDGED_AS.get(kind, kind)
    for words in ANNOUNCING.values()
    for word, kind in words.items()
    if kind not in ("open", "setting", "user", "login", "combination", "phrase")
}


def in_columns(text: str, flat: str, signs: Iterable[str]) -> Iterator[Span]:
    """The secrets below a head with one of ``signs``; ``flat`` is the text, flattened."""
    heads = set()
    for sign in signs:
        position = flat.find(sign)
        while position >= 0:
            head = flat.rfind("\n", max(0, position - _LONGEST_HEAD), position) + 1
            around = flat[max(head, position - 30) : position + 30]
            if any(mark in around for mark in _BETWEEN):
                heads.add(head)
            position = flat.find(sign, position + len(sign))
    for head in sorted(heads):
        yield from _below(text, head)


def _below(text: str, start: int) -> Iterator[Span]:
    head = text[start : start + _LONGEST_HEAD].partition("\n")[0]
    mark = max(_BETWEEN, key=head.count)
    if mark != "|" and (head.rstrip().endswith(mark) or "'" in head or head[:1].isspace()):
        return  # a list in a program
    position = start + len(head) + 1
    is_row = _ROW.search(text, max(0, start - _LONGEST_HEAD), start)
    if mark == "|" and is_row and not _RULED.match(text, position):
        return  # a row in the middle of a table
    columns = _announcing(head, mark)
    while columns and position < len(text):
        end = text.find("\n", position)
        line = text[position : end if end >= 0 else len(text)]
        if not line.strip() or abs(line.count(mark) - head.count(mark)) > 1:
            return
        yield from _cells(line, mark, position, columns)
        position += len(line) + 1


def _announcing(head: str, mark: str) -> dict[int, str]:
    """The columns whose head is such a word, each with its kind; none where the line is no head."""
    cells = head.rstrip("\r").split(mark)
    if sum(bool(cell.strip()) for cell in cells) < 2 or max(map(len, cells)) > 40:
        return {}
    if any(map(str.isdigit, head)):
        return {}
    kinds = {number: _kind_of(cell) for number, cell in enumerate(cells)}
    return {number: kind for number, kind in kinds.items() if kind}


def _kind_of(cell: str) -> str:
    """The kind of value below a head, by the announcing word that it ends with."""
    name = flatten(cell.strip(_CELL_MARKS).lower()).replace("/", " ").removesuffix("s")
    words = name.split(" ")
    ends = [" ".join(words[first:]) for first in range(len(words))]
    ends += [word for word in _KIND_OF if not word.isascii() and name.endswith(word)]
    return next((_KIND_OF[end] for end in ends if end in _KIND_OF), "")


def _cells(line: str, mark: str, position: int, columns: dict[int, str]) -> Iterator[Span]:
    for number, cell in enumerate(line.rstrip("\r").split(mark)):
        value = cell.strip(_CELL_MARKS)
        kind = columns.get(number)
        if (
            kind
            and " " not in value
            and can_be(value, kind, explicit=kind != PIN, quoted=False, alone=True)
        ):
            start = position + cell.find(value)
            yield Span(start, start + len(value), kind)
        position += len(cell) + len(mark)
