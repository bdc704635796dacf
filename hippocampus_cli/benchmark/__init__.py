"""Measuring hippo: quality and tokens against baselines, time against Python itself in the same run."""
