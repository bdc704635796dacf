"""The ways of answering that CORF compares: lookups with and without their parts, a query, BM25 over chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from bench.corf.dataset import Query
from hippocampus_cli.anchors.chunks import Size, spans
from hippocampus_cli.anchors.lookup import AnchorIndex
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.baselines import bm25
from hippocampus_cli.benchmark.corpus import Corpus, Span
from hippocampus_cli.benchmark.methods import notes_of

Ask = Callable[[Query], Sequence[Span]]

ABLATIONS = ("no-pronoun", "no-rerank", "nightly-only")
FULL = "full"


class Method(NamedTuple):
    """``key`` in files, ``name`` in tables."""

    key: str
    name: str
    ask: Ask


def lookups(index: AnchorIndex, ablations: Sequence[str]) -> list[Method]:
    """The whole lookup, then without each of ``ablations``."""
    keys = (FULL, *ablations)
    return [Method(key, _NAMES[key], partial(_lookup, index, key)) for key in keys]


_NAMES = {
    FULL: "anchors, full",
    "no-pronoun": "no pronouns",
    "no-rerank": "no re-ranking",
    "nightly-only": "nightly only",
}


def _lookup(index: AnchorIndex, key: str, query: Query) -> Sequence[Span]:
    hits = index.lookup(
        query.text,
        query.project or "",
        expand_pronouns=key != "no-pronoun",
        rerank=key != "no-rerank",
        nightly_only=key == "nightly-only",
    )
    return [Span(hit.path, hit.start_line, hit.end_line) for hit in hits]


def beside(workspace: Workspace, most: int, now: datetime) -> list[Method]:
    """What a lookup is compared with: neither is told the project, as neither has a use for it."""

    def hybrid(query: Query) -> Sequence[Span]:
        found = workspace.query(
            query.text, mode="hybrid", limit=most, tokens=1_000_000, write=False, now=now
        )
        return [Span(one.path, one.start_line, one.end_line) for one in found.results]

    ask = _bm25(workspace, most)
    return [
        Method("hybrid", "hybrid query", hybrid),
        Method("bm25-chunks", "BM25, chunks", lambda query: ask(query.text)),
    ]


def _bm25(workspace: Workspace, most: int) -> Callable[[str], Sequence[Span]]:
    settings = workspace.config.anchors
    size = Size(settings.chunk_tokens, settings.min_tokens)
    notes = notes_of(workspace)
    files = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    places = [Span(note.path, *span) for note in notes for span in spans(note, size)]
    ask = bm25(Corpus(files, frozenset(), ()), places)
    return lambda text: ask(text).shown[:most]
