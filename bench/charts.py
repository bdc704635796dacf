"""The charts of the benchmarks: dots with their intervals, lines by size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Spec = dict[str, Any]
BLUE = "#2f6fb0"
_INK = "#2b2f36"
_PALE = "#d7dbe0"


def field(name: str, kind: str, **more: object) -> Spec:
    """An encoding by a field of the rows, without a title of its own."""
    return {"field": name, "type": kind, "title": None, **more}


def axis(**more: object) -> Spec:
    """An axis, without a title unless one is given."""
    return {"title": None, **more}


def specification(rows: Sequence[Spec], config: Spec, **view: object) -> Spec:
    """A whole chart of the ``rows``."""
    schema = "https://vega.github.io/schema/vega-lite/v5.json"
    return {"$schema": schema, "data": {"values": list(rows)}, "config": config, **view}


def logarithmic(name: str, title: str | None, shape: str, ticks: int) -> Spec:
    """A field on a logarithmic axis without grid, its numbers in this ``shape``."""
    marks = axis(title=title, format=shape, tickCount=ticks, grid=False)
    return field(name, "quantitative", scale={"type": "log"}, axis=marks)


def on_white(rows: Sequence[Spec], title: str, **view: object) -> Spec:
    """A chart of a benchmark under its title."""
    marks = {"labelColor": _INK, "titleColor": _INK, "gridColor": _PALE}
    config = {
        "view": {"stroke": None},
        "axis": {**marks, "domain": False, "ticks": False},
        "axisY": {"labelLimit": 200},
        "header": {"labelColor": _INK, "labelFontWeight": "bold"},
        "text": {"color": _INK},
    }
    head = {"text": title, "anchor": "start", "color": _INK, "fontWeight": "normal"}
    return specification(rows, config, background="white", padding=12, title=head, **view)


def labelled_points(
    rows: Sequence[Spec], title: str, across: tuple[str, str], up: tuple[str, str]
) -> Spec:
    """A dot with its ``name`` for each row. ``across`` and ``up`` are a field and its title: ``across`` on a
    logarithmic scale, ``up`` from 0 to 1."""
    shares = axis(title=up[1], format=".1f")
    place = {
        "x": logarithmic(*across, "~s", 5),
        "y": field(up[0], "quantitative", scale={"domain": [0, 1]}, axis=shares),
    }
    dot = {"type": "point", "filled": True, "size": 70, "color": BLUE}
    word = {"type": "text", "align": "left", "dx": 8, "dy": -6}
    name = {"text": field("name", "nominal")}
    layer = [{"mark": dot, "encoding": place}, {"mark": word, "encoding": place | name}]
    return on_white(rows, title, width=520, height=300, layer=layer)


def dots(rows: Sequence[Spec], order: Sequence[str], title: str, columns: Sequence[str]) -> Spec:
    """A dot and its interval for each ``method`` and ``metric``; a row has also ``value``, ``low``, ``high``.

    ``order`` are the methods from top to bottom, ``columns`` the metrics from left to right.
    """
    method = {"y": field("method", "nominal", sort=list(order), axis=axis())}
    share = {"scale": {"domain": [0, 1]}, "axis": axis(format=".1f")}
    interval = {"x": field("low", "quantitative", **share), "x2": field("high", "quantitative")}
    number = method | {"x": field("value", "quantitative", **share)}
    label = {"text": field("value", "quantitative", format=".3f")}
    rule = {"type": "rule", "color": BLUE, "strokeWidth": 2}
    point = {"type": "point", "filled": True, "color": BLUE}
    text = {"type": "text", "dy": -9, "fontSize": 10}
    layer = [
        {"mark": rule, "encoding": method | interval},
        {"mark": point, "encoding": number},
        {"mark": text, "encoding": number | label},
    ]
    facet = {"column": field("metric", "nominal", sort=list(columns))}
    panel = {"width": 210, "height": {"step": 24}, "layer": layer}
    return on_white(rows, title, facet=facet, spec=panel)


def lines(rows: Sequence[Spec], title: str, across: tuple[str, str], panels: Sequence[str]) -> Spec:
    """A line a ``panel`` over ``across`` (a field and its title), both scales logarithmic; a row has ``panel``
    and ``value``."""
    place = {"x": logarithmic(*across, "~s", 5), "y": logarithmic("value", None, "~g", 4)}
    mark = {"type": "line", "color": BLUE, "point": {"filled": True, "color": BLUE}}
    return on_white(
        rows,
        title,
        facet=field("panel", "nominal", sort=list(panels)),
        columns=3,
        spec={"width": 210, "height": 150, "mark": mark, "encoding": place},
        resolve={"scale": {"y": "independent"}},
    )
