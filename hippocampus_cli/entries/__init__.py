"""An index changed by hand: entries added, remembered, pinned, tagged, adopted, shown, checked.

Pure functions take a document and return a new one with a report; :mod:`index_writer` reads and writes.
"""
