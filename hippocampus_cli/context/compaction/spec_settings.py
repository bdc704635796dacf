"""The configuration file of the specification (COMPACT, "Configuration").

A ``hippocampus.config.json`` in the workspace has the last word on rates, thresholds, floors and the size of the
sparse index; what of it is no such value is told and left out. Its ``logFile`` is not written: a workspace that
somebody hands over could name a note there.
"""

from __future__ import annotations

import json
from pathlib import Path

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.workspace.regular import read_regular

FILE = "hippocampus.config.json"
_MOST_BYTES = 100_000
_VALUES = {
    "sparseThreshold": ("sparse_threshold", 1.0),
    "compressThreshold": ("compress_threshold", 1.0),
    "maxSparseIndexTokens": ("sparse_tokens", 10_000_000),
}
_GROUPS = {"decayRates": ("rate", 100.0), "retentionFloor": ("floor", 1.0)}
"""What the file names, the setting, and the most that it may be."""


class SpecSettings(NamedTuple):
    """The settings that hold, and what is wrong with the file."""

    settings: Compaction
    notices: tuple[str, ...] = ()


def configured(settings: Compaction, root: Path | None) -> SpecSettings:
    """``settings`` with what the file at ``root`` says."""
    if root is None:
        return SpecSettings(settings)
    try:
        data = read_regular(root / FILE, _MOST_BYTES, whole=True)
        given = json.loads(data.decode("utf-8-sig", "replace"))
    except FileNotFoundError:
        return SpecSettings(settings)
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        return SpecSettings(settings, (f"{FILE}: {reason}; it is left out",))
    if not isinstance(given, dict):
        return SpecSettings(settings, (f"{FILE}: it is no object; it is left out",))
    named = {name: (*_VALUES[name], given[name]) for name in _VALUES.keys() & given.keys()}
    for group, (prefix, most) in _GROUPS.items():
        inner = given.get(group)
        for kind, value in inner.items() if isinstance(inner, dict) else ():
            named[f"{group}.{kind}"] = (f"{prefix}_{kind}", most, value)
    wrong: list[str] = []
    for name, (setting, most, value) in sorted(named.items()):
        if setting not in Compaction._fields:
            wrong.append(f"{FILE}: {name} is no type of message; it is left out")
        elif type(value) in (int, float) and 0 <= value <= most:
            kept = int(value) if setting == "sparse_tokens" else float(value)
            settings = settings._replace(**{setting: kept})  # type: ignore[arg-type]
        else:
            wrong.append(f"{FILE}: {name} is no number from 0 to {most:g}; it is left out")
    return SpecSettings(settings, tuple(wrong))
