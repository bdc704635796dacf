"""Words that mean other things as well as a password: in which places they announce one. Pure."""

from __future__ import annotations

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.groups import OPEN
from hippocampus_cli.redaction.judge import is_telling, is_wordy
from hippocampus_cli.redaction.rules import ACCOUNTS

_SET = pattern(
    r"[\"'`*_]{0,3}(?P<joint>\s*(?::=|[=:]|->|→|\s[-–—]\s)\s*|\s+(?=[\"']))"
    rf"{OPEN}(?P<value>[^\s\"'`<>|]+)[\"'`*;,)}}]*\s*(?=\n|\r|$|#)"
)
_NAME_OF = pattern(r"(?P<name>[A-Za-z]*)(?P<mark>[_. \t-]?)$")


def is_setting(text: str, start: int, end: int) -> bool:
    """Whether a word that means other things as well is the name of a setting, and its value looks like a password:
    ``DB_PASS=…``, ``pass = …``; not ``PASS: gateway``, ``boarding pass: …``."""
    found = _SET.match(text, end)
    if not found or not is_telling(found["value"]):
        return False
    line = text[max(0, start - 60) : start].rpartition("\n")[2]
    before = _NAME_OF.search(text[max(0, start - 60) : start])
    if before is None or before["name"].lower() in ACCOUNTS:
        return before is not None
    if found["joint"].strip() not in ("=", ":", ":=", ""):
        return False
    if before["mark"] == "_" and found["joint"].strip() == "=" and line[-2:-1].isupper():
        return True
    named = before["mark"] == "_" or not before["name"] or "user" in line.lower()
    return named and not text[start:end].isupper() and not is_wordy(found["value"])
