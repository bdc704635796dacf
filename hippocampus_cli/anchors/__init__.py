"""Anchors: words of the notes that lead straight to the chunks they are about (ANCHOR).

A *chunk* is a stretch of one note: a section, part of a long one, or a few short ones. An *anchor* is
a word or a phrase that stands for something: a heading, a bold term, a name, a word that tells texts
apart. Its *list* is the chunks most like it, each with a *score* from 0 to 1. A *lookup* finds the
anchors of a message and returns the chunks that they lead to. A *likeness* is a way of comparing:
by words alone, or by the vectors of an embedder. What a *build* makes of all notes, *updates* keep in
step with single ones.
"""
