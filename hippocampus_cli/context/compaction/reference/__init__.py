"""The reference compaction extension (hippocampus-md), bit for bit: ``hippo compact --compat reference``.

Nothing here is an improvement: substrings count as words, lines break over several lines, previous summaries
nest. What hippo does by default is in the folder above.
"""
