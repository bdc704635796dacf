"""Which kind of content a text is, and its extract; plain text and markdown where it is no other kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import PurePath

from hippocampus_cli.context.extract import (
    Extract,
    data,
    listing,
    log,
    markup,
    short,
    source,
)
from hippocampus_cli.context.key_data import grouped, key_data
from hippocampus_cli.context.phrases import contains

_MOST_READ = 1_000_000  # characters; of a longer text its beginning and its end are read
_PROSE = (".md", ".markdown", ".mdx", ".txt", ".rst", ".org")
_NUMBER = re.compile(r" {0,8}(\d{1,7})(?:\t|→|: | {2})")
_NUMBERS_TRIED = 5
# Data parses or does not, so it comes first; what only looks like something comes later.
_KINDS: tuple[Callable[[str, str], Extract | None], ...] = (
    *(markup.extract_markup, log.extract_log, listing.extract_listing, source.extract_source),
)


def extract(text: str, hint: str = "", words: tuple[str, ...] = ()) -> Extract:
    """Summary and key data of a text. ``hint`` is its file's name or its source; ``words`` mark instructions."""
    if (made := data.extract_json(text)) is not None:
        return made
    if len(text) > _MOST_READ:
        head = _MOST_READ * 3 // 4
        text = f"{text[:head]}\n{text[head - _MOST_READ :]}"
    text = _without_numbers(text)
    if not hint.lower().endswith(_PROSE):
        for extract_kind in _KINDS:
            if (made := extract_kind(text, hint)) is not None:
                return made
    named = PurePath(hint).suffix.lower()
    return extract_text(text, words, titled=not named or named in _PROSE)


def extract_binary(content: bytes, hint: str = "") -> Extract:
    """The extract of content that is no text."""
    name = f" ({short(hint, 80)})" if hint else ""
    return Extract("binary", f"binary data, {len(content):,} bytes{name}")


def _without_numbers(text: str) -> str:
    """The text without the line numbers that a viewer put before its lines."""
    head = map(_NUMBER.match, text.split("\n", _NUMBERS_TRIED)[:_NUMBERS_TRIED])
    numbers = [int(number[1]) for number in head if number]
    if len(numbers) < 3 or any(after != before + 1 for before, after in pairwise(numbers)):
        return text
    return "\n".join(_NUMBER.sub("", line, count=1) for line in text.split("\n"))


_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]{1,200})$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_MOST_TEXT = 200_000  # characters
_MOST, _SENTENCES, _MOST_SENTENCES = 20, 6, 5_000


def extract_text(text: str, words: tuple[str, ...] = (), *, titled: bool = True) -> Extract:
    """The extract of any text; sentences with one of ``words`` come first. ``titled``: it may have headings."""
    text = text[:_MOST_TEXT]
    prose = "".join(text.split("```")[::2])  # headings and sentences do not stand in code
    headings = [short(title, 100) for title in _HEADING.findall(prose)] if titled else []
    sentences = _sentences(_HEADING.sub("", prose) if len(headings) > 1 else prose)
    sentences = sentences or _sentences(text)
    told = [sentence for sentence in sentences if words and contains(sentence, words)]
    lines = list(dict.fromkeys([*told, *sentences[:_SENTENCES]]))
    if len(headings) > 1:
        lines.insert(len(told), f"headings: {short(', '.join(headings[:12]), 400)}")
    named = grouped(key_data(text, ("url", "path")), _MOST)
    values = {name: [short(value, 300) for value in found] for name, found in named.items()}
    return Extract("text", "\n".join(lines[:_MOST]), values)


def _sentences(text: str) -> list[str]:
    split = _SENTENCE.split(text, _MOST_SENTENCES)[:_MOST_SENTENCES]
    parts = (short(part.strip().lstrip("#>*- "), 300) for part in split)
    return [part for part in parts if any(char.isalnum() for char in part)]
