"""What somebody may tune, as settings, and the origin of each value; beside them the numbers that are fixed.

Defaults, then ``.hippocampus/config.toml``, then the environment: the later wins. Pure: the file's text
and the environment are arguments.
"""

from __future__ import annotations

from hippocampus_cli.config.load import CONFIG_PATH, LARGEST, load
from hippocampus_cli.config.settings import Config, Row

__all__ = ["CONFIG_PATH", "LARGEST", "Config", "Row", "load"]
