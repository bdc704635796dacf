"""Which kind of content a text is, and its extract."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from hippocampus_cli.context.lifecycle.extract import (
    data,
    listing,
    log,
    markup,
    plain,
    source_code,
    table,
)
from hippocampus_cli.context.lifecycle.extract.extract import Extract, short

_MOST_READ = 1_000_000  # characters; of a longer text its beginning and its end are read
_BINARY = "binary"
_PROSE = (".md", ".markdown", ".mdx", ".txt", ".rst", ".org")
_NUMBER = re.compile(r" {0,8}(\d{1,7})(?:\t|→|: | {2})")
_NUMBERS_TRIED = 5
_MAGIC = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "gzip data",
    b"\x7fELF": "an ELF program",
    b"SQLite format 3": "an SQLite database",
}
# Data parses or does not, so it comes first; what only looks like something comes later.
_KINDS: tuple[Callable[[str, str], Extract | None], ...] = (
    *(markup.extract, log.extract, table.extract, listing.extract, source_code.extract),
)


def extract(text: str, hint: str = "", words: tuple[str, ...] = ()) -> Extract:
    """Summary and key data of a text. ``hint`` is its file's name or its source; ``words`` mark instructions."""
    if (found := data.extract(text, hint)) is not None:
        return found
    sample = _without_numbers(_sample(text))
    if hint.lower().endswith(_PROSE):
        return plain.extract(sample, words)
    for extract_kind in _KINDS:
        if (found := extract_kind(sample, hint)) is not None:
            return found
    return plain.extract(sample, words)


def extract_binary(content: bytes, hint: str = "") -> Extract:
    """The extract of content that is no text."""
    what = next(
        (name for magic, name in _MAGIC.items() if content.startswith(magic)), "binary data"
    )
    name = f" ({short(hint, 80)})" if hint else ""
    return Extract(_BINARY, f"{what}, {len(content):,} bytes{name}")


def _without_numbers(text: str) -> str:
    """The text without the line numbers that a viewer put before its lines."""
    head = [_NUMBER.match(line) for line in text.split("\n", _NUMBERS_TRIED)[:_NUMBERS_TRIED]]
    numbers = [int(found[1]) for found in head if found]
    if len(numbers) < 3 or any(b != a + 1 for a, b in pairwise(numbers)):
        return text
    return "\n".join(_NUMBER.sub("", line, count=1) for line in text.split("\n"))


def _sample(text: str) -> str:
    if len(text) <= _MOST_READ:
        return text
    head = _MOST_READ * 3 // 4
    return text[:head] + "\n" + text[head - _MOST_READ :]
