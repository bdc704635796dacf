"""Relations between entries: passages that link to each other or share rare words (INDEX §5.2 ``rel``)."""

from __future__ import annotations

import math
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.vocabulary import Vocabulary
from hippocampus_cli.workspace.note import fold

_LINK = re.compile(
    r"\[[^\[\]\n]*\]\(<?([^()\s<>]+)|\[\[([^\[\]\n]+)\]\]|(?<![\w/.-])([\w./-]+\.md)\b"
)
_SHARED_BY = 8
"""A word in more passages than this ties none of them together."""
_LEAST = 2
"""Passages without a link need this many rare words in common."""
_CLOSE = 0.04
_LINK_SCORE = 100.0

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Related:
    """What relating depends on: ``most`` relations an entry, ``room`` characters for all its ids."""

    most: int = 3
    room: int = 60


def relations(
    passages: Sequence[Passage],
    ids: Sequence[str],
    vocabulary: Vocabulary,
    limits: Related,
) -> list[tuple[str, ...]]:
    """For each passage the ids of its related entries, the closest first.

    Relations are mutual while both sides have room. Ties go by position, so the same passages give the
    same relations.
    """
    scores = _shared(passages, vocabulary)
    for pair in linked(passages):
        scores[pair] = scores.get(pair, 0.0) + _LINK_SCORE
    chosen: list[list[int]] = [[] for _ in passages]
    for one, other in sorted(scores, key=lambda pair: (-scores[pair], pair)):
        if _fits(chosen[one], other, ids, limits) and _fits(chosen[other], one, ids, limits):
            chosen[one].append(other)
            chosen[other].append(one)
    return [tuple(ids[at] for at in found) for found in chosen]


def _fits(chosen: Sequence[int], other: int, ids: Sequence[str], limits: Related) -> bool:
    length = sum(len(ids[at]) + 1 for at in chosen) + len(ids[other])
    return len(chosen) < limits.most and length <= limits.room


def _shared(passages: Sequence[Passage], vocabulary: Vocabulary) -> dict[Pair, float]:
    """Pairs that share rare words, with how much of what sets them apart is in common, 0 to 1."""
    holders: dict[str, list[int]] = defaultdict(list)
    norms = [1.0] * len(passages)
    for at, passage in enumerate(passages):
        for word in passage.weights:
            holders[word].append(at)
            norms[at] += vocabulary.rarity(word) ** 2
    dots: dict[Pair, float] = defaultdict(float)
    counts: dict[Pair, int] = defaultdict(int)
    for word, found in holders.items():
        if 1 < len(found) <= _SHARED_BY:
            weight = vocabulary.rarity(word) ** 2
            for pair in combinations(found, 2):
                dots[pair] += weight
                counts[pair] += 1
    close = {
        (one, other): dot / math.sqrt(norms[one] * norms[other])
        for (one, other), dot in dots.items()
        if counts[one, other] >= _LEAST
    }
    return {pair: score for pair, score in close.items() if score >= _CLOSE}


def linked(passages: Sequence[Passage]) -> Iterator[Pair]:
    """Pairs of which one links to the other: a markdown link, a wikilink, a path in the text."""
    by_path: dict[str, list[int]] = defaultdict(list)
    by_name: dict[str, list[int]] = defaultdict(list)
    for at, passage in enumerate(passages):
        path = passage.note.path
        by_path[path.casefold()].append(at)
        by_name[fold(passage.title)].append(at)
        by_name[path.rpartition("/")[2].rpartition(".")[0].casefold()].append(at)
    for at, passage in enumerate(passages):
        for target in targets(passage):
            heading = fold(target.partition("#")[2].replace("-", " "))
            places = (by_path[path] for path in paths_of(target, passage) if path in by_path)
            found = next(places, None) or by_name.get(fold(target), [])
            if heading:
                found = [one for one in found if fold(passages[one].title) == heading] or found
            elif len(found) > 1:  # which section of the note is meant is for the words to say
                continue
            for other in found[:2]:
                if other != at and passages[other].note is not passage.note:
                    yield (at, other) if at < other else (other, at)


def targets(passage: Passage) -> Iterator[str]:
    """What the passage links to, as written: links, wikilinks, paths of notes in the text."""
    body = passage.body
    if "](" in body or "[[" in body or ".md" in body:
        for found in _LINK.finditer(body[:50_000]):
            target = found[1] or (found[2] or "").partition("|")[0].strip() or found[3] or ""
            if target and "://" not in target:
                yield target


def paths_of(target: str, passage: Passage) -> tuple[str, ...]:
    """The workspace paths that a link may mean: relative to its note, else relative to the root."""
    bare = target.partition("#")[0]
    if not bare:
        return (passage.note.path.casefold(),)
    folder = posixpath.dirname(passage.note.path)
    beside = posixpath.normpath(posixpath.join(folder, bare)).casefold()
    return beside, posixpath.normpath(bare.lstrip("/")).casefold()
