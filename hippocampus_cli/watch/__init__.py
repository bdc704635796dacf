"""Updating the index while people edit their notes.

A *watch* has an observer, a pace (when a write becomes a sync), and an upkeep that does the work. The observer's
thread only says when something changed; everything else runs on the watch's thread.
"""
