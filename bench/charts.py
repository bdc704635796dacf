"""The charts of the benchmarks: dots with their intervals, lines by size."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.report.vega_lite import BLUE, Spec, axis, field, logarithmic, on_white


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
