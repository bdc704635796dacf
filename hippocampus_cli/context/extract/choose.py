"""Which kind of content a text is, and its extract; plain text where it is no other kind."""

from __future__ import annotations

import re
from itertools import pairwise

from hippocampus_cli.context.extract import Extract, short
from hippocampus_cli.context.extract.data import extract_json
from hippocampus_cli.context.extract.markup import extract_markup
from hippocampus_cli.context.extract.source import extract_source
from hippocampus_cli.context.extract.text import extract_text, is_prose

_MOST_READ = 1_000_000  # characters; of a longer text its beginning and its end are read
_NUMBER = re.compile(r" {0,8}(\d{1,7})(?:\t|→|: | {2})")
_NUMBERS_TRIED = 5


def extract(text: str, hint: str = "", words: tuple[str, ...] = ()) -> Extract:
    """Summary and key data of a text. ``hint`` is its file's name or its source; ``words`` mark instructions."""
    if (made := extract_json(text)) is not None:
        return made
    if len(text) > _MOST_READ:
        head = _MOST_READ * 3 // 4
        text = f"{text[:head]}\n{text[head - _MOST_READ :]}"
    text = _without_numbers(text)
    structured = None if is_prose(hint) else extract_markup(text) or extract_source(text, hint)
    return structured or extract_text(text, hint, words)


def extract_binary(content: bytes, hint: str) -> Extract:
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
