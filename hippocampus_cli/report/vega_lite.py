"""The kit of every chart: the parts of a Vega-Lite specification, and the SVG that one becomes.

A chart of the report takes its colours from the page's style sheet; one of a benchmark is dark on white, to be read
wherever it is shown. Text of a workspace is in neither.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hippocampus_cli.errors import ExtraMissing

Spec = dict[str, Any]
BLUE = "#2f6fb0"
_INK, _PALE = "#2b2f36", "#d7dbe0"


def field(name: str, kind: str, **more: object) -> Spec:
    """An encoding by a field of the rows, without a title of its own."""
    return {"field": name, "type": kind, "title": None, **more}


def axis(**more: object) -> Spec:
    """An axis, without a title unless one is given."""
    return {"title": None, **more}


def logarithmic(name: str, title: str | None, shape: str, ticks: int) -> Spec:
    """A field on a logarithmic axis without grid, its numbers in this ``shape``."""
    marks = axis(title=title, format=shape, tickCount=ticks, grid=False)
    return field(name, "quantitative", scale={"type": "log"}, axis=marks)


def specification(rows: Sequence[Spec], config: Spec, **view: object) -> Spec:
    """A whole chart of the ``rows``."""
    schema = "https://vega.github.io/schema/vega-lite/v5.json"
    return {"$schema": schema, "data": {"values": list(rows)}, "config": config, **view}


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


def renderer(feature: str) -> Callable[[Spec], str]:
    """What turns a specification into SVG, for ``feature``. Raises :class:`ExtraMissing`."""
    try:
        from vl_convert import vegalite_to_svg
    except ImportError as error:
        raise ExtraMissing(feature=feature, extra="report") from error
    return lambda spec: vegalite_to_svg(spec, allowed_base_urls=[])
