"""Corrections in words: search works on stems, and nobody typed ``applic``."""

from __future__ import annotations

from hippocampus_cli.retrieval.asking import Answer
from hippocampus_cli.search.tokens import forms, words_of

_MOST_TYPED = 2_000  # characters of a query


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word, as it was typed, was taken for, as it is spelled in the results."""
    if not answer.found.corrections:
        return {}
    typed = _by_stem(answer.query.text[:_MOST_TYPED])
    met: dict[str, str] = {}
    for result in answer.results:
        met = _by_stem(f"{result.section or ''} {result.text}") | met
    return {
        typed.get(stem, stem): [met.get(other, other) for other in others]
        for stem, others in answer.found.corrections.items()
    }


def _by_stem(text: str) -> dict[str, str]:
    """The words of ``text`` in lower case by their stem; of several, the first."""
    found: dict[str, str] = {}
    for word in words_of(text):
        for stem in forms(word)[:1]:
            found.setdefault(stem, word.lower())
    return found
