"""Pictures of charts: a Vega-Lite specification becomes an SVG element for a page."""

from __future__ import annotations

import re

from markupsafe import Markup, escape
from vl_convert import vegalite_to_svg

from hippocampus_cli.reporting.charts import Chart

_OPENING = re.compile(r"<svg\b[^>]*\bviewBox=\"([\d. -]+)\"[^>]*>")


def draw(chart: Chart) -> Markup:
    """The chart as an SVG that is as wide as its place, with a title and a description for who cannot see it."""
    if chart.spec is None:
        return Markup()
    svg = vegalite_to_svg(chart.spec, allowed_base_urls=[])
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
