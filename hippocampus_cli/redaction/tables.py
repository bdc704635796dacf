"""Secrets in the columns of tables: the head of a column announces what stands below it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hippocampus_cli.light import pattern
from hippocampus_cli.redaction.judge import can_be
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import ANNOUNCING, PASSWORD, PIN, TOKEN

_WORDS = "|".join(
    word for words in ANNOUNCING.values() for word, kind in words.items() if kind == PASSWORD
)
_HEAD = pattern(
    r"(?:\w[\w/ -]{0,24}[ _/-]|[\u3400-\u9fff]{1,6})?"
    rf"(?P<word>passw(?:or[dt]|d)s|passphrase|passcode|secrets?|token|pin|puk|code|api[ _-]?key"
    rf"|access[ _-]?key|credentials?|key|{_WORDS})"
)
_SIGNS = frozenset(
    {"pass", "secret", "token", "pin", "puk", "code", "key", "cred"}
    | {sign for sign, words in ANNOUNCING.items() if PASSWORD in words.values()}
)
_CELL_MARKS = " \t*_`\"'"
_KINDS = {"pin": PIN, "puk": PIN, "code": PIN}
_TOKENS = ("secret", "token", "key", "credential")
_BETWEEN = "|,;\t"


def in_columns(text: str, lowered: str, signs: Iterable[str]) -> Iterator[Span]:
    """The secrets below a head that announces them, in markdown tables and in values between commas.

    ``lowered`` is the text in lower case, as long as it is; ``signs`` are those of announcing words that it has.
    """
    heads = set()
    for sign in _SIGNS.intersection(signs):
        at = lowered.find(sign)
        while at >= 0:
            if _stands_between(lowered, at):
                heads.add(lowered.rfind("\n", 0, at) + 1)
            at = lowered.find(sign, at + len(sign))
    for start in sorted(heads):
        yield from _below(text, start)


def _stands_between(lowered: str, at: int) -> bool:
    """Whether a sign stands in a short cell of a line that has several."""
    start, end = max(0, at - 30), at + 30
    around = lowered[lowered.rfind("\n", start, at) + 1 or start : end]
    return any(sign in around for sign in _BETWEEN)


def _below(text: str, start: int) -> Iterator[Span]:
    head, *_ = text[start : start + 400].split("\n", 1)
    sign = max(_BETWEEN, key=head.count)
    if sign != "|" and (head.rstrip().endswith(sign) or "'" in head or head[:1].isspace()):
        return  # a list in a program
    columns = _announcing(head, sign)
    at = start + len(head) + 1
    while columns and at < len(text):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if not line.strip() or abs(line.count(sign) - head.count(sign)) > 1:
            return
        yield from _cells(line, sign, at, columns)
        at += len(line) + 1


def _announcing(line: str, sign: str) -> dict[int, str]:
    """The columns whose head is such a word, each with its kind; none where the line is no head."""
    cells = line.rstrip("\r").split(sign)
    if len([cell for cell in cells if cell.strip()]) < 2 or any(len(cell) > 40 for cell in cells):
        return {}
    found = {}
    for number, cell in enumerate(cells):
        head = cell.strip(_CELL_MARKS).lower()
        match = _HEAD.fullmatch(head)
        if match:
            word = match["word"]
            kind = (
                TOKEN if word.startswith(_TOKENS) or "key" in word else _KINDS.get(word, PASSWORD)
            )
            found[number] = kind
    if any(character.isdigit() for character in line):
        return {}
    return found


def _cells(line: str, sign: str, at: int, columns: dict[int, str]) -> Iterator[Span]:
    for number, cell in enumerate(line.rstrip("\r").split(sign)):
        kind = columns.get(number)
        if kind:
            value = cell.strip(_CELL_MARKS)
            start = at + cell.find(value)
            if " " not in value and can_be(value, kind, explicit=True, quoted=False, alone=True):
                yield Span(start, start + len(value), kind)
        at += len(cell) + len(sign)
