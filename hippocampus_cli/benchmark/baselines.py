"""What people do without hippo: read everything, grep, BM25 of SQLite. Each gives an order of spans."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence

from hippocampus_cli.benchmark.corpus import Corpus, Span
from hippocampus_cli.benchmark.metrics import Ranked
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.search.stopwords import STOP_WORDS

Ask = Callable[[str], Ranked]

TOP = 5
_WORD = re.compile(r"\w+")
_MOST = 200  # rows that BM25 gives: enough for ten files, whatever their size


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
    return _fts5(corpus, [Span(path, line, line) for path, line in sorted(corpus.units)])


def bm25_sections(corpus: Corpus) -> Ask:
    """Whole sections, the same way."""
    return _fts5(corpus, corpus.sections)


def bm25(corpus: Corpus, spans: Sequence[Span]) -> Ask:
    """Any spans, the same way."""
    return _fts5(corpus, spans)


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


def words(question: str) -> list[str]:
    """The words that a person would look for: "is" and "the" stand everywhere, and would drown the others."""
    found = _WORD.findall(question.lower())
    return [word for word in found if word not in STOP_WORDS] or found


def _occurrences(text: str, words: list[str]) -> int:
    return sum(map(text.count, words))


def _distinct(text: str, words: list[str]) -> int:
    return sum(word in text for word in set(words))


def _fts5(corpus: Corpus, spans: Sequence[Span]) -> Ask:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE place USING fts5(text, tokenize = 'porter unicode61')")
    rows = ((number, _storable(corpus.text(span))) for number, span in enumerate(spans))
    table.executemany("INSERT INTO place (rowid, text) VALUES (?, ?)", rows)
    wanted = f"SELECT rowid FROM place WHERE place MATCH ? ORDER BY rank LIMIT {_MOST}"

    def ask(question: str) -> Ranked:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words(question)))
        found = table.execute(wanted, (_storable(match),)) if match else ()
        return ranked(corpus, [spans[number] for (number,) in found])

    return ask


def _storable(text: str) -> str:
    """Bytes that are no UTF-8 stand in a note's text as surrogates, which SQLite refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")
