"""Vega-Lite for benchmarks: dark words on a white ground, so that it can be read wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Spec = dict[str, Any]
COLOUR = "#2f6fb0"
_INK, _PALE = "#2b2f36", "#d7dbe0"


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
    dot = {"type": "point", "filled": True, "size": 70, "color": COLOUR}
    word = {"type": "text", "align": "left", "dx": 8, "dy": -6}
    name = {"text": {"field": "name", "type": "nominal"}}
    layer = [{"mark": dot, "encoding": place}, {"mark": word, "encoding": place | name}]
    return {**page(rows, title), "width": 520, "height": 300, "layer": layer}


def page(rows: Sequence[Spec], title: str) -> Spec:
    """What every chart begins with: its title, its rows, its ground and its ink."""
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
