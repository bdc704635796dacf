"""``python -m bench peers``: other tools over the same notes, in the same run."""
