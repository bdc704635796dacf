"""The kit of every chart: the parts of a Vega-Lite specification, and the SVG that one becomes.

A chart of the report takes its colours from the page's style sheet; one of a benchmark is dark on white, to be read
wherever it is shown. Text of a workspace is in neither.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hippocampus_cli.errors import ExtraMissing

Spec = dict[str, Any]


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


def renderer(feature: str) -> Callable[[Spec], str]:
    """What turns a specification into SVG, for ``feature``. Raises :class:`ExtraMissing`."""
    try:
        from vl_convert import vegalite_to_svg
    except ImportError as error:
        raise ExtraMissing(feature=feature, extra="report") from error
    return lambda spec: vegalite_to_svg(spec, allowed_base_urls=[])
