"""The lifecycle of context entries: indexed when they come, fading by the turn, fetched again when needed.

Words, as in CONTEXT: a *session* counts *turns* and holds *entries*. An entry has *content* (what was added, kept
byte for byte), a *summary* and *key data* (what stands in the window for it), a *source* to fetch it from
again, and a *strength* that falls with the turns since its last access. It is *active*, or *dormant* once its
strength is below the threshold, or *expired*. *Pattern completion* fetches the content again; an entry is
*stale* when its source is gone. *Light consolidation* follows every turn, *deep* consolidation ends a session.
"""
