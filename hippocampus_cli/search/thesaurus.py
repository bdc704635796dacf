"""Words related to a word: what a text may say instead of it.

They are read, when first asked for, from a file of sorted text: a word a line, its terms, then
related terms with their similarity in hundredths, nearest first. ``bench/fit/thesaurus.py`` makes
the file; without it a search finds what it would find anyway.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hippocampus_cli.text.terms import TERMS_VERSION

FILE = Path(__file__).parent / "data" / "thesaurus.txt"


class Thesaurus:
    """Related words by the terms of a word, or of a phrase with spaces between."""

    def __init__(self, data: bytes) -> None:
        first, _, lines = data.partition(b"\n")
        # terms of another version would meet the wrong words
        self._lines = lines if first == b"#\t%d" % TERMS_VERSION else b""

    def related(self, terms: str) -> dict[str, float]:
        """What ``terms`` is related to, with similarities 0 to 1; empty if unknown."""
        return _read(_line(self._lines, terms.encode(errors="replace") + b"\t"))


@cache
def thesaurus() -> Thesaurus:
    """The one that comes with the package; an empty one if it cannot be read."""
    try:
        return Thesaurus(FILE.read_bytes())
    except OSError:
        return Thesaurus(b"")


def _line(data: bytes, key: bytes) -> bytes:
    """The line of sorted ``data`` that begins with ``key``; empty if there is none."""
    low, high = 0, len(data)
    while low < high:
        begin = data.rfind(b"\n", 0, (low + high) // 2) + 1
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        line = data[begin:end]
        if line.startswith(key):
            return line
        if line < key:
            low = end + 1
        else:
            high = begin
    return b""


def _read(line: bytes) -> dict[str, float]:
    found = {}
    for item in line.decode(errors="replace").split("\t")[1:]:
        terms, _, hundredths = item.rpartition("=")
        if terms.strip() and hundredths.isascii() and hundredths.isdigit() and len(hundredths) < 3:
            found[terms] = int(hundredths) / 100
    return found
