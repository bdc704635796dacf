"""What a search returns, and lines of notes that entries of the index lead to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.search.candidates import Place
from hippocampus_cli.search.confidence import Confidence


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
    question that it has, with its headings but without the words of entries,
    whether an entry points there, and the places of its ``copies``."""

    place: Place
    score: float
    coverage: float = 0.0
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
