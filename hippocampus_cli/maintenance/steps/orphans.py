"""Entries that stand alone, with what they may belong to (INDEX §8.2, "cross-reference audit"). Changes nothing."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from hippocampus_cli.drafting.words import keys
from hippocampus_cli.index import fields
from hippocampus_cli.index.archive import is_queued
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.snapshot import Snapshot

SUGGESTED = 3
"""Entries named beside an orphan at most."""
_SHARED_BY = 8  # a word in more entries than this ties none of them together
_LEAST = 2  # rare words that two entries must share


def orphans(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """A remark for each entry that relates to none and to which none relates; ``after`` are the suggestions."""
    tied = set(_tied(index))
    alone = [one for one in index.entries if _listed(one, snapshot) and one.entry.id not in tied]
    words = {one.key: _words(one) for one in index.entries} if alone else {}
    holders: dict[str, list[str]] = defaultdict(list)
    for key, found in words.items():
        for word in found:
            holders[word].append(key)
    return Planned(index, tuple(_remark(one, _nearest(one.key, words, holders)) for one in alone))


def _tied(index: Hierarchy) -> Iterator[str]:
    """The ids of entries with a relation, on whichever side."""
    for one in index.entries:
        for other in one.entry.rel:
            found = index.find(other)
            if found and found.entry.id in index.ids and found.entry.id != one.entry.id:
                yield from (one.entry.id, found.entry.id)


def _listed(located: Located, snapshot: Snapshot) -> bool:
    entry = located.entry
    asked = entry.form is Form.HEADING and (Kind.ORPHAN, entry.id) not in snapshot.undone
    return asked and located.key == entry.id and not is_queued(located)


def _words(located: Located) -> frozenset[str]:
    entry = located.entry
    return frozenset(keys(" ".join((entry.topic, entry.summary, *entry.tags))))


def _nearest(
    key: str, words: Mapping[str, frozenset[str]], holders: Mapping[str, Sequence[str]]
) -> list[str]:
    """The entries that share rare words with one, those that share the rarest first."""
    scores: dict[str, float] = defaultdict(float)
    shared: Counter[str] = Counter()
    for word in words[key]:
        if len(holders[word]) <= _SHARED_BY:
            weight = math.log((len(words) + 1) / len(holders[word]))
            for other in holders[word]:
                scores[other] += weight
                shared[other] += 1
    near = [other for other in scores if other != key and shared[other] >= _LEAST]
    return sorted(near, key=lambda other: (-round(scores[other], 6), other))[:SUGGESTED]


def _remark(located: Located, near: Sequence[str]) -> Action:
    reason = "no relations, and no entry shares two rare words with it"
    if near:
        reason = (
            f"no relations; where one of these belongs with it, write rel={fields.write_list(near)} "
            f"into the comment of {located.entry.id} in {located.file}"
        )
    return Action(Kind.ORPHAN, located.key, reason, after=", ".join(near))
