"""Which kind of content a text is, and its extract; plain text and markdown where it is no other kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from hippocampus_cli.context.lifecycle.extract import (
    Extract,
    data,
    extracted,
    listing,
    log,
    markup,
    short,
    source_code,
)
from hippocampus_cli.context.lifecycle.policies import contains

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
    *(markup.extract_markup, log.extract_log, data.extract_table),
    *(listing.extract_listing, source_code.extract_source),
)


def extract(text: str, hint: str = "", words: tuple[str, ...] = ()) -> Extract:
    """Summary and key data of a text. ``hint`` is its file's name or its source; ``words`` mark instructions."""
    if (found := data.extract_json(text, hint)) is not None:
        return found
    sample = _without_numbers(_sample(text))
    if hint.lower().endswith(_PROSE):
        return extract_text(sample, words)
    for extract_kind in _KINDS:
        if (found := extract_kind(sample, hint)) is not None:
            return found
    return extract_text(sample, words)


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


_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]{1,200})$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_URL = re.compile(r"https?://[^\s<>\"'`)\]]{3,300}")
_TOKEN_ENDS = "`'\"()[]{}<>,;:!?."
_MOST_TEXT = 200_000
_MOST = 20
_SENTENCES = 6
_MOST_SENTENCES = 5_000


def extract_text(text: str, words: tuple[str, ...] = ()) -> Extract:
    """The extract of any text; sentences with one of ``words`` come first."""
    text = text[:_MOST_TEXT]
    prose = "".join(text.split("```")[::2])  # headings and sentences do not stand in code
    headings = [short(title, 100) for title in _HEADING.findall(prose)]
    sentences = _sentences(_HEADING.sub("", prose) if len(headings) > 1 else prose)
    sentences = sentences or _sentences(text)
    told = [one for one in sentences if words and contains(one, words)]
    lines = list(dict.fromkeys([*told, *sentences[:_SENTENCES]]))
    if len(headings) > 1:
        lines.insert(len(told), f"headings: {short(', '.join(headings[:12]), 400)}")
    urls = list(dict.fromkeys(short(url.rstrip(".,;:"), 300) for url in _URL.findall(text)))
    return extracted("text", lines[:_MOST], urls=urls[:_MOST], paths=_paths(text))


def _sentences(text: str) -> list[str]:
    split = _SENTENCE.split(text, _MOST_SENTENCES)[:_MOST_SENTENCES]
    parts = (short(part.strip().lstrip("#>*- "), 300) for part in split)
    return [part for part in parts if any(char.isalnum() for char in part)]


def _paths(text: str) -> list[str]:
    """What looks like a path: words with a slash in them and letters on both its sides."""
    found: dict[str, None] = {}
    for word in text.split():
        bare = word.strip(_TOKEN_ENDS)
        if "/" in bare and 3 < len(bare) <= 200 and "//" not in bare and _is_path(bare):
            found[short(bare)] = None
    return list(found)[:_MOST]


def _is_path(word: str) -> bool:
    folder, _, name = word.rstrip("/").rpartition("/")
    return "." in name or word.endswith("/") or folder.startswith((".", "~", "/")) or "/" in folder
