"""Anchors: words of the notes that lead straight to the chunks they are about (ANCHOR)."""
