"""Corrections in words: search works on stems, and nobody typed ``applic``."""

from __future__ import annotations

from hippocampus_cli.retrieval.asking import Answer
from hippocampus_cli.search.parse import MOST_TYPED
from hippocampus_cli.search.tokens import spellings


def spelled_out(answer: Answer) -> dict[str, list[str]]:
    """What each misspelt word, as it was typed, was taken for, as it is spelled in the results."""
    if not answer.found.corrections:
        return {}
    typed = spellings(answer.query.text[:MOST_TYPED])
    met: dict[str, str] = {}
    for result in answer.results:
        met = spellings(f"{result.section or ''} {result.text}") | met
    return {
        typed.get(stem, stem): [met.get(other, other) for other in others]
        for stem, others in answer.found.corrections.items()
    }
