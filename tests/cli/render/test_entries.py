from __future__ import annotations

import io
import re
from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.render.entries import print_entries, print_related
from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.cli.render.status import print_status
from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.entries.graph import RelatedEntry
from hippocampus_cli.entries.select import EntryState, state_of
from hippocampus_cli.entries.status import Status
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.scan import Reason

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


def screen(width: int, *, terminal: bool = True) -> tuple[Output, io.StringIO]:
    out = io.StringIO()
    return Output(out, io.StringIO(), False, terminal, False, width), out


@pytest.mark.parametrize("width", [20, 40, 61, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    output, out = screen(width)
    print_entries(output, states())
    lines = out.getvalue().splitlines()
    assert len(lines) == 5
    assert all(cell_len(line) <= max(width, 21) for line in lines)
    assert "\x1b" not in out.getvalue()


def test_an_id_is_whole_before_anything_else_is() -> None:
    output, out = screen(60)
    print_entries(output, states()[:1] + states()[2:])
    assert " nowhere " in out.getvalue()
    assert "▰▰▰▰▱ 0.90     3  short" in out.getvalue()


def test_what_is_related_stands_in_columns_with_its_topic_where_there_is_room() -> None:
    rows = [
        RelatedEntry("short", "First topic", None, "relation", 0.9, "", 1, "x"),
        RelatedEntry("a-longer-id", "Second topic", None, "person", 0.5, "Grace", 2, "short"),
    ]
    output, out = screen(100)
    print_related(output, rows)
    assert out.getvalue().splitlines() == [
        "0.90  short        relation                First topic",
        "0.50  a-longer-id  person Grace via short  Second topic",
    ]
    output, out = screen(50)
    print_related(output, rows)
    assert out.getvalue().splitlines()[0] == "0.90  short  relation"


def test_elsewhere_values_are_separated_by_tabs() -> None:
    output, out = screen(40, terminal=False)
    print_entries(output, states())
    rows = [line.split("\t") for line in out.getvalue().splitlines()]
    assert {len(row) for row in rows} == {5}
    assert rows[0] == ["0.90", "3", "short", "Short", "a.md"]
    assert rows[2][4] == ""
    assert rows[3][2:4] == ["evil␛[31m", "a␛[31m b"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_status_fits_the_terminal(width: int) -> None:
    bands = {"strong": 400, "moderate": 1, "weak": 0, "decaying": 33, "silent": 2}
    skipped = {str(reason): 1_000 for reason in Reason}
    counts = {"entries": 436, "pinned": 1, "queued": 0, "tokens": 16_000, "max_tokens": 15_000}
    paths = tuple(f"memory/2026-01-{day:02}.md" for day in range(1, 20))
    stock = Status(
        version="1.0",
        reindexed="2026-01-30",
        bands=bands,
        skipped=skipped,  # type: ignore[arg-type]
        **counts,
        notes=1,
        note_tokens=5,
        silent_waiting=1,
        bare=2,
        unindexed=paths,
        in_topics=3,
        cycles={"daily": NOW, "weekly": None, "monthly": None},
        overdue=("weekly", "monthly"),
    )
    output, out = screen(width)
    print_status(output, stock, NOW)
    lines = out.getvalue().splitlines()
    assert [line for line in lines if cell_len(line) > width] == []
    assert "…" not in out.getvalue().replace(", …", "")
    assert "version 1.0" in " ".join(out.getvalue().split())
    for command in ("hippo maintain --weekly", "hippo maintain --due", "hippo check --fix"):
        assert f"({command})" in out.getvalue()
    assert "16,000 of 15,000 (107%)" in out.getvalue()
    assert "2026-01-30, 2 days ago" in out.getvalue()
    bars = [len(re.findall("▇", line)) for line in lines if line.startswith(tuple(bands))]
    assert bars[0] == max(bars) and bars[1] == 1 and bars[2] == 0
