"""qmd: BM25 over whole notes. Its vectors and its re-ranker want models of some gigabytes, and are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bench.peers.dialogue import Server, as_json, dialogue
from bench.peers.peer import MOST, Asking, Found, Peer, Place
from bench.peers.sandbox import output
from hippocampus_cli.benchmark.baselines import words

_INSTALL = "npm install -g @tobilu/qmd (Node 22)"
_COLLECTION = "notes"
_MOST_PARTS = 10  # sub-queries that it takes
_SHAPE = ("--format", "json", "--full-path", "-n", str(MOST))
_HUNK = re.compile(r"@@ -(\d+),(\d+) @@")


def _index(place: Place) -> None:
    output((place.program, "collection", "add", str(place.notes), "--name", _COLLECTION), place)


@contextmanager
def _open_search(place: Place) -> Iterator[Asking]:
    """``qmd search``, with the question as it is typed."""
    _index(place)

    def command(question: str) -> list[str]:
        return [place.program, "search", *_SHAPE, "--", question]

    def ask(question: str) -> list[Found]:
        return found(as_json(output(command(question), place) or "[]"))

    yield Asking(ask, command, warm=False)


@contextmanager
def _open_words(place: Place) -> Iterator[Asking]:
    """``qmd query``, with each word of the question as a sub-query; warm through its server."""
    _index(place)

    def command(question: str) -> list[str]:
        document = "\n".join(f"lex: {word}" for word in _parts(question))
        return [place.program, "query", "--no-rerank", *_SHAPE, "--", document]

    with dialogue((place.program, "mcp"), place) as talk:
        server = Server(talk)

        def ask(question: str) -> list[Found]:
            searches = [{"type": "lex", "query": word} for word in _parts(question)]
            given = server.call("query", {"searches": searches, "rerank": False, "limit": MOST})
            return found(given.get("results", ()))

        yield Asking(ask, command, warm=True)


def _parts(question: str) -> list[str]:
    return list(dict.fromkeys(words(question)))[:_MOST_PARTS]


def found(results: Iterable[Mapping[str, Any]]) -> list[Found]:
    """Its results: a path that starts at the folder or at the collection, and a snippet that names its lines."""
    return [
        Found(_path(str(one["file"])), _lines(one), str(one.get("snippet", ""))) for one in results
    ]


def _path(file: str) -> str:
    return file.replace("\\", "/").removeprefix("./").removeprefix(f"{_COLLECTION}/")


def _lines(one: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    hunk = _HUNK.search(str(one.get("snippet", "")))
    if hunk is None:
        return ()
    start, count = int(hunk[1]), int(hunk[2])
    return ((start, start + count - 1),)


SEARCH = Peer("qmd", "qmd search, as typed", "qmd", _INSTALL, _open_search)
WORDS = Peer("qmd-words", "qmd query, lex: words", "qmd", _INSTALL, _open_words)
