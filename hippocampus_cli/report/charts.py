"""The four charts of a report: the figures of each, the same in a sentence and as a table, and its picture.

``data/charts.json.template`` says how they look, as Vega-Lite specifications. Colours there are variables of the
page's style sheet, so that one picture serves a light and a dark page. No text of the workspace goes into a chart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from hippocampus_cli.report import tables
from hippocampus_cli.report.health import Growth, Health, Week
from hippocampus_cli.report.tables import Table, count, percent

Spec = dict[str, Any]
Rows = list[dict[str, object]]
_OPENING = re.compile(r"<svg\b[^>]*\bviewBox=\"([\d. -]+)\"[^>]*>")


class Chart(NamedTuple):
    """A chart, the same in a sentence, and as a table; ``spec`` is None where there is nothing to draw yet."""

    name: str
    title: str
    sentence: str
    spec: Spec | None
    table: Table


def charts(health: Health) -> Iterator[Chart]:
    """Every chart, in the order of the page."""
    specs = _specifications(health)

    def chart(table: Table, rows: Rows) -> Chart:
        name, data = table.name, {"data": {"values": rows}}
        return Chart(name, table.title, say[name], specs["every"] | specs[name] | data, table)

    queries, weeks = tables.queries(health), _rows(health.weeks)
    sizes: Rows = [{"day": day, "tokens": tokens} for day, tokens in _sizes(health).items()]
    say = _sentences(health)
    every = (
        chart(tables.strength(health), [{**health.bands}]),
        chart(queries, weeks),
        chart(tables.growth(health), _rows(health.growth)),
        chart(tables.size(health), sizes),
    )
    for drawn in every:
        if drawn.table is queries and not health.queries:
            yield drawn._replace(sentence="No queries in the journal yet", spec=None)
        elif drawn.name in ("strength", "growth") and not health.entries:
            yield drawn._replace(sentence="No entries yet", spec=None)
        else:
            yield drawn


def _rows(weeks: Sequence[Week | Growth]) -> Rows:
    """The figures of each week."""
    return [{**week._asdict(), "week": f"{week.week}"} for week in weeks]


def _sentences(health: Health) -> dict[str, str]:
    """What each chart says, by its name."""
    added = count(sum(week.added for week in health.growth), "new entry", "new entries")
    size = f"{health.tokens:,} of {health.max_tokens:,} tokens"
    return {
        "strength": f"{count(health.entries, 'entry', 'entries')}, {health.average or 0:.2f} on average",
        "queries": f"hippo was sure of {percent(health.sure_rate)}",
        "growth": f"{added} in {count(len(health.growth), 'week')}",
        "size": f"{size}, {health.tokens / health.max_tokens:.0%}",
    }


def _specifications(health: Health) -> dict[str, Spec]:
    """How each chart looks; ``every`` is what all have in common."""
    largest = max(health.max_tokens, health.tokens, *(size.tokens for size in health.sizes))
    points = {"filled": True, "size": 45, "color": "var(--moderate)"}
    template = files(__package__).joinpath("data", "charts.json.template")
    text = Template(template.read_text(encoding="utf-8")).substitute(
        weeks=json.dumps([f"{week.week}" for week in health.weeks]),  # those without a query, too
        top=1.12 * largest,
        points=json.dumps(points if len(_sizes(health)) < 3 else False),
        budget=health.max_tokens,
    )
    specs: dict[str, Spec] = json.loads(text)
    return specs


def _sizes(health: Health) -> dict[str, int]:
    """The tokens of the index by day, today's last."""
    by_day = {f"{size.at:%Y-%m-%d}": size.tokens for size in health.sizes}
    today = f"{health.at:%Y-%m-%d}"
    by_day.pop(today, None)
    return by_day | {today: health.tokens}


def draw(chart: Chart, svg_of: Callable[[Spec], str]) -> Markup:
    """The chart as an SVG that is as wide as its container, with a title and a description for screen readers."""
    if chart.spec is None:
        return Markup()
    svg = svg_of(chart.spec)
    opening_tag = _OPENING.match(svg)
    assert opening_tag
    title, sentence = f"{chart.name}-title", f"{chart.name}-sentence"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{opening_tag[1]}" role="img" '
        f'aria-labelledby="{title} {sentence}">'
        f'<title id="{title}">{escape(chart.title)}</title>'
        f'<desc id="{sentence}">{escape(chart.sentence)}</desc>'
    )
    return Markup(opening + svg[opening_tag.end() :])
