"""Updating the index while people edit their notes.

A *watch* has a plan (which folders are observed, and by which backend), a pace (when a write becomes a sync), and an
upkeep that does the work. The observer's thread only leaves a message; everything else runs on the watch's thread.
"""
