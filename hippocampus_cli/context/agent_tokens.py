"""Tokens as the agents themselves estimate them, characters / 4: a transcript's sizes and the window's are compared
with figures that the agent made so. For its own files and answers there is :mod:`hippocampus_cli.markdown.tokens`.
"""

from __future__ import annotations


def tokens(text: str) -> int:
    """The tokens of ``text`` as Pi and the compaction extension count them, rounded up."""
    return -(-len(text) // 4)
