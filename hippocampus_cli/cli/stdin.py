"""Standard input as text, whatever bytes it holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def text_of(words: Sequence[str]) -> str:
    """What the words of a command say; a single dash is what stands on standard input."""
    return standard_input() if list(words) == ["-"] else " ".join(words)


def standard_input() -> str:
    """All of it; bytes that are no UTF-8 survive as surrogate escapes."""
    from hippocampus_cli.markdown.lines import decode

    return decode(sys.stdin.buffer.read()).removeprefix("\ufeff")
