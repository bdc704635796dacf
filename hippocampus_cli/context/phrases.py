"""Lists of words and phrases, looked for as whole words in any case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# Scripts without blanks between words: there a word is found wherever it stands.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def contains(text: str, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases stands in a text: ``plan`` as a word, ``decid*`` as a beginning, ``will do`` in a
    row."""
    return pattern(tuple(phrases)).search(text) is not None


@cache
def pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """The phrases as one pattern."""
    parts = [_whole(phrase.strip()) for phrase in phrases if phrase.strip(" *")]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _whole(phrase: str) -> str:
    bare = phrase.removesuffix("*")
    words = r"\s+".join(map(re.escape, bare.split())).replace("'", "['’]")
    before = r"(?<!\w)" if _is_bounded(bare[0]) else ""
    after = r"(?!\w)" if bare == phrase and _is_bounded(bare[-1]) else ""
    return before + words + after


def _is_bounded(char: str) -> bool:
    return char.isalnum() and not _UNSPACED.match(char)
