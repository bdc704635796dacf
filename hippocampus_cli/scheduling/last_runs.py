"""When each cycle last ran, as upkeep wrote it down."""

from __future__ import annotations

import json
from pathlib import Path

from hippocampus_cli.workspace.own_files import META

CYCLES = ("daily", "weekly", "monthly")


def last_runs(root: Path) -> dict[str, str | None]:
    """Each cycle's last moment in ISO 8601, None where it has not run or the file does not say."""
    try:
        noted = json.loads((root / META).read_bytes())["cycles"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        noted = None
    moments = noted if isinstance(noted, dict) else {}
    return {cycle: _text(moments.get(cycle)) for cycle in CYCLES}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
