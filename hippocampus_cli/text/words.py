"""Words as a person reads them, for tags, topics and relations: whole, in the form in which they are written.

Search cuts words down to stems (:mod:`tokenizer`): *deploy* and *deployed* are one there, and nothing that a
person would want to read as a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.stop_words import COMMON_WORDS

_KANA_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々]{2,6}|[\u30a1-\u30fa\u30fc]{2,16}"
    rf"|[^\W_{_KANA_HAN}]+(?:[-.'’][^\W_{_KANA_HAN}]+)*"
)
_ASCII_WORD = re.compile(
    r"[A-Za-z0-9]+(?:[-.'][A-Za-z0-9]+)*"
)  # the same where there is nothing else
_NOISE = (  # what to look for before the search that costs
    ("://", re.compile(r"\b[a-z]{2,8}://\S+")),
    ("@", re.compile(r"[\w.+-]{1,64}@[\w.-]{1,64}")),
    ("=", re.compile(r"\[\w{1,40}=[^\]]{0,200}\]")),
    ("<", re.compile(r"<[^<>]*>")),
)
_POSSESSIVE = re.compile(r"['’]s?$")
_FILE_NAME = re.compile(r"\.(?:md|txt|json|ya?ml|toml|py|sh|js|ts|log|csv|pdf|png|jpe?g)$", re.I)
_LONGEST = 24


def words(text: str) -> list[str]:
    """The words of ``text`` in order and as written, without addresses and bracketed machine notes.

    Runs of Chinese characters and of katakana are words; hiragana, the glue between them, is dropped.
    """
    text = filled(text)
    for sign, pattern in _NOISE:
        if sign in text:
            text = pattern.sub(" ", text)
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def bare(word: str) -> str:
    """A word in lower case without a possessive or a file name's ending."""
    return _FILE_NAME.sub("", _POSSESSIVE.sub("", word.lower()))


def keys(text: str) -> Iterator[str]:
    """The key of each word of ``text`` that can tell it from another text."""
    return filter(None, map(key, words(text)))


@lru_cache(maxsize=200_000)
def key(word: str) -> str:
    """What the forms of one word have in common (case, possessive, plural); empty for a word to ignore."""
    text = bare(word)
    if text in COMMON_WORDS or len(text) > _LONGEST or "'" in text or "’" in text:
        return ""
    if text.isascii() and len(text) < 3:
        return ""
    letters = sum(map(str.isalpha, text))
    digits = sum(map(str.isnumeric, text))
    if (
        letters < 2 or letters <= digits or (digits and letters < 3)
    ):  # numbers, 8th, versions, hashes
        return ""
    if text.isascii() and len(text) > 3 and text[-1] == "s" and text[-2] not in "siu":
        text = text[:-3] + "y" if text.endswith("ies") and len(text) > 5 else text[:-1]
        return "" if text in COMMON_WORDS else text
    return text
