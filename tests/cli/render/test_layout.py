"""Text in columns, and strength as a bar."""

from __future__ import annotations

import io
import math

import pytest

from hippocampus_cli.cli.render.layout import fit_words, print_beside, strength_bar, wrapped
from hippocampus_cli.cli.render.output import Output, Styled


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("three notes that no entry points at", 16, ["three notes that", "no entry points", "at"]),
        (
            "upkeep never ran (hippo maintain --due)",
            24,
            ["upkeep never ran", "(hippo maintain --due)"],
        ),
        ("never ran (hippo maintain --due)", 12, ["never ran", "(hippo", "maintain", "--due)"]),
        ("a (hippo maintain), and (b)", 18, ["a", "(hippo maintain),", "and (b)"]),
        ("a (hippo maintain)", 6, ["a", "(hippo", "maintain)"]),
        ("see memory/a-long-name.md now", 10, ["see", "memory/a-…", "now"]),
        ("東京 東京 東京", 9, ["東京 東京", "東京"]),
        ("\x1b[31m", 9, ["␛[31m"]),
        ("", 9, [""]),
        ("one two", 0, ["", ""]),
    ],
)
def test_lines_are_broken_at_spaces(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("two words", 9, "two words"),
        ("four words", 8, "four…"),
        ("two words", 4, "two…"),
        ("(hippo maintain --due)", 10, "(hippo…"),
        ("unbroken", 5, "unbr…"),
        ("already cut…", 9, "already…"),
        ("a 東京東京東京", 8, "a 東京…"),
        ("東京 東京", 8, "東京…"),
    ],
)
def test_a_line_is_cut_after_a_word(text: str, width: int, line: str) -> None:
    assert fit_words(text, width) == line


@pytest.mark.parametrize(
    ("width", "terminal", "lines"),
    [
        (80, True, ["    1  2026-08-02  weekly      1 add, notes/a-long-name.md:12"]),
        (
            28,
            True,
            ["    1  2026-08-02  weekly", "     1 add,", "     notes/a-long-name.md:12"],
        ),
        (
            20,
            True,
            ["    1  2026-08-02", "     weekly      1", "     add,", "     notes/a-long-na", "     me.md:12"],
        ),
        (
            20,
            False,
            ["    1  2026-08-02", "     weekly      1", "     add,", "     notes/a-long-name.md:12"],
        ),
    ],
)  # fmt: skip
def test_a_line_beside_its_label(width: int, terminal: bool, lines: list[str]) -> None:
    out = io.StringIO()
    output = Output(out, io.StringIO(), False, terminal, False, width)
    parts = (Styled("  2026-08-02  ", "dim"), f"{'weekly':<12}1 add, ", "notes/a-long-name.md:12")
    print_beside(output, Styled("    1", "cyan"), *parts)
    assert out.getvalue().splitlines() == lines


@pytest.mark.parametrize(
    ("strength", "filled"),
    [
        (1.0, 5),
        (0.92, 4),
        (0.8, 4),
        (0.6, 3),
        (0.4, 2),
        (0.2, 1),
        (0.19, 0),
        (0.0, 0),
        (1.7, 5),
        (-3.0, 0),
        (math.nan, 0),
        (math.inf, 5),
    ],
)
def test_a_cell_for_each_whole_fifth(strength: float, filled: int) -> None:
    assert strength_bar(strength) == "▰" * filled + "▱" * (5 - filled)
