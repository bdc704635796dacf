"""Reading and writing the typed values of an entry's metadata (INDEX §5.2, §13).

Reading is lenient and never raises: a value that cannot be read is ``None`` and ``checks`` reports it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum

from hippocampus_cli.index.escape import FIELD, LIST_ITEM, escape, unescape
from hippocampus_cli.light import pattern

REQUIRED = ("id", "created", "accessed", "hits", "str")
_DATE = pattern(r"\d{4}-\d\d-\d\d$")
_ID = pattern(r"[^\W_]+", re.UNICODE)


class Priority(StrEnum):
    """``pri``: amygdala never decays, low decays twice as fast."""

    AMYGDALA = "amygdala"
    NORMAL = "normal"
    LOW = "low"


class Source(StrEnum):
    """``src``: how the entry came to be."""

    DEFRAG = "defrag"
    MANUAL = "manual"
    RETRIEVAL = "retrieval"
    AUTO = "auto"


def read_text(raw: str) -> str:
    """A plain value, unescaped, on one line."""
    return " ".join(unescape(raw).split())


def write_text(value: str) -> str:
    """A plain value for a metadata comment."""
    return escape(" ".join(value.split()), FIELD)


def read_list(raw: str) -> tuple[str, ...]:
    """A comma-separated value; empty items are dropped, order is kept."""
    return tuple(text for piece in raw.split(",") if (text := read_text(piece)))


def write_list(values: Iterable[str]) -> str:
    """Values as one comma-separated field."""
    return ",".join(escape(" ".join(value.split()), LIST_ITEM) for value in values if value.strip())


def read_date(raw: str) -> date | datetime | None:
    """An ISO date, or an ISO date-time, which stays one (decision D9)."""
    try:
        return date.fromisoformat(raw) if _DATE.match(raw) else datetime.fromisoformat(raw)
    except ValueError:
        return None


def write_date(value: date | datetime) -> str:
    """A date as ``YYYY-MM-DD``, a date-time in ISO form to the second."""
    return value.isoformat("T", "seconds") if isinstance(value, datetime) else value.isoformat()


def read_int(raw: str) -> int | None:
    """A whole number of zero or more."""
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 16 else None


def read_float(raw: str) -> float | None:
    """A finite number, not clamped."""
    try:
        value = float(raw)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def write_strength(value: float, digits: int = 2) -> str:
    """A strength with two decimals; a base with up to four, where they say something."""
    text = f"{value:.{digits}f}"
    return text if digits <= 2 else re.sub(r"(\.\d\d\d*?)0+$", r"\1", text)


def slug(text: str, limit: int = 40) -> str:
    """``text`` as an id: lower case, words joined by ``-``, cut at a word within ``limit`` characters."""
    words = _ID.findall(text.casefold())
    kept: list[str] = []
    length = 0
    for word in words:
        if kept and length + len(word) + 1 > limit:
            break
        kept.append(word[:limit])
        length += len(word) + 1
    return "-".join(kept) or "entry"


_LEADING = pattern(
    r"(?:\s|[#→`~<>|+*=_-](?![\w(]))+|->|→|<!--|```+|~~~+|#+(?=\s|$)|[-*+](?=\s)|\d+[.)](?=\s)"
)


def plain_line(text: str) -> str:
    """``text`` on one line, without what would make it a heading, a list, a fence, a comment or a pointer."""
    line = " ".join(text.replace("\ufeff", "").split())
    while found := _LEADING.match(line):
        line = line[max(1, found.end()) :].lstrip()
    return re.sub(r"(?:\s#+)+$", "", line)
