"""Texts as vectors: embedders behind one protocol, their vectors kept by content, nearest ones found."""
