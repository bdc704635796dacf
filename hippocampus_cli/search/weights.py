"""The numbers of the ranking, in one place.

``FEATURES`` is a linear model fitted by ``tools/fit_ranking.py`` to two sets that have little in common, and rounded:
chat logs as daily notes (LoCoMo, five conversations, 760 questions) and ``fixtures/queries.toml`` (93 questions
about an agent's workspace). What held for one alone did not do for the other: fitted to the chats only, the
fixture's first places fell to .37. Held out in turn (each conversation, or a fifth of the fixture's questions):
.883 of the right files among the first 5, .796 of the right turns among the first 10, .747 of the fixture's questions
answered by the first section and .857 by the first five. The formula before (BM25 of the unit, half of its
neighbours and of its section) had .881, .754, and was tuned on all of the fixture (.720 and .871).
"""

from __future__ import annotations

K1 = 1.2  # BM25: how fast further occurrences of a word stop counting
B_UNIT = 0.25  # BM25: how much a long unit is held against it; units are short, length says little
B_SECTION = 0.75

TITLE = 2.0  # how many times a word in the section's title counts
PLACE = 1.0  # the same in its parents' titles, its path and its date

FEATURES: dict[str, float] = {
    # BM25 as a share of what the query is worth: the unit's own words, and related ones;
    "own": 0.2,
    "related": -0.1,
    # the units next to it; its section; what stands above it: titles, path, date
    "before": -0.1,
    "after": 0.2,
    "two before": 1.3,
    "two after": 0.7,
    "section": 0.2,
    "above": 7.8,
    # the share of the query that the unit has, that it has with its neighbours, that its section has
    "covered": 1.6,
    "window": 7.1,
    "window squared": -4.6,
    "covered by section": 4.3,
    # how many of the query's words it has; how well it fits the days; whether one of them is its label
    "terms": 0.2,
    "days": 8.2,
    "label": 1.5,
    # whether it asks instead of answering; the logarithm of its length
    "question": -0.5,
    "length": 0.4,
    # for questions after a time: it names a day, it says when at all; after a number: it has one
    "dated": 0.9,
    "timed": 1.3,
    "counted": 1.6,
    # neighbouring words of the query side by side; the score of a question just before it
    "pairs": 2.3,
    "answer": 2.4,
}
"""What each feature of a unit counts for, in the order of :func:`hippocampus_cli.search.scoring.features`."""
WEIGHTS = tuple(FEATURES.values())
WINDOW = list(FEATURES).index("window")
VERSION, SEMANTIC_VERSION = "words-1", "meaning-1"
"""Names of the two rankings; another one needs its confidence calibrated anew."""
# With an embedder everything counts a little otherwise. Chosen on the same two sets: with these the right turns among
# the first 10 are .824 instead of .804, the right files among the first 5 .893 instead of .883 (each conversation
# left out in turn), and the fixture's paraphrases answered by the first 5 sections .74 instead of .63.
SEMANTIC: dict[str, float] = {
    "own": -1.2,
    "related": 1.1,
    "before": -0.2,
    "after": 0.0,
    "two before": 1.3,
    "two after": 0.7,
    "section": -1.0,
    "above": 7.9,
    "covered": 2.4,
    "window": 5.5,
    "window squared": -3.4,
    "covered by section": 4.4,
    "terms": 0.1,
    "days": 8.0,
    "label": 1.6,
    "question": -0.5,
    "length": 0.5,
    "dated": 1.0,
    "timed": 1.0,
    "counted": 1.3,
    "pairs": 2.3,
    "answer": 2.3,
    # how like the question it is, the better of those beside it, and the best of its section: in spreads above what
    # any text has (see `meaning`)
    "likeness": 0.45,
    "likeness beside": 0.25,
    "likeness of section": 0.05,
}
"""What each feature counts for where likeness is known: those of :data:`FEATURES`, in their order, and three more."""
ALIKE_COVERS = 0.04  # share of the query that each spread of likeness makes up for: it shows, and proves little
ALIKE_MOST = 0.25
SEMANTIC_WEIGHTS = tuple(SEMANTIC.values())
NAMES = 3  # units of a section that a word labels: then it is a name, and to hold it says little
POOLED = 3  # units that a section's score is made of

LONG = 60  # stems: what a longer unit has says less
LONG_SECTION = 2.0  # the same for sections, in average ones
LIKE = 0.7  # how much of a word a related one covers at most
BESIDE = 0.8  # how much a unit covers of what only the one beside it has
PART = 0.25  # of a compound's part, if the compound itself is found somewhere
CORRECTED = 0.7  # of a word that was not typed so
RELATED = 0.85  # of a related word, times how similar it is
PHRASE = 4.0  # what a unit gains that holds a quoted phrase
DAYS = 1.0  # how well a unit fits whose file is of the days asked for
NAMED_DAYS = 0.6  # the same for one that names such a day, or whose file is of a longer time
NOTED_AFTER = (
    0.4  # the same for one whose file is of a few days later: things are noted after they happen
)
NOTED_WITHIN = 7  # days that are a few
MOST_PAIRS = 16  # pairs of neighbouring words that are looked for

CANDIDATES = 80  # sections that are ranked unit by unit
RELATED_CANDIDATES = (
    20  # further sections, that hold a related word; 150 and 50 gave the same figures, slower
)
ALIKE_CANDIDATES = 20  # further sections, that hold what means much the same
MOST_EMBEDDED = 64  # new units that a query embeds at once; 64 take half a second
DAY_CANDIDATES = 100  # further sections, of the days asked for
COMMON = 1000  # sections: a word in more than these and in half of all chooses no candidates
CHOOSING = 2  # the rarest words of a query choose candidates however common they are,
PLACES = 10_000  # further ones only up to so many sections together
RELATED_COMMON = 100  # sections: a related word in more than these chooses no candidates
MOST_RELATED = 16  # words that stand for those of a query; more cost time and find no more
MOST_CORRECTED = 8  # unknown words of a query that are corrected
MOST_TERMS = 64
"""How many of a query's words are looked up: the most informative ones."""
