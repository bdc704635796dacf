"""What earlier questions with the same words were answered with: the journal as a memory of its own (INDEX §6.1).

Where several places have the words of a short cue, the one comes first that answered such questions before. Only what
was sure was written down as used, and only a part of the journal's end is read, so that a question stays fast.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from math import log
from pathlib import Path

from hippocampus_cli.query.fusion import Candidate, Places
from hippocampus_cli.text.tokenizer import forms, is_stop, words_of
from hippocampus_cli.workspace.journal import Event, events_of
from hippocampus_cli.workspace.own_files import JOURNAL, is_inside
from hippocampus_cli.workspace.regular import bytes_of, open_regular

_READ = 200_000  # bytes of the end of a month: some seven hundred questions
_ALIKE = 0.5  # of the words of this question, by how rare they are, that an earlier one must have
_FIRST = 1  # questions that an entry is given less than it answered: one alone may be chance
_ADDS = 1.5  # to the score of a place that answered all earlier questions with these words
_COARSE = 0.7  # of that for an entry that leads to more than the place
_ESCAPED = (
    rb"\u"  # so JSON begins each letter beyond ASCII, which its stem may have without the accent
)
_COMPARED = 14  # places that are looked at


def answered_before(
    candidates: list[Candidate], places: Places, stems: AbstractSet[str], now: datetime
) -> list[Candidate]:
    """The candidates anew in order: those first that answered earlier questions with the words of this one."""
    told = frozenset(stem for stem in stems if not is_stop(stem))
    if not told or not candidates or not (shares := _shares(places.root, told, now)):
        return candidates
    for one in candidates[:_COMPARED]:
        if any(located.key in shares for located, _ in places.index.pointers.get(one.path, ())):
            nearest = places.covering(one.path, one.section)[:1]
            for covering in nearest:
                share = shares.get(covering.located.key, 0.0) * one.coverage
                one.score += _ADDS * share * (1.0 if covering.exact else _COARSE)
    return sorted(candidates, key=lambda one: (-one.score, one.path, one.section.ordinal))


def _shares(root: Path, told: frozenset[str], now: datetime) -> dict[str, float]:
    """By the key of an entry how much of what was asked in these words it answered, 0 to 1."""
    events = [
        (found, one.used)
        for one in _events(root, told, now)
        if one.used and (found := told & _stems(one.query))
    ]
    rarity = {
        stem: log(1 + (len(events) + 1) / (1 + sum(stem in found for found, _ in events)))
        for stem in told
    }
    whole = sum(rarity.values())
    given: dict[str, float] = {}
    closest: dict[str, float] = {}
    for found, used in events:
        alike = sum(rarity[stem] for stem in found) / whole
        if alike >= _ALIKE:
            for key in used:
                given[key] = given.get(key, 0.0) + alike
                closest[key] = max(closest.get(key, 0.0), alike)
    total = sum(given.values()) + _FIRST
    return {key: closest[key] ** 2 * value / total for key, value in given.items()}


def _stems(question: str) -> frozenset[str]:
    return frozenset(stem for word in words_of(question[:2000]) for stem in forms(word)[:1])


def _events(root: Path, told: Iterable[str], now: datetime) -> Iterator[Event]:
    """The questions of this month and the last that may have one of the words."""
    for month in dict.fromkeys((f"{now:%Y-%m}", f"{now.replace(day=1) - timedelta(days=1):%Y-%m}")):
        if lines := _end_of(root / JOURNAL / f"{month}.jsonl", root).splitlines():
            signs = [_ESCAPED, *map(_sign, told)]
            close = [line for line in lines if any(sign in line.lower() for sign in signs)]
            yield from events_of(b"\n".join(close), now)


def _sign(stem: str) -> bytes:
    """What a journal's line with a word of this stem holds, unless that is :data:`_ESCAPED`; an ending may be another
    one."""
    return (stem[:-1] if len(stem) > 4 else stem).encode()


def _end_of(path: Path, root: Path) -> bytes:
    try:
        if not is_inside(root, path):
            return b""
        descriptor = open_regular(path)
        start = max(0, os.fstat(descriptor).st_size - _READ)
        os.lseek(descriptor, start, os.SEEK_SET)
        data = bytes_of(descriptor, _READ)
    except OSError:
        return b""
    return data.partition(b"\n")[2] if start else data
