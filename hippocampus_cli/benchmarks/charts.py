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


def _page(rows: Sequence[Spec], title: str) -> Spec:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": "white",
        "padding": 12,
        "title": {"text": title, "anchor": "start", "color": _INK, "fontWeight": "normal"},
        "data": {"values": list(rows)},
        "config": {
            "view": {"stroke": None},
            "axis": {"labelColor": _INK, "gridColor": _PALE, "domain": False, "ticks": False},
            "axisY": {"labelLimit": 200},
            "header": {"labelColor": _INK, "labelFontWeight": "bold"},
            "text": {"color": _INK},
        },
    }
