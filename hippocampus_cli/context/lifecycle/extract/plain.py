"""Plain text and markdown: instructions first, then headings and first sentences; links and paths kept."""

from __future__ import annotations

import re

from hippocampus_cli.context.lifecycle.extract.extract import Extract, Value, short
from hippocampus_cli.context.lifecycle.policies import contains

_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]{1,200})$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_URL = re.compile(r"https?://[^\s<>\"'`)\]]{3,300}")
_TOKEN_ENDS = "`'\"()[]{}<>,;:!?."
_MOST_READ = 200_000
_MOST = 20
_SENTENCES = 6
_MOST_SENTENCES = 5_000


def extract(text: str, words: tuple[str, ...] = ()) -> Extract:
    """The extract of any text; sentences with one of ``words`` come first."""
    text = text[:_MOST_READ]
    prose = "".join(text.split("```")[::2])  # headings and sentences do not stand in code
    headings = [short(title, 100) for title in _HEADING.findall(prose)]
    sentences = _sentences(_HEADING.sub("", prose) if len(headings) > 1 else prose)
    sentences = sentences or _sentences(text)
    told = [one for one in sentences if words and contains(one, words)]
    lines = list(dict.fromkeys([*told, *sentences[:_SENTENCES]]))
    if len(headings) > 1:
        lines.insert(len(told), f"headings: {short(', '.join(headings[:12]), 400)}")
    data: dict[str, Value] = {}
    if urls := list(dict.fromkeys(short(url.rstrip(".,;:"), 300) for url in _URL.findall(text))):
        data["urls"] = urls[:_MOST]
    if paths := _paths(text):
        data["paths"] = paths
    return Extract("text", "\n".join(lines[:_MOST]), data)


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
