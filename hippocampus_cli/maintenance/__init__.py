"""Making the index and looking after it: pure plans, and thin edges that carry them out (INDEX §8)."""
