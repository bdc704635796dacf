"""What a unit is like whatever is asked: its label, and what kinds of answer it may hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.tokenizer import stem_text

(
    QUESTION,
    DATED,
    TIMED,
    COUNTED,
    LASTING,
    NAMED,
    TITLED,
    REASONED,
    RULED,
    TOLD,
) = (1 << bit for bit in range(10))
"""Flags: it ends with a question mark; names a day, month or year; says when at all; has a number; says how long;
names somebody or something by a proper name; has a title; says why; says what is always wanted, or preferred; is what
the user said in a chat."""

LABEL_SHIFT = 12
_LONGEST_LABEL = 255  # characters of its stems
_WIDE = r"：(?!\Z|(?<=\d：)\d)"  # no space stands behind it; that of a time of day is none
_LABEL = pattern(
    r"\s*(?:(?:[-*+•]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?"
    r"(?:\|\s*+(?P<cell>[^|\n]{1,60}?)\s*+\||"
    r"(?P<mark>\*\*|__)?(?P<name>\w[^:：*|\n.!?。！？]{0,40}?)(?:(?<=\w)|(?<=[)`”\"）」』】]))"
    rf"(?(mark)(?::?(?:\*\*|__)(?::?\s|{_WIDE})|[:：](?:\*\*|__)\s?)|(?::\s|{_WIDE})))"
)
_MOST_WORDS = 4
_MOST_UNSPACED = 12  # characters, where words stand without spaces
_FAMILIAR = 3  # units of a section that a name labels
_YEAR_OR_DAY = pattern(
    r" (?:(?:19|20)\d\d(?:-\d\d)*|\d\d-\d\d"
    r"|(?:last|next|this) (?:week|weekend|night|month|year|morn|summer|winter|spring|fall|autumn)) "
)
_DIGIT = pattern(r" \d")
_DURATION = pattern(
    r" (?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|coupl of|sever|half an?)"
    r" (?:year|month|week|day|hour|minut|second|decad)s? | \d+(?:ms|s|min|h|d|w|y) | sinc "
)
# A word with a capital in the middle of a sentence, which is no day or month.
_PROPER = pattern(
    r"(?<=[a-zß-ÿа-я,;)'’] )(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June"
    r"|July|August|September|October|November|December)\b)[A-ZÀ-ÞА-Я][a-zß-ÿа-я]+"
)
_TITLE_SIGN = pattern(r"[\"“„«»*]")  # spares most units the next pattern
_TITLE = pattern(
    r"[\"“„«»](?=[^\s])[^\"“”„«»\n]{2,60}[\"”“«»]|(?<![\w*])\*(?=[^\s*])[^*\n]{2,60}\*(?!\*)"
)
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
_RULE = pattern(
    r"\b(?:always|never|(?:i|we|they) (?:really |strongly |usually )?prefer|from now on"
    r"|immer|niemals|nie|bevorzuge)\b"
    r"|总是|务必|永远不|不要|偏好|更喜欢",
    re.IGNORECASE,
)
_SAYS = r"\s*(?:[-*+•]\s+)?(?:\*\*|__)?(?:{})(?:\*\*|__)?\s?[:：]"
_USER = pattern(_SAYS.format("user|human|nutzer|benutzer|用户"), re.IGNORECASE)
_AGENT = pattern(_SAYS.format("assistant|agent|ai|bot|assistent|助手"), re.IGNORECASE)
_REASONS = "because cause reason why due therefore inspired motivated weil deshalb deswegen wegen"
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
        flags |= _told(spaced, found, number)
    because = " in order to " in spaced or " so that " in spaced
    if because or not _stems_of(_REASONS).isdisjoint(found):
        flags |= REASONED
    if _RULE.search(text):
        flags |= RULED
    if _USER.match(text):
        flags |= TOLD
    flags |= _written(text)
    return flags | _label(text, stems) << LABEL_SHIFT


def without_familiar(
    texts: Sequence[str], stems: Sequence[str], traits: Sequence[int]
) -> Sequence[int]:
    """The ``traits`` of the units of one section, whose ``texts`` and ``stems`` these are, with no unit :data:`NAMED`
    for names alone that label units again and again: in a log the speakers name each other in every second line."""
    labels = Counter(
        stem[: trait >> LABEL_SHIFT] for stem, trait in zip(stems, traits, strict=True)
    )
    familiar = {label for label, times in labels.items() if label and times >= _FAMILIAR}
    if not familiar:
        return traits
    return [
        trait & ~NAMED if trait & NAMED and _names_only(text, familiar) else trait
        for text, trait in zip(texts, traits, strict=True)
    ]


def told_in_chats(texts: Sequence[str], traits: Sequence[int]) -> Sequence[int]:
    """The ``traits`` of the units of one section with none :data:`TOLD` unless an agent answers there: ``User: root``
    is nothing that somebody said."""
    if not any(trait & TOLD for trait in traits) or any(map(_AGENT.match, texts)):
        return traits
    return [trait & ~TOLD for trait in traits]


def _names_only(text: str, familiar: AbstractSet[str]) -> bool:
    return all(stem_text(name) in familiar for name in _PROPER.findall(text))


def _written(text: str) -> int:
    """The flags that need capitals and signs, which stems have not."""
    flags = NAMED if _PROPER.search(text) else 0
    return flags | TITLED if _TITLE_SIGN.search(text) and _TITLE.search(text) else flags


def _told(spaced: str, found: Sequence[str], number: bool) -> int:
    """The flags of a unit that has a number, or a word of :data:`_TELLING`."""
    flags = 0
    if not _stems_of(_DATES).isdisjoint(found) or _YEAR_OR_DAY.search(spaced):
        flags |= DATED | TIMED
    elif not _stems_of(_TIMES).isdisjoint(found):
        flags |= TIMED
    if number or not _stems_of(_COUNTS).isdisjoint(found):
        flags |= COUNTED
    return flags | LASTING if _DURATION.search(spaced) else flags


def _asks(text: str) -> bool:
    text = text.rstrip()
    if text.endswith("]"):  # what stands in brackets at the end is an aside
        text = text[: text.rfind("[")].rstrip()
    return text.endswith("?")


def _label(text: str, stems: str) -> int:
    if not (":" in text or "|" in text or "**" in text or "__" in text or "：" in text):
        return 0  # spares most units the pattern
    found = _LABEL.match(text)
    if found is None:
        return 0
    group = "cell" if found["cell"] else "name"
    if not 0 < len(found[group].split()) <= _MOST_WORDS:
        return 0
    if "：" in text[found.end(group) : found.end()] and _is_long(found[group]):
        return 0
    own = stem_text(text[: found.end(group)])  # a number or a box that is ticked stands before it
    return len(own) if f"{stems} ".startswith(f"{own} ") and len(own) <= _LONGEST_LABEL else 0


def _is_long(name: str) -> bool:
    return len(name) > _MOST_UNSPACED and not name.isascii()


@cache
def _stems_of(words: str) -> frozenset[str]:
    return frozenset(stem_text(words).split())
