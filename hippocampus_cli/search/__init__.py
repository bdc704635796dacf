"""Finding text in the notes: stems, units, the cache, ranking. Knows nothing of the index."""
