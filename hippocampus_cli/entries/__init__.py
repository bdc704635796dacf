"""Tending an index by hand: adding, remembering, pinning, tagging, adopting, looking, checking.

Pure functions take a document and return a new one with a report; :mod:`curator` reads and writes.
"""
