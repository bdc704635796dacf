"""The charts of the benchmarks in Vega-Lite: dots with their intervals, lines by size."""

from __future__ import annotations

from collections.abc import Sequence

from hippocampus_cli.benchmark.charts import COLOUR, Spec, page


def dots(rows: Sequence[Spec], order: Sequence[str], title: str, columns: Sequence[str]) -> Spec:
    """A dot and its interval for each ``method`` and ``metric``; a row has also ``value``, ``low``, ``high``.

    ``order`` are the methods from top to bottom, ``columns`` the metrics from left to right.
    """
    method = {"field": "method", "type": "nominal", "sort": list(order), "axis": {"title": None}}
    share = {"domain": [0, 1]}
    across = {"type": "quantitative", "scale": share, "axis": {"title": None, "format": ".1f"}}
    interval = {"y": method, "x": {"field": "low", **across}, "x2": {"field": "high"}}
    number = {"y": method, "x": {"field": "value", **across}}
    label = {"text": {"field": "value", "type": "quantitative", "format": ".3f"}}
    return {
        **page(rows, title),
        "facet": {
            "column": {"field": "metric", "type": "nominal", "sort": list(columns), "title": None}
        },
        "spec": {
            "width": 210,
            "height": {"step": 24},
            "layer": [
                {"mark": {"type": "rule", "color": COLOUR, "strokeWidth": 2}, "encoding": interval},
                {"mark": {"type": "point", "filled": True, "color": COLOUR}, "encoding": number},
                {"mark": {"type": "text", "dy": -9, "fontSize": 10}, "encoding": number | label},
            ],
        },
    }


def lines(rows: Sequence[Spec], title: str, across: tuple[str, str], panels: Sequence[str]) -> Spec:
    """A line a ``panel`` over ``across`` (a field and its title), both scales logarithmic; a row has ``panel``
    and ``value``."""
    place = {
        "x": {
            "field": across[0],
            "type": "quantitative",
            "scale": {"type": "log"},
            "axis": {"title": across[1], "format": "~s", "tickCount": 5, "grid": False},
        },
        "y": {
            "field": "value",
            "type": "quantitative",
            "scale": {"type": "log"},
            "axis": {"title": None, "format": "~g", "tickCount": 4, "grid": False},
        },
    }
    mark = {"type": "line", "color": COLOUR, "point": {"filled": True, "color": COLOUR}}
    facet = {"field": "panel", "type": "nominal", "sort": list(panels), "title": None}
    return {
        **page(rows, title),
        "facet": facet,
        "columns": 3,
        "spec": {"width": 210, "height": 150, "mark": mark, "encoding": place},
        "resolve": {"scale": {"y": "independent"}},
    }
