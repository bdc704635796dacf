"""Lists of words and phrases, looked for as whole words in any case."""

from __future__ import annotations

import re
from functools import cache

# Scripts without blanks between words: there a word is found wherever it stands.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def contains(text: str, phrases: tuple[str, ...]) -> bool:
    """Whether one of the phrases stands in a text: ``plan`` as a word, ``decid*`` as a beginning, ``will do`` in a
    row."""
    return pattern(phrases).search(text) is not None


@cache
def pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """The phrases as one pattern. Those that are words are tried where a word begins: a few places of a long text."""
    given = [phrase.strip() for phrase in phrases if phrase.strip(" *")]
    words = [phrase for phrase in given if _is_bounded(phrase[0])]
    parts = [_whole(phrase) for phrase in given if phrase not in words]
    if words:
        parts.append(rf"(?<!\w)(?:{'|'.join(map(_whole, words))})")
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)


def _whole(phrase: str) -> str:
    """A phrase, up to the end of its last word."""
    bare = phrase.removesuffix("*")
    words = r"\s+".join(map(re.escape, bare.split())).replace("'", "['’]")
    return words + (r"(?!\w)" if _is_bounded(phrase[-1]) else "")


def _is_bounded(char: str) -> bool:
    return char.isalnum() and not _UNSPACED.match(char)
