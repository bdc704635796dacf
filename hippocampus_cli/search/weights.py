"""The numbers of the ranking, in one place.

Chosen as round numbers on two sets, the same that the figures are from: chat logs as daily notes
(LoCoMo, five conversations, 760 questions: .873 of the right files among the first 5, .747 of the
right turns among the first 10) and ``fixtures/queries.toml`` (.645 of 93 answered by the first
section). Left out, ``NEIGHBOUR`` costs the turns .052, ``SECTION`` .035, and ``ABOVE`` costs the
first places of the fixture .086. ``RELATED`` brings the right files to .881, the right turns to
.754, and the fixture's paraphrases answered by the first 5 sections from .37 to .56.
"""

from __future__ import annotations

K1 = 1.2  # BM25: how fast further occurrences of a word stop counting
B_UNIT = 0.25  # BM25: how much a long unit is held against it; units are short, length says little
B_SECTION = 0.75

NEIGHBOUR = 0.5  # of the score of the unit before and of the one after
SECTION = 0.5  # of the score of the section as a whole
ABOVE = 1.0  # of the score of what stands above the unit: title, parents, path, date
TITLE = 2.0  # how many times a word in the section's title counts
PLACE = 1.0  # the same in its parents' titles, its path and its date

PART = 0.25  # of a compound's part, if the compound itself is found somewhere
CORRECTED = 0.7  # of a word that was not typed so
RELATED = 0.5  # of a related word, times how similar it is
PHRASE = 0.5  # what a unit gains that holds a quoted phrase, of the best score
DAYS = 0.8  # what a unit gains whose file is of the days asked for, of the best score
NAMED_DAYS = 0.5  # what a unit gains that names such a day, or whose file is of a longer time

CANDIDATES = 80  # sections that are ranked unit by unit
RELATED_CANDIDATES = (
    20  # further sections, that hold a related word; 150 and 50 gave the same figures, slower
)
DAY_CANDIDATES = 100  # further sections, of the days asked for
COMMON = 1000  # sections: a word in more than these and in half of all chooses no candidates
RELATED_COMMON = 100  # sections: a related word in more than these chooses no candidates
MOST_RELATED = 12  # words that stand for those of a query; more cost time and find no more
MOST_CORRECTED = 8  # unknown words of a query that are corrected
MOST_TERMS = 64
"""How many of a query's words are looked up: the most informative ones."""
