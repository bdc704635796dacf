"""Stand-in."""

from __future__ import annotations

import re
from datetime import date


def period_of(path: str) -> tuple[date, date] | None:
    found = re.search(r"(\d{4})-(\d\d)-(\d\d)", path)
    if not found:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
    return day, day
