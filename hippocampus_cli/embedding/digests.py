"""Which text a vector is of: a digest tells texts apart without keeping them, whatever the model. Needs no numpy."""

from __future__ import annotations

try:  # what hashlib would import beside it takes longer than all digests of most notes
    from _blake2 import blake2b
except ImportError:  # a Python that was built without its own
    from hashlib import blake2b

BYTES = 16
LONGEST = 900  # characters of a unit that are embedded; a model reads little more at once


def digest_of(text: str) -> bytes:
    """``BYTES`` bytes; equal for equal texts only."""
    # surrogatepass: a note's bytes that were not UTF-8 are lone surrogates here
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=BYTES).digest()


def embedded(text: str, title: str = "") -> str:
    """What of a unit's text is embedded, below the title of its section: a bullet seldom repeats what that says."""
    own = text.strip()[:LONGEST]
    return f"{title}: {own}" if title else own
