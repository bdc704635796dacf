"""The company that words keep: stems that stand with others more than chance would have them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import log

from hippocampus_cli.anchors.wording import Lexicon
from hippocampus_cli.search.tokens import is_stop

MOST = 8
"""Stems that one anchor keeps company with, at most."""
_SAMPLE = 60  # chunks that are looked at, however many hold the stems
_OFTEN, _FEW = (
    0.05,
    20,
)  # a stem in more of all chunks than this share says too little; in a few it may
_TOGETHER = 0.1  # the least share of the anchor's chunks that a stem of its company stands in
_SURE = 10.83  # log-likelihood ratio (Dunning): chance makes one in a thousand


def company(
    stems: Collection[str], lexicon: Lexicon, but: Collection[str] = ()
) -> dict[str, float]:
    """The stems that stand where all of ``stems`` do, each with how firmly (normalised PMI, 0 to 1).

    Only what chance explains with less than one in a thousand, the firmest ``MOST``; none of ``but``.
    """
    held = lexicon.holding(stems, _SAMPLE)
    if len(held) < 2:
        return {}
    counts: Counter[str] = Counter()
    for one in held:
        counts.update(one)
    total, here = lexicon.chunks, len(held)
    often, least = max(_FEW, total * _OFTEN), max(2, here * _TOGETHER)
    found = []
    for stem, both in counts.items():
        if both < least or stem in stems or stem in but or is_stop(stem):
            continue
        there = max(lexicon.frequency(stem), both)
        if there > often:
            continue
        if both * total > there * here and (sure := _ratio(both, here, there, total)) > _SURE:
            found.append((-sure, stem, both))
    return {
        stem: _bond(both, here, max(lexicon.frequency(stem), both), total)
        for _, stem, both in sorted(found)[:MOST]
    }


def _ratio(both: int, here: int, there: int, total: int) -> float:
    """Dunning's G² of the four fields: with both, with the one, with the other, with neither."""
    neither = max(total - here - there + both, 0)
    rows = ((both, here - both), (there - both, neither))
    columns = (both + there - both, here - both + neither)
    whole = sum(map(sum, rows))
    ratio = 0.0
    for row in rows:
        for count, column in zip(row, columns, strict=True):
            if count:
                ratio += count * log(count * whole / (sum(row) * column))
    return 2.0 * ratio


def _bond(both: int, here: int, there: int, total: int) -> float:
    """Normalised pointwise mutual information: 0 for chance, 1 for never apart."""
    if both >= total:
        return 0.0
    bond = log(both * total / (here * there)) / -log(both / total)
    return round(min(1.0, max(0.0, bond)), 4)
