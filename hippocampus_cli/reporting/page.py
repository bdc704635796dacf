"""The report as one HTML page that needs nothing beside itself: no network, no script.

Needs the extra ``report``.
"""

from __future__ import annotations

from importlib.resources import files

from hippocampus_cli.errors import ExtraMissing
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.reporting.charts import charts
from hippocampus_cli.reporting.health import Health
from hippocampus_cli.reporting.tables import left_out, lists
from hippocampus_cli.reporting.words import facts, long_day, ran

MARK = '<meta name="generator" content="hippo">'
"""Stands in the head of every page, so that only a report is written over by a report."""


def html_page(health: Health, version: str) -> str:
    """The page; ``version`` is hippo's. Text of the workspace is escaped. Raises :class:`ExtraMissing`."""
    try:
        from jinja2 import Environment, StrictUndefined

        from hippocampus_cli.reporting.drawing import draw
    except ImportError as error:
        raise ExtraMissing(feature="the page with charts", extra="report") from error
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["plain"] = safe_line
    template = environment.from_string(_data("page.html.jinja"))
    return template.render(
        mark=MARK,
        version=version,
        style=_data("page.css"),
        health=health,
        day=long_day(health.at.date()),
        facts=list(facts(health)),
        cycles=[(one, ran(one, health.at)) for one in health.cycles],
        charts=[(chart, draw(chart)) for chart in charts(health)],
        lists=[(table, left_out(table)) for table in lists(health) if table.rows],
    )


def _data(name: str) -> str:
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")
