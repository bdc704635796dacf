"""How often a slow law is tried."""

from __future__ import annotations

import os

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"


def tries(short: int, long: int) -> int:
    """``long`` in ``make test-long``, ``short`` otherwise."""
    return long if LONG else short
