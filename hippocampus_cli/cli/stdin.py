"""Standard input as text, whatever bytes it holds."""

from __future__ import annotations

import sys


def standard_input() -> str:
    """All of it; bytes that are no UTF-8 survive as surrogate escapes."""
    from hippocampus_cli.markdown.lines import decode

    return decode(sys.stdin.buffer.read()).removeprefix("\ufeff")
