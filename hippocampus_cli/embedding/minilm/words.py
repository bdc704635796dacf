"""A text as BERT's uncased models see it: small letters without accents, punctuation standing alone."""

from __future__ import annotations

from unicodedata import category, normalize

_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# Accents, control characters, private use, surrogates; what this Python's Unicode does not know yet stays.
_WITHOUT_TRACE = frozenset(("Mn", "Cc", "Cf", "Co", "Cs"))
_IDEOGRAPHS = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)


class _Spelling(dict[int, str]):
    """What becomes of each character, worked out when it is first met; a table for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        self[code] = spelt = _spelt(chr(code))
        return spelt


_SPELLING = _Spelling()


def words(text: str) -> list[str]:
    """The words of ``text``; each punctuation mark and each Chinese character is a word of its own.

    Control characters, accents and bytes that were not UTF-8 (lone surrogates) leave no trace.
    """
    plain = text if text.isascii() else normalize("NFD", text)
    return plain.translate(_SPELLING).split()


def _spelt(char: str) -> str:
    kind = category(char)
    if char in "\t\n\r" or kind.startswith("Z"):
        return " "
    if kind in _WITHOUT_TRACE or char == "\ufffd":
        return ""
    if char in _PUNCTUATION or kind.startswith("P") or _is_ideograph(ord(char)):
        return f" {char} "
    # A letter at a time: at the end of a word Python's own lower() writes ς, the model's makers σ.
    return char.lower()


def _is_ideograph(code: int) -> bool:
    return any(first <= code <= last for first, last in _IDEOGRAPHS)
