"""Markdown as lines: pure, position-keeping scanning shared by the index and the notes.

No parser on the registry keeps source positions for every line and survives unclosed blocks, and both
the lossless index and the ``file:line`` of an answer depend on them; rendering is left to libraries.
"""
