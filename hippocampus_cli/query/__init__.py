"""A query's way through index and text: match, follow, fuse, cut, write back (INDEX §4.3, §6)."""
