"""What a unit is like whatever is asked: its label, and whether it asks, names a time or counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hippocampus_cli.light import pattern
from hippocampus_cli.search.tokens import stem_text

QUESTION, DATED, TIMED, COUNTED = 1, 2, 4, 8
"""Flags: it ends with a question mark; names a day, month or year; says when at all; has a number."""

LABEL_SHIFT = 8
_LONGEST_LABEL = 255  # characters of its stems
_LABEL = pattern(
    r"\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?"
    r"(?:\|\s*(?P<cell>[^|\n]{1,60}?)\s*\||"
    r"(?P<mark>\*\*|__)?(?P<name>\w[^:*|\n.!?]{0,40}?)(?:(?<=\w)|(?<=[)`”\"]))"
    r"(?(mark)(?::?(?:\*\*|__):?\s|:(?:\*\*|__)\s?)|:\s))"
)
_MOST_WORDS = 4
_YEAR_OR_DAY = pattern(
    r" (?:(?:19|20)\d\d(?:-\d\d)*|\d\d-\d\d"
    r"|(?:last|next|this) (?:week|weekend|night|month|year|morn|summer|winter|spring|fall|autumn)) "
)
_DIGIT = pattern(r" \d")
_DATES = (
    "yesterday today tonight tomorrow ago monday tuesday wednesday thursday friday saturday sunday"
    " january february march april june july august september october november december"
)
_TIMES = (
    "last next week weekend month year day morning evening night summer winter spring fall autumn recently soon"
    " since hour minute"
)
_COUNTS = (
    "one two three four five six seven eight nine ten dozen couple few several once twice first"
    " second third"
)
_TELLING = (
    f"{_DATES} {_TIMES} {_COUNTS} this"  # "this": what stands before a time in `_YEAR_OR_DAY`
)


def traits_of(text: str, stems: str) -> int:
    """The flags of a unit, and above :data:`LABEL_SHIFT` how many characters of ``stems`` its label takes.

    ``stems`` are those of ``text``. A label says what the rest is about or who says it: what stands before a
    colon (``Deploy:``, ``**Ines:**``), or the first cell of a row.
    """
    found = stems.split()
    spaced = f" {stems} "
    flags = QUESTION if _asks(text) else 0
    number = _DIGIT.search(spaced) is not None
    if number or not _stems_of(_TELLING).isdisjoint(found):  # few units do more than ask
        flags |= _named(spaced, found, number)
    return flags | _label(text, stems) << LABEL_SHIFT


def _named(spaced: str, found: Sequence[str], number: bool) -> int:
    """The flags of a unit that has a number, or a word of :data:`_TELLING`."""
    flags = 0
    if not _stems_of(_DATES).isdisjoint(found) or _YEAR_OR_DAY.search(spaced):
        flags |= DATED | TIMED
    elif not _stems_of(_TIMES).isdisjoint(found):
        flags |= TIMED
    if number or not _stems_of(_COUNTS).isdisjoint(found):
        flags |= COUNTED
    return flags


def _asks(text: str) -> bool:
    text = text.rstrip()
    if text.endswith("]"):  # what stands in brackets at the end is an aside
        text = text[: text.rfind("[")].rstrip()
    return text.endswith("?")


def _label(text: str, stems: str) -> int:
    if not (":" in text or "|" in text or "**" in text or "__" in text):
        return 0  # spares most units the pattern
    found = _LABEL.match(text)
    if found is None:
        return 0
    group = "cell" if found["cell"] else "name"
    if not 0 < len(found[group].split()) <= _MOST_WORDS:
        return 0
    own = stem_text(text[: found.end(group)])  # a number or a box that is ticked stands before it
    return len(own) if f"{stems} ".startswith(f"{own} ") and len(own) <= _LONGEST_LABEL else 0


@cache
def _stems_of(words: str) -> frozenset[str]:
    return frozenset(stem_text(words).split())
