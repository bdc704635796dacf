"""The numbers of the ranking, in one place.

``FEATURES`` is a linear model fitted by ``bench/fit/ranking.py`` to two sets that have little in common, and rounded:
chat logs as daily notes (LoCoMo, five conversations, 760 questions) and ``fixtures/queries.toml`` (93 questions
about an agent's workspace). What held for one alone did not do for the other: fitted to the chats only, the
fixture's first places fell to .37. Held out in turn (each conversation, or a fifth of the fixture's questions):
.889 of the right files among the first 5, .798 of the right turns among the first 10, .72 of the fixture's questions
answered by the first section and .85 by the first five. The formula before (BM25 of the unit, half of its
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
    "own": 0.0,
    "related": -0.3,
    # the units next to it; its section; what stands above it: titles, path, date
    "before": -0.1,
    "after": 0.4,
    "two before": 1.3,
    "two after": 0.7,
    "section": -0.1,
    "above": 8.2,
    # the share of the query that the unit has, that it has with its neighbours, that its section has
    "covered": 1.8,
    "window": 7.5,
    "window squared": -4.8,
    "covered by section": 4.4,
    # how many of the query's words it has; how well it fits the days; whether one of them is its label
    "terms": 0.3,
    "days": 9.0,
    "label": 1.7,
    # whether it asks instead of answering; the logarithm of its length
    "question": -0.6,
    "length": 0.2,
    # neighbouring words of the query side by side; the score of a question just before it
    "pairs": 2.5,
    "answer": 2.3,
}
"""What each feature of a unit counts for, in the order of :func:`hippocampus_cli.search.scoring.features`."""
WEIGHTS = tuple(FEATURES.values())
DAYS_FIT = list(FEATURES).index("days")
SECTION_COVERS = list(FEATURES).index("covered by section")
VERSION, SEMANTIC_VERSION = "words-2", "meaning-4"
"""Names of the two rankings; another one needs its confidence calibrated anew."""
# With an embedder everything counts a little otherwise. Chosen on the same two sets: with these the right turns among
# the first 10 are .834 instead of .798, the right files among the first 5 .902 instead of .889 (each conversation
# left out in turn), and of the fixture's questions .76 instead of .71 are answered by the first section.
SEMANTIC: dict[str, float] = {
    "own": -1.7,
    "related": -0.7,
    "before": -0.4,
    "after": -0.1,
    "two before": 1.1,
    "two after": 0.6,
    "section": -0.6,
    "above": 7.7,
    "covered": 3.0,
    "window": 5.8,
    "window squared": -3.1,
    "covered by section": 1.4,
    "terms": -0.1,
    "days": 7.8,
    "label": 1.7,
    "question": -0.4,
    "length": 0.4,
    "pairs": 2.2,
    "answer": 2.1,
    # what its section has of the query, not as a share: all of a word says less than all of ten
    "worth of section": 0.19,
    # how like the question it is, the better of those beside it, and the best of its section: in standard deviations
    # of all candidates
    "likeness": 0.5,
    "likeness beside": 0.28,
    "likeness of section": 0.2,
}
"""What each feature counts for where likeness is known: those of :data:`FEATURES`, in their order, and four more."""
FEW_ALIKE = 8  # units whose spread in likeness says nothing
LEAST_SPREAD = 0.5  # of the candidates, where that of any text is 1
ALIKE_COVERS = 0.04  # share of the query that each spread of likeness makes up for: it shows, and proves little
ALIKE_MOST = 0.25
SEMANTIC_WEIGHTS = tuple(SEMANTIC.values())


# How much likeness counts: for a query without words, for each of its words, at most. The vector of one or two words
# says little more than they do: of 223 questions about six workspaces .857 are answered by the first five at 1.5,
# .834 at 1; of the same as cues of one to three words .803 and .821.
ALIKE_COUNTS, ALIKE_COUNTS_A_WORD, ALIKE_COUNTS_MOST = 0.5, 0.25, 1.5
# What an anchor's lead counts beside either ranking, times how surely it leads there (0 to 1). Chosen on the same two
# sets with the weights as they are: of LoCoMo's right files .888 instead of .880 are among the first 5, of its right
# turns .804 instead of .792 among the first 10, and .854 instead of .849 are within 1,000 tokens; of the fixture's
# questions the first section answers as many (.758), the first five .868 instead of .857. From 4 to 12 it is much the
# same; fitted anew together with all others it found no more.
BOOST = 5.0
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
LED_CANDIDATES = 20  # further sections, to which anchors lead
DAY_CANDIDATES = 100  # further sections, of the days asked for
COMMON = 1000  # sections: a word in more than these and in half of all chooses no candidates
CHOOSING = 2  # the rarest words of a query choose candidates however common they are,
PLACES = 10_000  # further ones only up to so many sections together
RELATED_COMMON = 100  # sections: a related word in more than these chooses no candidates
MOST_RELATED = 16  # words that stand for those of a query; more cost time and find no more
MOST_CORRECTED = 8  # unknown words of a query that are corrected
MOST_TERMS = 64
"""How many of a query's words are looked up: the most informative ones."""
