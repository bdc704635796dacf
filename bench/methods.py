"""The methods that are compared by what they rank: what people do without hippo, and hippo's own ways.

A further one is one line of :data:`RANKINGS`: a key to name it by, a name for tables, and a function that is
given a :class:`SessionContext` and gives back a function from a question to its :class:`Ranked`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from typing import NamedTuple

from bench.metrics import Corpus, Ranked, Span
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.methods import bm25, words
from hippocampus_cli.config import Config
from hippocampus_cli.embedding.embedder import Opener
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.query.results import Result

Ask = Callable[[str], Ranked]

TOP = 5


def full_scan(corpus: Corpus) -> Ask:
    """Everything is read, file by file."""
    places = tuple(corpus.whole())
    ranked = Ranked(places, sum(tokens(corpus.text(one)) for one in places))
    return lambda _: ranked


def grep_occurrences(corpus: Corpus) -> Ask:
    """Whole sections by how often the question's words stand in them (INDEX's baseline)."""
    return _counting(corpus, corpus.sections, _occurrences)


def grep_words(corpus: Corpus) -> Ask:
    """Whole sections by how many different words of the question stand in them."""
    return _counting(corpus, corpus.sections, _distinct)


def grep_files(corpus: Corpus) -> Ask:
    """Files by occurrences, the first five read whole (INDEX §11.1)."""
    return _counting(corpus, tuple(corpus.whole()), _occurrences, TOP)


def bm25_units(corpus: Corpus) -> Ask:
    """The lines that can answer, in the order of FTS5 with its Porter stemmer."""
    return bm25_spans(corpus, [Span(path, line, line) for path, line in sorted(corpus.units)])


def bm25_sections(corpus: Corpus) -> Ask:
    """Whole sections, the same way."""
    return bm25_spans(corpus, corpus.sections)


def ranked(corpus: Corpus, spans: Iterable[Span]) -> Ranked:
    """An order of spans, of which the first five are what a person would look at."""
    shown = tuple(spans)
    return Ranked(shown, sum(tokens(corpus.text(one)) for one in shown[:TOP]))


def _counting(
    corpus: Corpus,
    spans: Sequence[Span],
    count: Callable[[str, list[str]], int],
    most: int | None = None,
) -> Ask:
    lowered = [(corpus.text(span).lower(), span) for span in spans]

    def ask(question: str) -> Ranked:
        wanted = words(question)
        counts = [(count(text, wanted), span) for text, span in lowered]
        best = sorted((row for row in counts if row[0]), key=lambda row: -row[0])
        return ranked(corpus, [span for _, span in best[:most]])

    return ask


def _occurrences(text: str, words: list[str]) -> int:
    return sum(map(text.count, words))


def _distinct(text: str, words: list[str]) -> int:
    return sum(word in text for word in set(words))


def bm25_spans(corpus: Corpus, spans: Sequence[Span]) -> Ask:
    """Any spans, the same way."""
    best = bm25([corpus.text(span) for span in spans])
    return lambda question: ranked(corpus, [spans[row] for row in best(question)])


EMBEDDINGS = "hybrid-embeddings"
"""The method that needs an embedder."""
LIMIT = 20  # results asked for: enough for ten files and twenty turns
TOKENS = 20_000  # so many that no result is left out for want of room


class Desk(NamedTuple):
    """What a method works on: lines that are known, the same lines as a workspace with its index, which compares
    words alone and does not go by anchors, a moment, and the budget for what hippo returns.

    ``opener`` opens the embedder that the settings name; ``until_done`` closes what a method has opened.
    """

    corpus: Corpus
    workspace: Workspace
    now: datetime
    tokens: int = TOKENS
    opener: Opener | None = None
    until_done: ExitStack | None = None


class Ranking(NamedTuple):
    """A method: ``key`` on the command line, ``name`` in tables."""

    key: str
    name: str
    make: Callable[[Desk], Ask]


def by_anchors(config: Config, wanted: bool) -> Config:
    """The settings under which a query goes by the anchors, or does not."""
    return config.replaced(anchors=config.anchors._replace(use_in_query=wanted))


def lines_of(result: Result) -> tuple[Span, ...]:
    """The lines that a result shows, in the order in which it shows them."""
    return tuple(
        Span(result.path, one.start_line, one.end_line, one.score) for one in result.passages
    )


def shown_by(results: Iterable[Result]) -> tuple[Span, ...]:
    """The lines that all results show, in the order of the answer."""
    return tuple(span for result in results for span in lines_of(result))


def _query(desk: Desk, mode: str) -> Ask:
    def results(question: str, tokens: int) -> tuple[Result, ...]:
        return desk.workspace.query(
            question, mode=mode, limit=LIMIT, tokens=tokens, write=False, now=desk.now
        ).results

    def ask(question: str) -> Ranked:
        found = results(question, desk.tokens)
        return Ranked(
            shown_by(found),
            sum(result.tokens for result in found[:TOP]),
            lambda budget: shown_by(results(question, min(budget, desk.tokens))),
        )

    return ask


def _anchors(desk: Desk) -> Ask:
    """The chunks that a lookup returns, whole, in its order; the anchors are built first."""
    desk.workspace.anchors.build(now=desk.now)
    index = desk.workspace.anchors.index()

    def ask(question: str) -> Ranked:
        hits = index.lookup(question)
        return ranked(desk.corpus, [Span(hit.path, hit.start_line, hit.end_line) for hit in hits])

    return ask


def _with_embeddings(desk: Desk) -> Ask:
    """Hybrid over the same notes, which are embedded first. Raises what the embedder raises."""
    workspace = _opened(desk, desk.workspace.config, desk.opener)
    workspace.embed()
    return _query(desk._replace(workspace=workspace), "hybrid")


def _with_anchors(desk: Desk) -> Ask:
    """Hybrid over the same notes, whose anchors are built first."""
    workspace = _opened(desk, by_anchors(desk.workspace.config, True))
    workspace.anchors.build(now=desk.now)
    return _query(desk._replace(workspace=workspace), "hybrid")


def _opened(desk: Desk, config: Config, opener: Opener | None = None) -> Workspace:
    """The same notes once more, under other settings; closed when the desk is done."""
    workspace = Workspace(desk.workspace.root, config, opener=opener)
    if desk.until_done is not None:
        desk.until_done.enter_context(workspace)
    return workspace


def _baseline(desk: Desk, make: Callable[[Corpus], Ask]) -> Ask:
    return make(desk.corpus)


RANKINGS = (
    Ranking("full-scan", "full scan", partial(_baseline, make=full_scan)),
    Ranking("grep", "grep, occurrences", partial(_baseline, make=grep_occurrences)),
    Ranking("grep-words", "grep, words", partial(_baseline, make=grep_words)),
    Ranking("grep-files", "grep + top 5 files", partial(_baseline, make=grep_files)),
    Ranking("bm25-turns", "BM25, turns", partial(_baseline, make=bm25_units)),
    Ranking("bm25-sections", "BM25, sections", partial(_baseline, make=bm25_sections)),
    Ranking("index", "index only", partial(_query, mode="index")),
    Ranking("search", "search only", partial(_query, mode="search")),
    Ranking("hybrid", "hybrid", partial(_query, mode="hybrid")),
    Ranking("anchors", "anchors", _anchors),
    Ranking("hybrid-anchors", "hybrid with anchors", _with_anchors),
    Ranking(EMBEDDINGS, "hybrid with embeddings", _with_embeddings),
)
