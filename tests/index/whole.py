"""An index of one file, as most tests need it."""

from __future__ import annotations

from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse


def index_of(text: str) -> Hierarchy:
    """The index whose master holds ``text``."""
    return Hierarchy(parse(text))
