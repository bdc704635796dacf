from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.commands.list import print_entries
from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.entries.select import EntryState, state_of
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.parse import parse
from tests.support.command_line import screen

NOW = datetime(2026, 2, 1, tzinfo=UTC)
TEXT = (
    "## Short\n→ a.md\n<!-- hx: id=short | hits=3 | str=0.9 -->\n\n"
    "## 日本語のとても長いトピックですが大丈夫でしょうか 🚀🚀🚀 and then some more words\n"
    "→ memory/a-very-long-name-of-a-note-2026-01-31.md §And a long section | b.md\n"
    "<!-- hx: id=日本語のとても長いトピックですが大丈夫でしょうか | hits=123456 -->\n\n"
    "## Nowhere\n<!-- hx: id=nowhere -->\n\n"
    "## a\x1b[31m\tb\n→ c.md\n<!-- hx: id=evil\x1b[31m -->\n"
)


def states() -> list[EntryState]:
    clock = DecayClock(NOW, Decay())
    return [state_of(one, clock, Bands()) for one in parse(TEXT).entries]


@pytest.mark.parametrize("width", [20, 40, 61, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    output, out = screen(width)
    print_entries(output, states())
    lines = out.getvalue().splitlines()
    assert len(lines) == 5
    assert all(cell_len(line) <= max(width, 21) for line in lines)
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize("width", [60, 80])
def test_an_id_is_whole_before_anything_else_is(width: int) -> None:
    output, out = screen(width)
    print_entries(output, states()[:1] + states()[2:])
    assert " nowhere " in out.getvalue()
    assert "▰▰▰▰▱ 0.90     3  short      Short" in out.getvalue()


def test_elsewhere_values_are_separated_by_tabs() -> None:
    output, out = screen(40, terminal=False)
    print_entries(output, states())
    rows = [line.split("\t") for line in out.getvalue().splitlines()]
    assert {len(row) for row in rows} == {5}
    assert rows[0] == ["0.90", "3", "short", "Short", "a.md"]
    assert (rows[2][4], *rows[3][2:4]) == ("", "evil␛[31m", "a␛[31m b")
