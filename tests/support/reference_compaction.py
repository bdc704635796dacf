"""Input and output of the reference implementation, observed (``tests/data/compaction-reference.json``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve()
REFERENCE = HERE.parents[1] / "data" / "compaction-reference.json"


def cases(*functions: str) -> list[Any]:
    """The cases of these functions as parameters of a test."""
    document = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return [
        pytest.param(_expanded(case), id=case["id"])
        for case in document["cases"]
        if case["function"] in functions
    ]


def _expanded(value: Any) -> Any:
    if isinstance(value, dict):
        if set(value) == {"$repeat"}:
            text, count = value["$repeat"]
            return text * count
        return {key: _expanded(inner) for key, inner in value.items()}
    return [_expanded(inner) for inner in value] if isinstance(value, list) else value


TRANSCRIPTS = next(
    (found for folder in HERE.parents if (found := folder / "shared/transcripts").is_dir()), None
)
"""Real session files, where they are at hand."""
