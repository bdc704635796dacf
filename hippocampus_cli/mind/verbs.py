"""Verbs and nouns that sentences claim something with: what each says of its subject, and whether only once. Data."""

from __future__ import annotations

VERBS = {
    "prefer": ("prefer", False, False),
    "favor": ("prefer", False, False),
    "favour": ("prefer", False, False),
    "like": ("like", False, False),
    "love": ("like", False, False),
    "enjoy": ("like", False, False),
    "hate": ("like", True, False),
    "dislike": ("like", True, False),
    "avoid": ("like", True, False),
    "stand": ("like", False, False),
    "use": ("use", False, False),
    "run": ("use", False, False),
    "drink": ("drink", False, False),
    "eat": ("eat", False, False),
    "smoke": ("smoke", False, False),
    "want": ("want", False, False),
    "need": ("need", False, False),
    "speak": ("speak", False, False),
    "own": ("own", False, False),
    "have": ("own", False, False),
    "drive": ("drive", False, False),
    "play": ("play", False, False),
    "take": ("take", False, False),
    "know": ("know", False, False),
    "support": ("support", False, False),
    "live in": ("live", False, True),
    "live at": ("live", False, True),
    "work at": ("work", False, True),
    "work for": ("work", False, True),
    "work as": ("job", False, True),
    "report to": ("report to", False, True),
    "listen on": ("is at", False, True),
    "start at": ("start", False, True),
    "start on": ("start", False, True),
    "start in": ("start", False, True),
    "begin at": ("start", False, True),
    "end at": ("end", False, True),
    "end on": ("end", False, True),
    "end in": ("end", False, True),
    "close at": ("end", False, True),
    "meet on": ("meet", False, True),
    "cost": ("cost", False, True),
    "run on": ("run on", False, True),
    "expire on": ("expire", False, True),
    "trust": ("trust", False, False),
    "deploy with": ("deploy", False, True),
    "mögen": ("like", False, False),
    "mag": ("like", False, False),
    "liebe": ("like", False, False),
    "hasse": ("like", True, False),
    "bevorzuge": ("prefer", False, False),
    "nutze": ("use", False, False),
    "benutze": ("use", False, False),
    "verwende": ("use", False, False),
    "trinke": ("drink", False, False),
    "esse": ("eat", False, False),
    "isst": ("eat", False, False),
    "spreche": ("speak", False, False),
    "spricht": ("speak", False, False),
    "brauche": ("need", False, False),
    "wohne in": ("live", False, True),
    "lebe in": ("live", False, True),
    "arbeite bei": ("work", False, True),
    "läuft auf": ("is at", False, True),
    "beginnt um": ("start", False, True),
    "kostet": ("cost", False, True),
}
SPELLED = {
    form: meaning
    for verb, meaning in VERBS.items()
    for head, space, rest in [verb.partition(" ")]
    for form in (
        verb,
        f"{head}s{space}{rest}",
        f"{head}t{space}{rest}",
        f"{head.removesuffix('e')}t{space}{rest}",
    )
} | {"has": VERBS["have"]}

CJK_VERBS = {
    "喜欢": ("like", False, False), "喜爱": ("like", False, False), "爱": ("like", False, False),
    "讨厌": ("like", True, False), "偏好": ("prefer", False, False), "使用": ("use", False, False),
    "用": ("use", False, False), "住在": ("live", False, True), "搬到": ("live", False, True),
    "搬到了": ("live", False, True), "喝": ("drink", False, False), "吃": ("eat", False, False),
    "说": ("speak", False, False), "需要": ("need", False, False), "想要": ("want", False, False),
}  # fmt: skip
GERUNDS = {"eating": "eat", "drinking": "drink", "using": "use", "smoking": "smoke", "taking": "take",
            "playing": "play", "driving": "drive"}  # fmt: skip
STATES = (
    r"plays?|speaks?|works?|worked|dies|died|lives?|lived|holds?|held|belongs?|belonged|stud(?:y|ies|ied)|"
    r"teaches|taught|serves?|served|practi[sc]es?|has|bears?|follows?"
)
"""With *the KIND of VALUE* after them they say what there is one of: *plays the position of goalkeeper*."""
RELATIONS = (
    "citizen|national|native|resident|inhabitant|subsidiary|capital|successor|employee|tenant|spouse|wife|husband"
)  # fmt: skip
"""Of these there is one at a time: *is a citizen of France*."""
