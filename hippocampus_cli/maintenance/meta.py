"""``.hippocampus/meta.json``: when each cycle ran, how far upkeep has read, and the index's figures (INDEX §9.2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.config.settings import Bands
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.workspace.own_files import META, is_inside

_VERSION = 1


@dataclass(frozen=True)
class Meta:
    """When each cycle last ran; up to when the journal is folded in and defrag cycles are replayed."""

    cycles: Mapping[str, datetime] = field(default_factory=dict)
    folded: datetime | None = None
    replayed: datetime | None = None


def read_meta(root: Path) -> Meta:
    """What the file says; nothing where there is none, or none that can be read."""
    path = root / META
    try:
        if not is_inside(root, path):
            return Meta()
        row: Any = json.loads(path.read_bytes())
        cycles = {str(name): datetime.fromisoformat(at) for name, at in row["cycles"].items()}
        folded, replayed = (_moment(row.get(name)) for name in ("folded", "replayed"))
        if any(at.tzinfo is None for at in (*cycles.values(), folded, replayed) if at):
            return Meta()
        return Meta(cycles, folded, replayed)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return Meta()


def written(meta: Meta, stats: Mapping[str, object]) -> bytes:
    """The file's bytes."""
    row = {
        "version": _VERSION,
        "cycles": {name: _text(at) for name, at in meta.cycles.items()},
        "folded": _text(meta.folded),
        "replayed": _text(meta.replayed),
        "index": dict(stats),
    }
    return f"{json.dumps(row, indent=1)}\n".encode()


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


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat("T", "seconds") if moment else None
