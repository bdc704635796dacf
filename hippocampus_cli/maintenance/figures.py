"""The health of an index in figures, as kept in ``.hippocampus/meta.json`` (INDEX §9.2)."""

from __future__ import annotations

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.hierarchy import Hierarchy


def figures(index: Hierarchy, clock: DecayClock, bands: Bands, notes: int) -> dict[str, object]:
    """The health of an index in figures."""
    strengths = [clock.strength(one.entry) for one in index.entries]
    counts = dict.fromkeys(map(str, Band), 0)
    for strength in strengths:
        counts[band(strength, bands).value] += 1
    return {
        "entries": len(strengths),
        "in_topics": len(strengths) - len(index.master.entries),
        "archived": len(index.archived),
        "tokens": tokens(index.master.text),
        "notes": notes,
        "strength": round(sum(strengths) / len(strengths), 4) if strengths else None,
        "bands": counts,
    }
