"""Words that say nothing of what a text is about. They are indexed, for phrases, but not scored."""

from __future__ import annotations

_WORDS = """
    a about above after again against all also am an and any anybody anyone anything are
    arent as at be because been before being below between both but by came can cannot cant
    come comes could couldnt did didnt do does doesnt doing dont down during each else etc
    ever everybody everyone everything few for from further get go goes going gone got had
    hadnt happen happened happens has hasnt have havent having he her here hers herself him
    himself his how however i if in into is isnt it its itself just know let lets like made
    make makes many may me might more most much must my myself no nobody nor not nothing now
    of off on once only or other ought our ours ourselves out over own please same shall she
    should shouldnt so some somebody someone something still such tell than that the their
    theirs them themselves then there these they thing things this those through to too
    under until up upon us very was wasnt we went were werent what whatever when where which
    while who whom whose why will with within without wont would wouldnt yes yet you your
    yours yourself yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())
