"""``HIPPOCAMPUS.md`` as a value. Pure: text in, text out, no disk, no clock (INDEX §5, §13)."""
