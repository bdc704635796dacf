"""Everything a person or a program sees: the only printer."""

from __future__ import annotations

from hippocampus_cli.cli.render.layout import BAND_STYLES, strength_bar
from hippocampus_cli.cli.render.output import Output, Styled, open_output
from hippocampus_cli.markdown.safe import safe, safe_line

__all__ = ["BAND_STYLES", "Output", "Styled", "open_output", "safe", "safe_line", "strength_bar"]
