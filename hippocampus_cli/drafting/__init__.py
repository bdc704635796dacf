"""A section of a note becomes an entry: topic, summary, tags, relations. Pure (INDEX §5.1, §8.2)."""
