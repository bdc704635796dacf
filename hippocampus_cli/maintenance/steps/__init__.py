"""The parts of the cycles, one a module: pure functions from an index and a snapshot to actions (INDEX §8.2)."""
