"""``hippocampus.config.json``, honoured as the reference honours it: no value is checked."""

from __future__ import annotations

import json
from typing import Any

Settings = dict[str, Any]
_NESTED = ("decayRates", "retentionFloor")


def defaults() -> Settings:
    """The reference's settings."""
    return {
        "decayRates": {
            "decision": 0.03,
            "user_intent": 0.05,
            "context": 0.12,
            "tool_result": 0.20,
            "ephemeral": 0.35,
            "unknown": 0.15,
        },
        "sparseThreshold": 0.25,
        "compressThreshold": 0.65,
        "retentionFloor": {"decision": 0.50, "user_intent": 0.35},
        "maxSparseIndexTokens": 2500,
        "debug": False,
        "logFile": ".pi/hippocampus.log",
    }


def read_settings(text: str | None) -> tuple[Settings, str | None]:
    """The settings of a file's text, and what was wrong with it: then they are the defaults.

    The two maps are merged one level deep, all else replaces the default, ``null`` too.
    """
    made = defaults()
    if text is None:
        return made, None
    try:
        given = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        return made, str(error)
    if not isinstance(given, dict):
        return made, "it holds no object"
    merged = {**made, **given}
    for key in _NESTED:
        inner = given.get(key)
        merged[key] = {**made[key], **(inner if isinstance(inner, dict) else {})}
    return merged, None


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")
