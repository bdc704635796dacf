"""Anchors: words of the notes that lead straight to the passages they are about (ANCHOR).

An *anchor* is a word or a phrase that tells notes apart: a heading, a bold term, a label, a name. Its *list* is the
passages of search's store that say it, best first by search's own ranking. A *lookup* finds the anchors of a message
and returns the passages that they lead to. An *export* writes all anchors with their lists for other programs.
"""
