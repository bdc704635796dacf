"""Whether a question names a thing: by a name of it, word for word, or with a slip of the keyboard. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from hippocampus_cli.text.tokenizer import SHORT_WORD, is_another_word, stem_text

_SHORTEST = 4  # letters of a word that may be misspelt


@lru_cache(maxsize=4096)
def words_in(text: str) -> tuple[tuple[str, str], ...]:
    """The words of a text in order, each as it is written in lower case and as its stem."""
    return tuple((word, stem_text(word)) for word in text.casefold().replace("-", " ").split())


def is_named(names: Iterable[str], question: str) -> bool:
    """Whether one of ``names`` stands in ``question``, all its words in a row."""
    asked = [(word.strip(_MARKS), stem) for word, stem in words_in(question)]
    return any(_stands(words_in(name), asked) for name in names)


_MARKS = ".,;:!?()[]\"'`“”’—"


def _stands(name: Sequence[tuple[str, str]], asked: Sequence[tuple[str, str]]) -> bool:
    if not name:
        return False
    last = len(asked) - len(name)
    return any(
        all(_is_meant(*asked[at + n], *one) for n, one in enumerate(name)) for at in range(last + 1)
    )


def _is_meant(typed: str, stem: str, word: str, name: str) -> bool:
    if stem == name or typed == word:
        return True
    if len(typed) < _SHORTEST or not typed.isalpha() or not word.isalpha():
        return False
    begun = len(typed) >= SHORT_WORD and word.startswith(typed) and len(word) - len(typed) == 1
    return begun or is_slip(typed, word)


def is_slip(typed: str, word: str) -> bool:
    """Whether ``typed`` is ``word`` with one letter too many, too few or, in a long word, wrong, or two swapped."""
    from rapidfuzz.distance import OSA

    return OSA.distance(typed, word, score_cutoff=1) == 1 and not is_another_word(typed, word)
