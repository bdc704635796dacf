"""Any other text: its headings and first lines; how a command ended; paths and addresses to the letter."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import PurePath

from hippocampus_cli.context.extract import Extract, Value, counted, filled, short
from hippocampus_cli.context.key_data import PLURALS, key_data
from hippocampus_cli.context.phrases import contains

_PROSE = (".md", ".markdown", ".mdx", ".txt", ".rst", ".org")
_HEADING = re.compile(r"^#{1,6}[ \t]+([^\n]{1,200})$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_TRACE = re.compile(
    r"^Traceback \(most recent call last\)|^ +at [\w$.<>/\[\] ]+\(|^ +File \"[^\"]+\", line \d+"
    r"|^panic: |^goroutine \d+|^thread '.*' panicked|^Caused by: |^Exception in thread ",
    re.MULTILINE,
)
_EXIT = re.compile(
    r"\bexit(?:ed)?(?: with)?(?: (?:code|status))?\s{0,3}[:=]?\s{0,3}\(?(-?\d{1,3})\b"
    r"|\b(?:exit |return)code\s{0,3}[:=]?\s{0,3}(-?\d{1,3})\b",
    re.IGNORECASE,
)
_MOST_TEXT = 200_000  # characters
_MOST, _SENTENCES, _MOST_SENTENCES = 20, 6, 5_000
_LONGEST = 2_000  # characters of a line that are looked at


def is_prose(hint: str) -> bool:
    """Whether a file of this name is written to be read."""
    return hint.lower().endswith(_PROSE)


def extract_text(text: str, hint: str, words: tuple[str, ...]) -> Extract:
    """The extract of a text, of kind ``error`` where it says that something failed; sentences with one of ``words``
    come first."""
    ended = {} if is_prose(hint) else outcome(text)
    failed = ended.get("exit_code", "0") != "0" or ("errors" in ended and _TRACE.search(text))
    ended.pop("last_line", None)
    text = text[:_MOST_TEXT]
    prose = "".join(text.split("```")[::2])  # headings and sentences do not stand in code
    titled = is_prose(hint) or not PurePath(hint).suffix
    headings = [short(title, 100) for title in _HEADING.findall(prose)] if titled else []
    sentences = _sentences(_HEADING.sub("", prose) if len(headings) > 1 else prose)
    sentences = sentences or _sentences(text)
    told = [sentence for sentence in sentences if contains(sentence, words)]
    lines = list(dict.fromkeys([*told, *sentences[:_SENTENCES]]))
    if len(headings) > 1:
        lines.insert(len(told), f"headings: {short(', '.join(headings[:12]), 400)}")
    elif len(sentences) > _SENTENCES:
        lines.insert(len(told), counted(text.count("\n") + 1, "line"))
    named: dict[str, list[str]] = defaultdict(list)
    for datum in key_data(text, ("url", "path")):
        named[PLURALS[datum.kind].lower()].append(short(datum.text, 300))
    values = {name: found[:_MOST] for name, found in named.items()}
    kind = "error" if failed else "text"
    return Extract(kind, "\n".join(lines[:_MOST]), {**ended, **values})


def outcome(text: str) -> dict[str, Value]:
    """How a command ended, whatever its output is: the lines that speak of errors, the last line, the exit code."""
    lines = [line[:_LONGEST].strip() for line in text.split("\n") if line.strip()]
    codes = (_EXIT.search(line[-200:]) for line in reversed(lines[-20:]))
    errors = [short(datum.text, 200) for datum in key_data("\n".join(lines), ("error",))]
    return filled(
        {
            "exit_code": next((code[1] or code[2] for code in codes if code), None),
            "errors": errors,
            "last_line": short(lines[-1], 200) if lines else None,
        }
    )


def _sentences(text: str) -> list[str]:
    split = _SENTENCE.split(text, _MOST_SENTENCES)[:_MOST_SENTENCES]
    parts = (short(part.strip().lstrip("#>*- "), 300) for part in split)
    return [part for part in parts if any(char.isalnum() for char in part)]
