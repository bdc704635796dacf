"""What kinds of answer a question wants (a time, a number, a duration, a name, a place, a title, a reason, a rule),
and whether it is about who asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hippocampus_cli.fast_types import pattern

WHEN, COUNT, HOW_LONG, WHO = "when", "count", "how long", "who"
WHERE, TITLE, WHY, ADVICE, OWN = "where", "title", "why", "advice", "own"
KINDS = (WHEN, COUNT, HOW_LONG, WHO, WHERE, TITLE, WHY, ADVICE, OWN)

_WORD = pattern(r"\w+")
_LONGEST = 2_000  # characters: a question is shorter


def _each(*rows: tuple[str, str]) -> dict[str, str]:
    """The kind of each word of each row."""
    return {word: kind for kind, words in rows for word in words.split()}


_ALONE = _each(
    (WHEN, "when wann"),
    (WHO, "who whom whose name names wer wen wem"),
    (WHERE, "where wo"),
    (TITLE, "book books movie movies film films song songs album albums game games band bands"),
    (TITLE, "series podcast podcasts article articles"),
    (WHY, "why reason reasons motivated motivates motivation inspired inspires inspiration"),
    (WHY, "warum wieso weshalb"),
    (
        ADVICE,
        "should suggest suggests suggestion recommend recommends recommendation advise advice tips help",
    ),
    (ADVICE, "soll sollte empfiehlst empfehlen rate"),
)
_WHICH = _each(
    (WHEN, "date day year month time week"),
    (WHERE, "city country state place town host server machine folder directory file"),
)
_HOW = _each((COUNT, "many much old far tall big large high fast"), (HOW_LONG, "long often"))
_ASKED = dict.fromkeys(("can", "could", "would"), _each((ADVICE, "you i we")))
_OWN = _each(("own", "i my me we our us you your ich mir mein meine wir uns unser unsere")).keys()
_EVER = ("have", "did", "habe", "hast")  # at the beginning: answered by what was never or always so
_YOURS = pattern(
    r"\b(?:did|have|had) you\b|\bhast du\b|\byou (?:said|told|recommend|suggest|gave|advis|explain)",
    re.IGNORECASE,
)
_AFTER = {"what": _WHICH, "which": _WHICH, "how": {**_HOW, "to": ADVICE}, **_ASKED}

_AGE = (
    r"\d\s*(?:-?years?|yrs?|jahre?|jaar|ans|años|岁|months?|monate?|weeks?|wochen?)\b|\bborn|\bgeb|birth"
    r"|, \d{1,3},|\(\d{1,3}\)|\bturn(?:s|ed|ing)? \d|\baged?\b|\bold\b"
)
_VALUES = (
    (
        *(
            "phone number",
            "telephone",
            "telefonnummer",
            "handynummer",
            "telefoonnummer",
            "电话号码",
        ),
        pattern(r"(?<![\d-])(?!(?:19|20)\d\d-\d\d)\+?\d(?:[\s()/.-]{0,2}\d){5,}"),
    ),
    (*("email address", "e-mail address", "mail address", "mailadres"), pattern(r"\S@\S")),
    (
        *("birthday", "date of birth", "geburtstag", "geburtsdatum", "verjaardag", "生日"),
        pattern(r"birth|born|\bgeb|verjaar|jarig|生日|\bturn(?:s|ed|ing)? \d", re.IGNORECASE),
    ),
    (*("how old", "wie alt", "hoe oud", "几岁", "多大"), pattern(_AGE, re.IGNORECASE)),
)
"""What asks for a value that looks like nothing else, and what it looks like."""


def lacks_value(question: str, text: str) -> bool:
    """Whether a question wants a telephone number, an address for mail, a birthday or an age, and the text has
    none."""
    question = question[:_LONGEST].lower()
    return any(
        any(sign in question for sign in signs) and not looks.search(text)
        for *signs, looks in _VALUES
    )


def answers_of(text: str) -> frozenset[str]:
    """Those of :data:`KINDS` that the question ``text`` wants; none where it says nothing of that."""
    words = _WORD.findall(text[:_LONGEST].lower())
    kinds = frozenset(_kinds(words))
    if words[:1] and words[0] in _EVER:
        kinds |= {ADVICE}
    if not _OWN.isdisjoint(words) and not _YOURS.search(text[:_LONGEST]):
        kinds |= {OWN}
    if _OWN.isdisjoint(words):  # what somebody advised somebody else is no rule for who asks
        kinds -= {ADVICE}
    if HOW_LONG in kinds:  # a number, too
        kinds |= {COUNT}
    return kinds - {COUNT, HOW_LONG} if WHEN in kinds else kinds


def _kinds(words: Sequence[str]) -> Iterator[str]:
    for word, after, third in zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=False):
        if word in _ALONE:
            yield _ALONE[word]
        if kind := _AFTER.get(word, {}).get(after):
            yield WHEN if third == "ago" else kind
