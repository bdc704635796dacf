from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from hypothesis import given

from hippocampus_cli.report.assess import assess
from hippocampus_cli.report.charts import charts
from tests.support.documents import DOCUMENTS
from tests.support.reports import known, lively, nothing

STYLE = (files("hippocampus_cli.report") / "data/page.css").read_text(encoding="utf-8")
NAMES = ["strength", "queries", "growth", "size"]


def test_every_chart_is_there_with_a_table_behind_it() -> None:
    found = list(charts(lively()))
    assert [chart.name for chart in found] == NAMES
    assert all(chart.spec and chart.table.rows and chart.sentence for chart in found)


def test_of_nothing_only_the_budget_is_drawn() -> None:
    drawn = {chart.name: chart.spec is not None for chart in charts(nothing())}
    assert [name for name, there in drawn.items() if there] == ["size"]
    sentences = [chart.sentence for chart in charts(nothing()) if chart.spec is None]
    assert set(sentences) == {"No entries yet", "No queries in the journal yet"}


def test_no_text_of_the_workspace_is_in_a_chart() -> None:
    text = json.dumps([chart.spec for chart in charts(lively())])
    assert "script>" not in text and "Topic" not in text


@pytest.mark.parametrize("where", ["light", "dark", "print"])
def test_every_colour_is_one_of_the_page(where: str) -> None:
    used = set(re.findall(r"var\(--(\w+)\)", json.dumps([c.spec for c in charts(lively())])))
    used |= set(re.findall(r"var\(--(\w+)\)", STYLE))
    defined = [
        set(re.findall(r"--(\w+):", block)) for block in re.findall(r":root \{(.*?)\}", STYLE, re.S)
    ]
    assert used and used <= defined[["light", "dark", "print"].index(where)]


@given(DOCUMENTS)
def test_any_index_can_be_drawn(text: str) -> None:
    for chart in charts(assess(known(text))):
        json.dumps(chart.spec, allow_nan=False)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_contrast() -> None:
    """WCAG 2: 4.5 for text, 3 for what is drawn."""
    for block in re.findall(r":root \{(.*?)\}", STYLE, re.S):
        colours = dict(re.findall(r"--(\w+): (#\w{6})", block))
        for ground in ("card", "page"):
            for name in ("text", "muted", "pressing", "index"):
                assert _contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        for name in ("strong", "moderate", "weak", "decaying", "silent", *("index", "search")):
            assert _contrast(colours[name], colours["card"]) >= 3, name
