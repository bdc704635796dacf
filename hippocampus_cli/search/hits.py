"""What a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hippocampus_cli.light import NamedTuple
from hippocampus_cli.search import weights
from hippocampus_cli.search.scoring import Row
from hippocampus_cli.workspace.note import Section


class UnitHit(NamedTuple):
    """A unit: 1-based inclusive lines, and its score, on one scale with all others of a search."""

    start: int
    end: int
    score: float


class SectionHit(NamedTuple):
    """A section that answers.

    ``score`` compares hits, a higher one by 1 is e times as likely to answer. ``units`` come best first, and
    ``best`` holds the features of the best. ``matched``
    are the stems of the query's terms found in the section, its title, parents, path; ``coverage``
    is their share of the query, 0 to 1, rare words counting more; a section that means the same has some without
    them. ``fits`` says that the file is of the
    days asked for, ``dated`` that the section is, or names one of them. ``said`` is the score that the text has by
    itself, ``led`` how surely anything else leads there.
    """

    path: str
    section: Section
    score: float
    units: tuple[UnitHit, ...]
    matched: frozenset[str]
    coverage: float
    fits: bool = False
    best: Row = ()
    said: float = 0.0
    led: float = 0.0
    dated: bool = False


class Found(NamedTuple):
    """The hits, best first, and what unknown words of the query were taken for (stems to stems).

    ``unknown`` is the share of the query, rare words counting more, that stands nowhere in the workspace;
    ``ranking`` names the weights that ranked them. ``undated``: days were asked for, and the best hit is neither of
    one of them nor names one. ``worth`` is what the query is worth, the sum of its terms' idf, and ``among`` how
    many stems the whole workspace has.
    """

    hits: tuple[SectionHit, ...] = ()
    corrections: Mapping[str, list[str]] = MappingProxyType({})
    unknown: float = 0.0
    ranking: str = weights.VERSION
    undated: bool = False
    worth: float = 0.0
    among: int = 0
