"""Words of a text as a person reads them: for tags, topics and relations, not for search."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.drafting.stopwords import STOP_WORDS

_KANA_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々]{2,6}|[\u30a1-\u30fa\u30fc]{2,16}"
    rf"|[^\W_{_KANA_HAN}]+(?:[-.'’][^\W_{_KANA_HAN}]+)*"
)
_NOISE = re.compile(r"\w+://\S+|\[\w+=[^\]]*\]|<[^<>]*>|[\w.+-]+@[\w.-]+")
_LETTERS = re.compile(r"[^\W\d_]")
_POSSESSIVE = re.compile(r"['’]s?$")
_FILE_NAME = re.compile(r"\.(?:md|txt|json|ya?ml|toml|py|sh|js|ts|log|csv|pdf|png|jpe?g)$", re.I)
_LONGEST = 24


def words(text: str) -> list[str]:
    """The words of ``text`` in order and as written, without addresses and bracketed machine notes.

    Runs of Chinese characters and of katakana are words; hiragana, the glue between them, is dropped.
    """
    if "[" in text or "<" in text or ":" in text or "@" in text:
        text = _NOISE.sub(" ", text)
    return _WORD.findall(text)


def key(word: str) -> str:
    """What the forms of one word have in common (case, possessive, plural); empty for a word to ignore."""
    return _KEYS[word]


def tellers(text: str) -> Iterator[tuple[str, str]]:
    """``(word, key)`` of each word of ``text`` that can tell it from another text."""
    for word in words(text):
        if found := _KEYS[word]:
            yield word, found


class _Keys(dict[str, str]):
    """A word to its key, worked out once. It depends on the word alone; emptied when it grows large."""

    def __missing__(self, word: str) -> str:
        if len(self) > 200_000:
            self.clear()
        self[word] = value = _key(word)
        return value


_KEYS = _Keys()


def _key(word: str) -> str:
    bare = _FILE_NAME.sub("", _POSSESSIVE.sub("", word.lower()))
    if bare in STOP_WORDS or len(bare) > _LONGEST or "'" in bare or "’" in bare:
        return ""
    if bare.isascii() and len(bare) < 3:
        return ""
    letters = len(_LETTERS.findall(bare))
    if letters < 2 or letters * 2 < len(bare):  # numbers, versions, times, hashes
        return ""
    if bare.isascii() and len(bare) > 3 and bare[-1] == "s" and bare[-2] not in "siu":
        bare = bare[:-3] + "y" if bare.endswith("ies") and len(bare) > 5 else bare[:-1]
        return "" if bare in STOP_WORDS else bare
    return bare
