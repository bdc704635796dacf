"""Other tools over the same notes, in the same run."""
