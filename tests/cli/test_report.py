from __future__ import annotations

import io

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.commands.report import print_health
from hippocampus_cli.cli.output import Output
from tests.support.reports import lively, nothing


def screen(
    width: int, *, terminal: bool = True, colour: bool = False
) -> tuple[Output, io.StringIO]:
    out = io.StringIO()
    return Output(out, io.StringIO(), False, terminal, colour, width), out


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    output, out = screen(width)
    print_health(output, lively())
    lines = out.getvalue().splitlines()
    assert [line for line in lines[1:] if cell_len(line) > width] == []
    assert "Broken pointers" in lines
    assert not {"\x1b", "\x00", "\u202e"} & set(out.getvalue())


def test_elsewhere_nothing_is_cut() -> None:
    output, out = screen(20, terminal=False)
    print_health(output, lively())
    assert not any(line.strip().endswith("…") for line in out.getvalue().splitlines()[-6:])
    bands = [line.split() for line in out.getvalue().splitlines() if line.startswith("  silent ")]
    assert len(bands[-1]) == 5


def test_of_nothing_no_empty_lists() -> None:
    output, out = screen(80)
    print_health(output, nothing())
    assert "Silent" not in out.getvalue() and "Broken" not in out.getvalue()


def test_colours_where_there_are_some() -> None:
    output, out = screen(100, colour=True)
    print_health(output, lively())
    assert "\x1b[1;33m15,400\x1b[0m" in out.getvalue()
    assert "\x1b[31m" in out.getvalue()  # broken pointers; the one in a topic is shown as ␛[31m
    assert "␛[31m" in out.getvalue()
