"""What :mod:`hippocampus_cli.markdown.safe` does to text, at the place where the printers look for it."""

from __future__ import annotations

from hippocampus_cli.markdown.safe import safe, safe_json, safe_line

__all__ = ["safe", "safe_json", "safe_line"]
