"""Tokens as published figures count them, characters / 4; hippo's are in :mod:`hippocampus_cli.markdown.tokens`."""

from __future__ import annotations


def tokens(text: str) -> int:
    """The tokens of ``text`` as Pi and the compaction extension count them, rounded up."""
    return -(-len(text) // 4)
