"""Stand-in."""

from __future__ import annotations


def kind_of(path: str) -> str:
    return "daily" if any(c.isdigit() for c in path) else "doc"
