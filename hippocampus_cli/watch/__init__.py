"""Keeping the index in step with the notes while people work.

A *watch* has an outlook (which folders are observed, and by which way), a pace (when a write becomes a
sync), and an upkeep that does the work. The observer's thread only leaves a message; everything else happens
on the thread that runs the watch.
"""
