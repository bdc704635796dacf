"""What else the words of a message may be called, by the thesaurus that comes with the package.

Where no embedder compares by meaning this is how ANCHOR's semantic expansion is done; it takes no model.
"""

from __future__ import annotations

from collections.abc import Mapping

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search.thesaurus import related_words, thesaurus
from hippocampus_cli.search.tokens import forms, is_stop, words_of

_MOST_READ = 100  # words of a message that are looked up
_LEAST = 0.5  # similarity below which a word is no other name for the same thing


class _Term(NamedTuple):
    stem: str


Related = Mapping[str, Mapping[str, float]]
"""By the stem of a word: stems, or phrases of stems, that may stand for it, with how similar they are (0 to 1)."""


def related_to(message: str) -> Related:
    """What may stand for each word of ``message`` that says something; for a phrase, at each of its words."""
    said = [found[0] for word in words_of(message)[:_MOST_READ] if (found := forms(word))]
    telling = [_Term(stem) for stem in dict.fromkeys(said) if not is_stop(stem)]
    found = related_words(thesaurus(), said, telling)
    return {
        stem: {other: similarity for other, similarity in near.items() if similarity >= _LEAST}
        for stem, near in found.items()
    }
