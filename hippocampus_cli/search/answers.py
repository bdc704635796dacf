"""What kind of answer a question wants: a time, a number, or anything."""

from __future__ import annotations

import re

from hippocampus_cli.light import pattern

WHEN, COUNT, ANYTHING = "when", "count", ""
KINDS = (WHEN, COUNT, ANYTHING)

_WHEN = pattern(
    r"\bwhen\b|\bhow long ago\b|\b(?:what|which) (?:date|day|year|month|time|week)\b", re.IGNORECASE
)
_COUNT = pattern(
    r"\bhow (?:many|much|often|old|long|far|tall|big|large|high|fast)\b", re.IGNORECASE
)
_LONGEST = 2_000  # characters: a question is shorter


def answer_of(text: str) -> str:
    """One of :data:`KINDS` for the question ``text``."""
    head = text[:_LONGEST]
    if _WHEN.search(head):
        return WHEN
    return COUNT if _COUNT.search(head) else ANYTHING
