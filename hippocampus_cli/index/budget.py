"""Token estimates: everything that hippo counts, it counts as characters / 4, rounded up."""

from __future__ import annotations


def tokens(text: str) -> int:
    """The estimated tokens of ``text``."""
    return -(-len(text) // 4)
