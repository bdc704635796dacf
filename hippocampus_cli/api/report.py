"""What the report says in words, and its tables, for whoever prints it."""

from hippocampus_cli.report.tables import facts, left_out, lists, long_day

__all__ = ["facts", "left_out", "lists", "long_day"]
