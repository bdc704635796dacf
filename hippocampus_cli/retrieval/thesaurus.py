"""Words related to a word: what a text may say instead. A file beside the package's code holds them.

The file is sorted text, a word a line: its stems, then related stems with their similarity in
hundredths, nearest first. It is read when first asked for, and its absence only costs its help.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from hippocampus_cli.retrieval.tokens import TOKENS_VERSION

_FILE = Path(__file__).parent.parent / "search_data" / "thesaurus.txt"
LONGEST = 3
"""Words of the longest phrase that has related words."""


class Thesaurus:
    """Related words by the stems of a word, or of a phrase with spaces between."""

    def __init__(self, data: bytes) -> None:
        lines = data.split(b"\n")
        # stems of another version would meet the wrong words
        self._lines = lines[1:] if lines[0] == b"#\t%d" % TOKENS_VERSION else []

    def related(self, stems: str) -> Mapping[str, float]:
        """What ``stems`` is related to, with similarities above 0 and below 1; empty if unknown."""
        key = stems.encode(errors="replace") + b"\t"
        at = bisect_left(self._lines, key)
        if at == len(self._lines) or not self._lines[at].startswith(key):
            return {}
        return dict(_readable(self._lines[at]))


@cache
def thesaurus() -> Thesaurus:
    """The one that comes with the package; an empty one if it cannot be read."""
    try:
        return Thesaurus(_FILE.read_bytes())
    except OSError:
        return Thesaurus(b"")


def _readable(line: bytes) -> list[tuple[str, float]]:
    found = []
    for item in line.decode(errors="replace").split("\t")[1:]:
        stems, _, hundredths = item.rpartition("=")
        if stems and hundredths.isdecimal() and 0 < int(hundredths) < 100:
            found.append((stems, int(hundredths) / 100))
    return found
