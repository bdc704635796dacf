"""A text as BERT's uncased models see it: small letters without accents, punctuation standing alone.

WordPiece: a word as the longest pieces that the vocabulary knows, by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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


UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
MAX_TOKENS = 256
_MAX_WORD = 100  # characters; a longer word is unknown
_REMEMBERED = 65_536  # words


class WordPiece:
    """Texts to token numbers. ``vocabulary`` is the pieces in their order; ``##`` begins one inside a word.

    Raises :class:`ValueError` where it lacks one of the pieces that stand for no text.
    """

    def __init__(self, vocabulary: Sequence[str], max_tokens: int = MAX_TOKENS) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        missing = {UNKNOWN, START, END} - self._numbers.keys()
        if missing:
            raise ValueError(f"the vocabulary lacks {', '.join(sorted(missing))}")
        self._unknown = (self._numbers[UNKNOWN],)
        self._start, self._end = self._numbers[START], self._numbers[END]
        self._room = max_tokens - 2
        self._pieces = lru_cache(_REMEMBERED)(self._split)

    def tokens(self, text: str) -> list[int]:
        """The numbers of ``text`` between a start and an end, at most ``max_tokens``; the rest is cut off.

        What stands for no text is text here: ``[SEP]`` in a note is a word in brackets.
        """
        found: list[int] = []
        for word in words(text):
            found += self._pieces(word)
            if len(found) >= self._room:
                break
        return [self._start, *found[: self._room], self._end]

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > _MAX_WORD:
            return self._unknown
        pieces: list[int] = []
        at = 0
        while at < len(word):
            found = self._longest(word, at)
            if found is None:
                return self._unknown
            number, at = found
            pieces.append(number)
        return tuple(pieces)

    def _longest(self, word: str, at: int) -> tuple[int, int] | None:
        """The number of the longest piece at ``at``, and where it ends."""
        for end in range(len(word), at, -1):
            piece = f"##{word[at:end]}" if at else word[:end]
            if (number := self._numbers.get(piece)) is not None:
                return number, end
        return None
