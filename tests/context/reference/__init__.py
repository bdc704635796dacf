"""An oracle: the reference compaction extension (hippocampus-md), as it was observed.

Nothing here is an improvement: substrings count as words, lines break over several lines, previous summaries nest.
The package is compared with it where the specification defines a figure; the bench measures beside it.
"""
