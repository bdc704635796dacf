"""The charts of a report as Vega-Lite specifications, and their pictures.

Colours are variables of the page's style sheet, so that one picture serves a light and a dark page. No text
of the workspace goes into a chart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from hippocampus_cli.report import tables
from hippocampus_cli.report.health import Health
from hippocampus_cli.report.tables import Table, count, percent
from hippocampus_cli.report.vega_lite import Spec, axis, field, specification

WIDTH, HEIGHT = 340, 212  # CSS pixels at a scale of 1: as wide as a phone's screen has room for
_ROUTES = ("index", "both", "search", "nothing")
_MANY_WEEKS = 40
_NO_QUERIES = "No queries in the journal yet"


class Chart(NamedTuple):
    """A chart, the same in a sentence, and as a table; ``spec`` is None where there is nothing to draw yet."""

    name: str
    title: str
    sentence: str
    spec: Spec | None
    table: Table


def charts(health: Health) -> Iterator[Chart]:
    """Every chart, in the order of the page."""
    yield _strength(health)
    yield _forecast(health)
    yield _found_rate(health)
    yield _queries(health)
    yield _growth(health)
    yield _size(health)


def _strength(health: Health) -> Chart:
    said = f"{count(health.entries, 'entry', 'entries')}, {health.average or 0.0:.2f} on average"
    rows = [{"band": name, "entries": number} for name, number in health.bands.items()]
    place = {
        "y": field("band", "nominal", sort=None, axis=axis(domain=False, ticks=False)),
        "x": field("entries", "quantitative", axis=None),
    }
    bars = {"mark": {"type": "bar", "cornerRadiusEnd": 3}, "encoding": {"color": _colour("band")}}
    label = {"type": "text", "align": "left", "dx": 5, "color": "var(--text)"}
    numbers = {"mark": label, "encoding": {"text": field("entries", "quantitative", format=",")}}
    spec = _spec(rows, layer=[bars, numbers], encoding=place)
    figures = tuple((name, f"{number:,}") for name, number in health.bands.items())
    table = Table("strength", "Strength now", ("band", "entries"), figures)
    return _of_entries(health, Chart("strength", "Strength now", said, spec, table))


def _of_entries(health: Health, chart: Chart) -> Chart:
    return chart if health.entries else chart._replace(sentence="No entries yet", spec=None)


def _forecast(health: Health) -> Chart:
    rows = [
        {"days": step.days, "band": name, "entries": number, "rank": rank}
        for step in health.forecast
        for rank, (name, number) in enumerate(step.bands.items())
    ]
    before, after = health.average or 0.0, health.forecast[-1].average or 0.0
    said = f"Without retrievals, the average goes from {before:.2f} to {after:.2f}"
    when = "datum.value === 0 ? 'today' : '+' + datum.value + ' days'"
    days = axis(values=[0, 30, 60, 90], labelExpr=when, grid=False, labelFlush=True)
    encoding = {
        "x": field("days", "quantitative", axis=days, scale={"nice": False}),
        "y": field("entries", "quantitative", axis=axis(domain=False, tickCount=4)),
        "color": _colour("band", legend=True),
        "order": field("rank", "quantitative", sort="descending"),
    }
    spec = _spec(rows, mark=_stacked("area"), encoding=encoding)
    table = tables.forecast(health)
    return _of_entries(health, Chart("forecast", "The next 90 days", said, spec, table))


def _found_rate(health: Health) -> Chart:
    known = [week for week in health.weeks if week.found_rate is not None]
    rows = [{"week": f"{week.week}", "rate": week.found_rate} for week in known]
    share = axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], domain=False)
    encoding = {
        "x": _weeks(health),
        "y": field("rate", "quantitative", scale={"domain": [0, 1]}, axis=share),
    }
    line = {"type": "line", "color": "var(--index)", "strokeWidth": 2.5, "interpolate": "monotone"}
    mark = {**line, "point": {"filled": True, "size": 45, "color": "var(--index)"}}
    asked = count(health.queries, "query", "queries")
    said = f"{percent(health.found_rate)} of {asked} found something"
    spec = _spec(rows, mark=mark, encoding=encoding) if known else None
    sentence = said if known else _NO_QUERIES
    return Chart("answered", "Queries that found something", sentence, spec, tables.queries(health))


def _queries(health: Health) -> Chart:
    rows = [
        {"week": f"{week.week}", "route": route, "queries": number, "rank": rank}
        for week in health.weeks
        for rank, (route, number) in enumerate(
            zip(_ROUTES, (week.index, week.both, week.search, week.none), strict=True)
        )
    ]
    whole = axis(domain=False, tickCount=4, tickMinStep=1, format="d")
    encoding = {
        "x": _weeks(health),
        "y": field("queries", "quantitative", axis=whole),
        "color": _colour("route", _ROUTES, legend=True),
        "order": field("rank", "quantitative"),
    }
    spec = _spec(rows, mark=_stacked("bar"), encoding=encoding) if health.queries else None
    fallen = sum(week.search for week in health.weeks)
    none = sum(week.none for week in health.weeks)
    said = f"{fallen:,} were answered by search alone, {none:,} found nothing"
    sentence = said if health.queries else _NO_QUERIES
    return Chart("queries", "Queries by route", sentence, spec, tables.queries(health))


def _growth(health: Health) -> Chart:
    rows = [
        {"week": f"{one.week}", "entries": one.entries, "new": f"+{one.added}" if one.added else ""}
        for one in health.growth
    ]
    place = {
        "x": _weeks(health, type="point", padding=0.35),
        "y": field("entries", "quantitative", axis=axis(domain=False, tickCount=4, format=",d")),
    }
    area = {"type": "area", "color": "var(--strong)", "opacity": 0.22, "line": False}
    line = {"type": "line", "color": "var(--strong)", "strokeWidth": 2.5}
    label = {"type": "text", "dy": -9, "fontSize": 11, "color": "var(--text)"}
    new = {"mark": label, "encoding": {"text": field("new", "nominal")}}
    layer = [{"mark": area}, {"mark": line}, new]
    spec = _spec(rows, layer=layer, encoding=place)
    added = sum(one.added for one in health.growth)
    said = f"{count(added, 'new entry', 'new entries')} in {count(len(health.growth), 'week')}"
    return _of_entries(health, Chart("growth", "Growth", said, spec, tables.growth(health)))


def _size(health: Health) -> Chart:
    now = {"day": f"{health.at:%Y-%m-%d}", "tokens": health.tokens}
    rows = [{"day": f"{one.at:%Y-%m-%d}", "tokens": one.tokens} for one in health.sizes]
    rows = [row for row in rows if row["day"] != now["day"]] + [now]
    top = 1.12 * max(health.max_tokens, *(one.tokens for one in health.sizes), health.tokens)
    tokens = axis(domain=False, tickCount=4, format="~s")
    place = {"y": field("tokens", "quantitative", scale={"domain": [0, top]}, axis=tokens)}
    line = {"type": "line", "color": "var(--moderate)", "strokeWidth": 2.5}
    points = {"filled": True, "size": 45, "color": "var(--moderate)"} if len(rows) < 3 else False
    days = {"x": field("day", "ordinal", axis=_days("%-d %b"), scale={"type": "point"})}
    budget = {"data": {"values": [{"tokens": health.max_tokens, "name": "budget"}]}}
    rule = {"type": "rule", "color": "var(--pressing)", "strokeDash": [5, 4], "strokeWidth": 1.5}
    label = {"type": "text", "align": "left", "dx": 3, "dy": -8, "color": "var(--pressing)"}
    left = {"x": {"value": 0}, "text": field("name", "nominal")}
    layer = [
        {"mark": {**line, "point": points}, "encoding": days},
        {**budget, "mark": rule},
        {**budget, "mark": label, "encoding": left},
    ]
    said = f"{health.tokens:,} of {health.max_tokens:,} tokens, {health.tokens / health.max_tokens:.0%}"
    spec = _spec(rows, layer=layer, encoding=place)
    return Chart("size", "Size against budget", said, spec, tables.size(health))


def _colour(name: str, words: tuple[str, ...] = tables.BANDS, *, legend: bool = False) -> Spec:
    """Colours by word: each word is the name of a variable of the style sheet."""
    scale = {"domain": list(words), "range": [f"var(--{word})" for word in words]}
    return field(name, "nominal", scale=scale, legend={"title": None} if legend else None)


def _weeks(health: Health, **scale: object) -> Spec:
    shape = "%b %y" if len(health.weeks) > _MANY_WEEKS else "%-d %b"
    order = [f"{week.week}" for week in health.weeks]  # those without a query, too
    return field("week", "ordinal", scale={"domain": order, **scale}, axis=_days(shape))


def _days(shape: str) -> Spec:
    """An axis of ISO days. They are parsed as UTC: elsewhere a midnight is the day before."""
    label = f"utcFormat(utcParse(datum.value, '%Y-%m-%d'), '{shape}')"
    labels = {"labelAngle": 0, "labelOverlap": "greedy", "labelSeparation": 12}
    return axis(labelExpr=label, **labels, grid=False, ticks=False, labelPadding=6)


def _stacked(kind: str) -> Spec:
    """A mark whose parts are separated from each other."""
    return {"type": kind, "stroke": "var(--card)", "strokeWidth": 1}


def _spec(rows: Sequence[Spec], **view: object) -> Spec:
    fit = {"type": "fit", "contains": "padding"}
    size = {"width": WIDTH, "height": HEIGHT, "autosize": fit, "padding": 2, "background": None}
    return specification(rows, _CONFIG, **size, **view)


_CONFIG: Spec = {
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)",
        "labelFontSize": 11,
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
    },
    "axisY": {"ticks": False, "labelPadding": 6},
    "legend": {
        "orient": "top",
        "direction": "horizontal",
        "labelColor": "var(--text)",
        "labelFontSize": 11,
        "symbolType": "square",
        "symbolStrokeWidth": 0,
        "symbolSize": 90,
        "columnPadding": 8,
        "offset": 4,
    },
    "text": {"fontSize": 12},
}


_OPENING = re.compile(r"<svg\b[^>]*\bviewBox=\"([\d. -]+)\"[^>]*>")


def draw(chart: Chart, svg_of: Callable[[Spec], str]) -> Markup:
    """The chart as an SVG that is as wide as its container, with a title and a description for screen readers."""
    if chart.spec is None:
        return Markup()
    svg = svg_of(chart.spec)
    found = _OPENING.match(svg)
    assert found
    title, sentence = f"{chart.name}-title", f"{chart.name}-sentence"
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{found[1]}" role="img" '
        f'aria-labelledby="{title} {sentence}">'
        f'<title id="{title}">{escape(chart.title)}</title>'
        f'<desc id="{sentence}">{escape(chart.sentence)}</desc>'
    )
    return Markup(opening + svg[found.end() :])
