"""``make bench-context``: what an agent carries in its window, and how much of what it needs later is still there.

A *session* is turns of messages with *uses*: facts that an earlier turn told and this one needs to the letter. A
*carrier* is a way of keeping the window small; the session is replayed through each of them.
"""
