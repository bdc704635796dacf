"""A simulated year: a made-up agent's notes, day by day, and the index beside them with and without upkeep."""
