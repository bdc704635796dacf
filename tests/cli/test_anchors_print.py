"""What a lookup of anchors shows."""

from __future__ import annotations

import io

import pytest

from hippocampus_cli.anchors.chunks import PREVIEW
from hippocampus_cli.anchors.lookup import AnchorHit
from hippocampus_cli.anchors.store import Looked
from hippocampus_cli.cli.commands.anchors import print_looked
from hippocampus_cli.cli.output import Output

LONG = ("kelpctl " * 20)[:PREVIEW]


def shown(preview: str, width: int, *, terminal: bool) -> str:
    out = io.StringIO()
    output = Output(out, io.StringIO(), False, terminal, False, width)
    hit = AnchorHit("a.md", 1, 2, 0.5, 0.5, 0.5, "config", preview, ("kelpctl",))
    print_looked(output, "kelpctl", Looked((hit,)), 0.1)
    return out.getvalue().splitlines()[1].removeprefix("│ ")


@pytest.mark.parametrize("terminal", [True, False])
def test_a_preview_that_was_cut_says_so_after_a_whole_word(terminal: bool) -> None:
    assert shown(LONG, 160, terminal=terminal) == "kelpctl " * 11 + "kelpctl…"


def test_a_whole_one_is_shown_whole() -> None:
    assert shown("kelpctl release", 160, terminal=True) == "kelpctl release"


def test_one_long_word_is_cut_where_it_must() -> None:
    assert shown("x" * PREVIEW, 160, terminal=True) == "x" * PREVIEW + "…"
    assert shown("x" * PREVIEW, 80, terminal=False) == "x" * PREVIEW + "…"
