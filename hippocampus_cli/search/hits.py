"""What a search returns, and lines of notes that something else than words leads to: entries of the index,
anchors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.candidates import Place
from hippocampus_cli.search.confidence import Confidence


class Boost(NamedTuple):
    """Lines ``start`` to ``end`` of a note, 1-based and inclusive, and how surely anchors lead there, 0 to 1."""

    start: int
    end: int
    score: float


Boosts = Mapping[str, Sequence[Boost]]
"""Leads by the path of their note, the surest first."""


class Pointed(NamedTuple):
    """Lines of a note that an entry of the index points at: its ``words``, which count as a heading there, its
    strength and how often it answered."""

    start: int
    end: int
    words: str
    strength: float = 1.0
    hits: int = 0


class Hit(NamedTuple):
    """A passage that may answer: its ``score`` by the ranker (higher is likelier, on no scale), the share of the
    question that it has, with its headings but without the words of entries, how surely anchors lead there,
    whether an entry points there, and the places of its ``copies``."""

    place: Place
    score: float
    coverage: float = 0.0
    boost: float = 0.0
    pointed: bool = False
    copies: tuple[Place, ...] = ()


class Answer(NamedTuple):
    """The hits, best first; how likely it is that one of the first five answers, and that the first does; the
    words of the question that no note has; what misspelt words were taken for; and the terms that were looked for."""

    hits: tuple[Hit, ...] = ()
    confidence: Confidence = Confidence()
    missing: tuple[str, ...] = ()
    corrections: Mapping[str, str] = MappingProxyType({})
    terms: frozenset[str] = frozenset()
    notices: tuple[str, ...] = ()
