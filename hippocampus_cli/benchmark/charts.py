"""Vega-Lite for benchmarks: dark words on a white ground, so that it can be read wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Spec = dict[str, Any]
_INK, _PALE, _COLOUR = "#2b2f36", "#d7dbe0", "#2f6fb0"


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
        **_page(rows, title),
        "facet": {
            "column": {"field": "metric", "type": "nominal", "sort": list(columns), "title": None}
        },
        "spec": {
            "width": 210,
            "height": {"step": 24},
            "layer": [
                {
                    "mark": {"type": "rule", "color": _COLOUR, "strokeWidth": 2},
                    "encoding": interval,
                },
                {"mark": {"type": "point", "filled": True, "color": _COLOUR}, "encoding": number},
                {"mark": {"type": "text", "dy": -9, "fontSize": 10}, "encoding": number | label},
            ],
        },
    }


def labelled_points(
    rows: Sequence[Spec], title: str, across: tuple[str, str], up: tuple[str, str]
) -> Spec:
    """A dot with its ``name`` for each row; ``across`` is a field and its title, on a logarithmic scale, ``up``
    one from 0 to 1."""
    place = {
        "x": {
            "field": across[0],
            "type": "quantitative",
            "scale": {"type": "log"},
            "axis": {"title": across[1], "format": "~s", "tickCount": 5, "grid": False},
        },
        "y": {
            "field": up[0],
            "type": "quantitative",
            "scale": {"domain": [0, 1]},
            "axis": {"title": up[1], "format": ".1f"},
        },
    }
    dot = {"type": "point", "filled": True, "size": 70, "color": _COLOUR}
    word = {"type": "text", "align": "left", "dx": 8, "dy": -6}
    name = {"text": {"field": "name", "type": "nominal"}}
    layer = [{"mark": dot, "encoding": place}, {"mark": word, "encoding": place | name}]
    return {**_page(rows, title), "width": 520, "height": 300, "layer": layer}


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
    mark = {"type": "line", "color": _COLOUR, "point": {"filled": True, "color": _COLOUR}}
    facet = {"field": "panel", "type": "nominal", "sort": list(panels), "title": None}
    return {
        **_page(rows, title),
        "facet": facet,
        "columns": 3,
        "spec": {"width": 210, "height": 150, "mark": mark, "encoding": place},
        "resolve": {"scale": {"y": "independent"}},
    }


def _page(rows: Sequence[Spec], title: str) -> Spec:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "padding": 12,
        "title": {"text": title, "anchor": "start", "color": _INK, "fontWeight": "normal"},
        "data": {"values": list(rows)},
        "config": {
            "view": {"stroke": None},
            "axis": {
                "labelColor": _INK,
                "titleColor": _INK,
                "gridColor": _PALE,
                "domain": False,
                "ticks": False,
            },
            "axisY": {"labelLimit": 200},
            "header": {"labelColor": _INK, "labelFontWeight": "bold"},
            "text": {"color": _INK},
        },
    }
