"""The methods that are compared by what they rank: what people do without hippo, and hippo's own ways.

A further one is one line of :data:`RANKINGS`: a key to name it by, a name for tables, and a function that is
given a :class:`SessionContext` and gives back a function from a question to its :class:`Ranked`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from typing import NamedTuple

from bench.agent_tokens import tokens
from bench.metrics import Corpus, Ranked, Shown, Span
from hippocampus_cli.api import QueryResult, Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.embedding.embedder import Opener
from hippocampus_cli.query.results import Result
from hippocampus_cli.text.stop_words import STOP_WORDS

Ask = Callable[[str], Ranked]

TOP = 5
_ROWS = 200  # that BM25 gives: enough for ten files, whatever their size


def full_scan(corpus: Corpus) -> Ask:
    """Everything is read, file by file."""
    places = tuple(corpus.whole())
    found = ranked(corpus, places)._replace(tokens=sum(tokens(corpus.text(one)) for one in places))
    return lambda _: found


def grep_occurrences(corpus: Corpus) -> Ask:
    """Whole sections by how often the question's words stand in them (INDEX's baseline)."""
    return _counting(corpus, corpus.sections, _occurrences)


def grep_words(corpus: Corpus) -> Ask:
    """Whole sections by how many different words of the question stand in them."""
    return _counting(corpus, corpus.sections, _distinct)


def grep_files(corpus: Corpus) -> Ask:
    """Files by occurrences, the first five read whole (INDEX §11.1)."""
    return _counting(corpus, tuple(corpus.whole()), _occurrences, TOP)


def bm25(texts: Sequence[str]) -> Callable[[str], list[int]]:
    """The numbers of the texts that fit a question, best first, in the order of SQLite's FTS5 with its stemmer."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE place USING fts5(text, tokenize = 'porter unicode61')")
    table.executemany(
        "INSERT INTO place (rowid, text) VALUES (?, ?)", enumerate(map(_storable, texts))
    )
    wanted = f"SELECT rowid FROM place WHERE place MATCH ? ORDER BY rank LIMIT {_ROWS}"

    def best(question: str) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(question)))
        return [row for (row,) in table.execute(wanted, (_storable(match),))] if match else []

    return best


def words(question: str) -> list[str]:
    """The words that a person would look for: "is" and "the" are everywhere, and would outweigh the others."""
    found = re.findall(r"\w+", question.lower())
    return [word for word in found if word not in STOP_WORDS] or found


def _storable(text: str) -> str:
    """Bytes that are not UTF-8 are surrogates in a note's text, which SQLite refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")


def bm25_units(corpus: Corpus) -> Ask:
    """The lines that can answer, in the order of FTS5 with its Porter stemmer."""
    return bm25_spans(corpus, [Span(path, line, line) for path, line in sorted(corpus.units)])


def bm25_sections(corpus: Corpus) -> Ask:
    """Whole sections, the same way."""
    return bm25_spans(corpus, corpus.sections)


def bm25_messages(corpus: Corpus) -> Ask:
    """What is said in one go, the same way."""
    return bm25_spans(corpus, corpus.messages)


NEAR = 0.97
"""Of the best score: what has as much is a near-tie."""


def bm25_newest(corpus: Corpus) -> Ask:
    """The lines that can answer in the order of FTS5, but of those that fit about as well as the best the newest
    first: files are named by their days."""
    spans = [Span(path, line, line) for path, line in sorted(corpus.units)]
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE line USING fts5(text, tokenize = 'porter unicode61')")
    table.executemany("INSERT INTO line VALUES (?)", ((corpus.text(span),) for span in spans))
    wanted = "SELECT rowid, -rank FROM line WHERE line MATCH ? ORDER BY rank LIMIT 200"

    def ask(question: str) -> Ranked:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(question)))
        rows = table.execute(wanted, (match,)).fetchall() if match else []
        ties = [row for row, score in rows if score >= NEAR * rows[0][1]]
        order = [*sorted(ties, reverse=True), *(row for row, _ in rows[len(ties) :])]
        return ranked(corpus, [spans[row - 1] for row in order])

    return ask


def ranked(corpus: Corpus, spans: Iterable[Span]) -> Ranked:
    """An order of spans, of which the first five are what a person would look at."""
    shown = tuple(spans)
    results = tuple(Shown(one.path, corpus.text(one), (one,)) for one in shown[:TOP])
    return Ranked(shown, sum(tokens(one.text) for one in results), results=results)


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
    words alone, a moment, and the budget for what hippo returns.

    ``opener`` opens the embedder that the settings name; ``until_done`` closes what a method has opened.
    """

    corpus: Corpus
    workspace: Workspace
    now: datetime
    tokens: int = TOKENS
    opener: Opener | None = None
    until_done: ExitStack | None = None
    limit: int = LIMIT


class Ranking(NamedTuple):
    """A method: ``key`` on the command line, ``name`` in tables."""

    key: str
    name: str
    make: Callable[[Desk], Ask]


def lines_of(result: Result) -> tuple[Span, ...]:
    """The lines of a result that answer."""
    return (Span(result.path, result.start_line, result.end_line, result.score),)


def shown_by(results: Iterable[Result]) -> tuple[Span, ...]:
    """The lines that all results show, in the order of the answer."""
    return tuple(span for result in results for span in lines_of(result))


def _shown(result: Result) -> Shown:
    return Shown(result.path, result.text, lines_of(result), bool(result.superseded))


def _query(desk: Desk, mode: str) -> Ask:
    def answer(question: str, most: int) -> QueryResult:
        return desk.workspace.at(desk.now).query(
            question, mode=mode, limit=desk.limit, tokens=most, write=False
        )

    def ask(question: str) -> Ranked:
        if not question.strip():  # which hippo refuses
            return Ranked((), 0, confidence="none")
        found = answer(question, desk.tokens)
        published = sum(tokens(result.text) for result in found.results)
        share = found.tokens / published if published else 1.0

        def within(budget: int) -> tuple[Span, ...]:
            """An answer for so many tokens as the published figures count them, characters / 4."""
            given = answer(question, min(max(1, round(budget * share)), desk.tokens))
            if 0 < (size := sum(tokens(result.text) for result in given.results)) < 0.97 * budget:
                wanted = round(
                    budget * share * budget / size
                )  # this text has other words than the first
                given = answer(question, min(max(1, wanted), desk.tokens))
            return shown_by(given.results)

        return Ranked(
            shown_by(found.results),
            sum(tokens(result.text) for result in found.results[:TOP]),
            within,
            tuple(map(_shown, found.results)),
            found.sure,
        )

    return ask


def _anchors(desk: Desk) -> Ask:
    """The chunks that a lookup returns, whole, in its order."""

    def ask(question: str) -> Ranked:
        hits = desk.workspace.anchors.lookup(question).hits if question.strip() else ()
        return ranked(desk.corpus, [Span(hit.path, hit.start_line, hit.end_line) for hit in hits])

    return ask


def _with_embeddings(desk: Desk) -> Ask:
    """Hybrid over the same notes, which are embedded first. Raises what the embedder raises."""
    workspace = _opened(desk, desk.workspace.config, desk.opener)
    workspace.upkeep.embed()
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
    Ranking(EMBEDDINGS, "hybrid with embeddings", _with_embeddings),
)
FURTHER = (
    Ranking("bm25-messages", "BM25, messages", partial(_baseline, make=bm25_messages)),
    Ranking("bm25-newest", "BM25, newest tie", partial(_baseline, make=bm25_newest)),
)
"""Methods for certain data sets."""
