"""A text cut into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?。！？])(?:\s+(?=[^\Wa-z_])|(?<=[。！？])(?=\S))")
_SHORT = re.compile(r"(?:^|[\s(])(?:\d{1,2}|[^\W\d_]{1,2}|[^\W\d_][a-z]{2})\.$")


def sentences_of(text: str) -> Iterator[str]:
    """``text`` cut where a sentence ends; the dot of a short word (``Dr.``) or an ordinal number is no end."""
    waiting = ""
    for part in _END.split(text):
        waiting = f"{waiting} {part}" if waiting else part
        if not _SHORT.search(waiting):
            if waiting.strip():
                yield waiting
            waiting = ""
    if waiting.strip():
        yield waiting
