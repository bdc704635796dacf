"""A text as the pieces of a unigram vocabulary: the likeliest way to put it together (Kudo 2018, SentencePiece)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from unicodedata import normalize

UNKNOWN, START, END = 0, 1, 2
MAX_TOKENS = 512
_SPACE = "\u2581"  # what stands for the blank before a word
_UNLIKELIER = 10.0  # than the unlikeliest piece is what no piece is
_REMEMBERED = 65_536  # words


class Pieces:
    """Texts to piece numbers. ``pieces`` in their order, ``scores`` their log-likelihoods.

    Raises :class:`ValueError` where there is not one score a piece.
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        if not pieces or len(pieces) != len(scores):
            raise ValueError(f"{len(pieces)} pieces have {len(scores)} scores")
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._scores = scores
        self._longest = max(map(len, pieces))
        self._unknown = min(scores) - _UNLIKELIER
        self._of_word = lru_cache(_REMEMBERED)(self._split)

    def tokens(self, text: str) -> list[int]:
        """The numbers of ``text`` between a start and an end, at most ``MAX_TOKENS``; the rest is cut off."""
        plain = text if text.isascii() else normalize("NFKC", text)
        found = [number for word in plain.split() for number in self._of_word(_SPACE + word)]
        return [START, *(found or [UNKNOWN])[: MAX_TOKENS - 2], END]

    def _split(self, word: str) -> tuple[int, ...]:
        """The pieces of a word, by dynamic programming over its characters: where each best way there came from."""
        best = [0.0] + [float("-inf")] * len(word)
        last = [(0, UNKNOWN)] * (
            len(word) + 1
        )  # where the last piece of the best way begins, and which it is
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + self._longest) + 1):
                number = self._numbers.get(word[start:end])
                if number is None and end > start + 1:
                    continue
                score = best[start] + (self._unknown if number is None else self._scores[number])
                if score > best[end]:
                    best[end], last[end] = score, (start, number or UNKNOWN)
        found, at = [], len(word)
        while at:
            at, number = last[at]
            found.append(number)
        return tuple(reversed(found))
