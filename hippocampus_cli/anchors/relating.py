"""What else the words of a message may be called, by the thesaurus that comes with the package.

Where no embedder compares by meaning this is how ANCHOR's semantic expansion is done; it takes no model.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from hippocampus_cli.search.thesaurus import LONGEST, thesaurus
from hippocampus_cli.search.tokens import forms, is_stop, words_of

_MOST_READ = 100  # words of a message that are looked up
_LEAST = 0.5  # similarity below which a word is no other name for the same thing
_KEPT = 10_000  # words and phrases whose line of the thesaurus is remembered

Related = Mapping[str, Mapping[str, float]]
"""By the stem of a word: stems, or phrases of stems, that may stand for it, with how similar they are (0 to 1)."""


def related_to(message: str) -> Related:
    """What may stand for each word of ``message`` that says something; for a phrase, at each of its words."""
    said = [found[0] for word in words_of(message)[:_MOST_READ] if (found := forms(word))]
    related: dict[str, dict[str, float]] = {
        stem: dict(_near(stem)) for stem in dict.fromkeys(said) if not is_stop(stem)
    }
    for length in range(2, LONGEST + 1):
        for at in range(len(said) - length + 1):
            phrase = said[at : at + length]
            for other, similarity in _near(" ".join(phrase)):
                for near in (related[stem] for stem in phrase if stem in related):
                    near[other] = max(near.get(other, 0.0), similarity)
    return related


@lru_cache(_KEPT)
def _near(stems: str) -> tuple[tuple[str, float], ...]:
    found = thesaurus().related(stems).items()
    return tuple((other, similarity) for other, similarity in found if similarity >= _LEAST)
