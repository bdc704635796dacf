"""A forecast on terminals of any width, and in a pipe."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.render.forecast import print_forecast, steps_for
from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.entries.forecast import forecast
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.parse import parse

NOW = datetime(2026, 2, 1, 9, tzinfo=UTC)
ROWS = {
    "short": "accessed=2026-02-01 | base=0.9",
    "日本語のとても長いトピックですが大丈夫でしょうか": "accessed=2026-02-01 | base=0.7",
    "evil\x1b[31m": "accessed=2026-02-01 | base=0.4 | pri=low",
    "gone": "accessed=2024-02-01 | base=0.2 | queued=2025-01-01",
    **{f"alike-{at}": "accessed=2026-01-20 | base=1.0" for at in range(5)},
}
TEXT = "".join(
    f"## {name} is what this is about 🚀🚀\n→ a.md\n<!-- hx: id={name} | {row} -->\n\n"
    for name, row in ROWS.items()
)


def screen(
    width: int, *, terminal: bool = True, colour: bool = False
) -> tuple[Output, io.StringIO]:
    out = io.StringIO()
    return Output(out, io.StringIO(), False, terminal, colour, width), out


def shown(
    output: Output, *keys: str, days: int = 90, limit: int | None = None, text: str = TEXT
) -> None:
    document = parse(text)
    entries = [document.by_key[key] for key in keys] or document.entries
    clock = DecayClock(NOW, Decay())
    steps = steps_for(output)
    found = forecast(entries, clock, Bands(), days=days, steps=steps, curves=bool(keys))
    print_forecast(output, found, limit)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize("keys", [(), ("short",), tuple(ROWS)])
def test_no_line_is_wider_than_the_terminal(
    width: int, colour: bool, keys: tuple[str, ...]
) -> None:
    output, out = screen(width, colour=colour)
    shown(output, *keys)
    assert "\x1b[31mis" not in out.getvalue()
    lines = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()).splitlines()
    assert len(lines) > 5
    assert max(map(cell_len, lines)) <= width


def test_what_is_left_out_is_counted() -> None:
    output, out = screen(100)
    shown(output, limit=2)
    last = out.getvalue().splitlines()[-1]
    assert last == "… and 12 more (--limit)"


def test_named_entries_have_a_row_each() -> None:
    output, out = screen(80)
    shown(output, "short", "gone")
    lines = out.getvalue().splitlines()
    assert lines[0].split() == ["entry", "today", "+15", "+30", "+45", "+60", "+75", "+90"]
    assert [line.split()[:2] for line in lines[1:3]] == [["short", "0.90"], ["gone", "0.02"]]
    assert lines[4].split() == ["at", "days", "falls", "id", "topic"]


def test_the_whole_index_has_a_row_a_band() -> None:
    output, out = screen(80)
    shown(output)
    lines = out.getvalue().splitlines()
    assert lines[0] == "90 days to 2026-05-02, 9 entries"
    assert lines[2].split() == ["strength", "today", "+15", "+30", "+45", "+60", "+75", "+90"]
    names = ["strong", "moderate", "weak", "decaying", "silent", "archived", "average"]
    assert [line.split()[0] for line in lines[3:10]] == names


def test_in_a_pipe_there_are_figures() -> None:
    output, out = screen(80, terminal=False)
    shown(output, "short", "gone", days=2)
    assert out.getvalue().splitlines() == [
        "day\tshort\tgone",
        "2026-02-01\t0.90\t0.02",
        "2026-02-02\t0.62\t0.02",
        "2026-02-03\t0.53\t0.02",
        "",
        "at\tdays\tbefore\tafter\tstrength\tid\ttopic",
        "2026-02-01\t0\tsilent\tarchive\t0.02\tgone\tgone is what this is about 🚀🚀",
        "2026-02-02\t1\tstrong\tmoderate\t0.90\tshort\tshort is what this is about 🚀🚀",
    ]


def test_an_empty_index_says_so() -> None:
    output, out = screen(80)
    shown(output, text="# Index\n")
    assert out.getvalue() == ""
    assert isinstance(output.err, io.StringIO)
    assert output.err.getvalue() == "the index holds no entries\n"
