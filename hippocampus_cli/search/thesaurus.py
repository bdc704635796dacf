"""Words related to a word: what a text may say instead of it.

They are read, when first asked for, from a file of sorted text: a word a line, its terms, then
related terms with their similarity in hundredths, nearest first. ``bench/fit/thesaurus.py`` makes
the file; without it a search finds what it would find anyway.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from pathlib import Path

from hippocampus_cli.text.terms import TERMS_VERSION

FILE = Path(__file__).parent / "data" / "thesaurus.txt"


def related(terms: str, data: bytes | None = None) -> dict[str, float]:
    """What the terms of a word, or of a phrase with spaces between, are related to, with similarities 0 to 1; empty
    if unknown, or where the file, or ``data`` instead of it, cannot be read."""
    found = {}
    line = _line(thesaurus() if data is None else data, terms.encode(errors="replace") + b"\t")
    for item in line.decode(errors="replace").split("\t")[1:]:
        term, _, hundredths = item.rpartition("=")
        if term.strip() and hundredths.isascii() and hundredths.isdigit() and len(hundredths) < 3:
            found[term] = int(hundredths) / 100
    return found


@cache
def thesaurus() -> bytes:
    """The file that comes with the package; nothing if it cannot be read."""
    try:
        return FILE.read_bytes()
    except OSError:
        return b""


def _line(data: bytes, key: bytes) -> bytes:
    """The line of sorted ``data`` that begins with ``key``; empty if there is none."""

    def line(at: int) -> bytes:
        return data[data.rfind(b"\n", 0, at) + 1 : data.find(b"\n", at)]

    head = b"#\t%d\n" % TERMS_VERSION  # terms of another version would meet the wrong words
    if not data.startswith(head):
        return b""
    found = line(bisect_left(range(len(data)), key, len(head), key=line))
    return found if found.startswith(key) else b""
