"""Words related to a word: what a text may say instead of it.

They are read, when first asked for, from a file of sorted text: a word a line, its terms, then related terms with
their similarity in hundredths, nearest first. ``bench/fit/thesaurus.py`` makes the file; without it a search finds
what it would find anyway.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.terms import TERMS_VERSION

FILE = Path(__file__).parent / "data" / "thesaurus.txt"
_PAIR = pattern(r"\t(\S[^\t]*)=([0-9]{1,2})(?![^\t])")  # a term, and how similar it is


def related(terms: str) -> dict[str, float]:
    """What the terms of a word, or of a phrase with spaces between, are related to, with similarities 0 to 1; empty
    if unknown."""
    lines, key = thesaurus(), terms.encode(errors="replace") + b"\t"
    number = bisect_left(lines, key)
    for line in lines[number : number + 1]:
        if line.startswith(key):
            pairs = _PAIR.findall(line.decode(errors="replace"))
            return {term: int(hundredths) / 100 for term, hundredths in pairs}
    return {}


@cache
def thesaurus() -> Sequence[bytes]:
    """The lines of the file that comes with the package, sorted; none if it cannot be read."""
    try:
        head, *lines = FILE.read_bytes().rstrip().split(b"\n")
    except OSError:
        return ()
    return lines if head == b"#\t%d" % TERMS_VERSION else ()  # others would meet the wrong words
