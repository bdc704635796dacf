"""What the report says, as a page in markdown."""

from hippocampus_cli.report.pages import markdown

__all__ = ["markdown"]
