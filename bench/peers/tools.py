"""The tools that hippo is compared with. A further one is a function like theirs and a line of :data:`PEERS`.

ripgrep: lines with any of the question's words; it ranks nothing, so the files are put in order here. qmd: BM25 over
whole notes; its vectors and its re-ranker want models of some gigabytes, and are left out. basic-memory: full text
over notes, asked through its MCP server; its vectors want a model from a hub, and a Python whose SQLite loads
extensions: they are switched off. memsearch: vectors and BM25 over sections, in Milvus; it needs embeddings: a server
of one's own, or ONNX.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.methods import words
from bench.peers.process import (
    MOST,
    Asking,
    Found,
    Peer,
    PeerFailed,
    Place,
    Server,
    as_json,
    dialogue,
    output,
)

_NOTHING_FOUND = 1  # its exit code


class _Hit(NamedTuple):
    line: int
    text: str
    words: frozenset[str]


@contextmanager
def _open_ripgrep(place: Place) -> Iterator[Asking]:
    def command(question: str) -> list[str]:
        named = [f"--regexp={word}" for word in dict.fromkeys(words(question) or [question])]
        options = ("--no-config", "--json", "--ignore-case", "--fixed-strings")
        return [place.program, *options, *named, "--", "."]

    def ask(question: str) -> list[Found]:
        printed = output(command(question), place, allowed=(0, _NOTHING_FOUND))
        return in_order(printed)

    yield Asking(ask, command, warm=False)


def in_order(printed: str) -> list[Found]:
    """Files by how many different words they have, then by how many lines with one."""
    files: dict[str, list[_Hit]] = {}
    for line in printed.splitlines():
        event = json.loads(line)
        if event["type"] == "match" and "text" in event["data"]["path"]:
            path = event["data"]["path"]["text"].replace("\\", "/").removeprefix("./")
            files.setdefault(path, []).append(_hit(event["data"]))
    order = sorted(files, key=lambda path: (-_different(files[path]), -len(files[path]), path))
    return [_ripgrep_file(path, files[path]) for path in order]


def _hit(data: dict[str, Any]) -> _Hit:
    named = (one["match"].get("text", "") for one in data["submatches"])
    return _Hit(
        data["line_number"], data["lines"].get("text", ""), frozenset(map(str.lower, named))
    )


def _different(hits: list[_Hit]) -> int:
    return len(frozenset().union(*(hit.words for hit in hits)))


def _ripgrep_file(path: str, hits: list[_Hit]) -> Found:
    best = sorted(hits, key=lambda hit: (-len(hit.words), hit.line))
    return Found(path, tuple((hit.line, hit.line) for hit in best), "".join(h.text for h in best))


RIPGREP = Peer("rg", "ripgrep", "rg", "apt install ripgrep (or brew, cargo, winget)", _open_ripgrep)


_INSTALL_QMD = "npm install -g @tobilu/qmd (Node 22)"
_COLLECTION = "notes"
_MOST_PARTS = 10  # sub-queries that it takes
_SHAPE = ("--format", "json", "--full-path", "-n", str(MOST))
_HUNK = re.compile(r"@@ -(\d+),(\d+) @@")


def _qmd_index(place: Place) -> None:
    output((place.program, "collection", "add", str(place.notes), "--name", _COLLECTION), place)


@contextmanager
def _open_search(place: Place) -> Iterator[Asking]:
    """``qmd search``, with the question as it is typed."""
    _qmd_index(place)

    def command(question: str) -> list[str]:
        return [place.program, "search", *_SHAPE, "--", question]

    def ask(question: str) -> list[Found]:
        return qmd_results(as_json(output(command(question), place) or "[]"))

    yield Asking(ask, command, warm=False)


@contextmanager
def _open_words(place: Place) -> Iterator[Asking]:
    """``qmd query``, with each word of the question as a sub-query; warm through its server."""
    _qmd_index(place)

    def command(question: str) -> list[str]:
        document = "\n".join(f"lex: {word}" for word in _parts(question))
        return [place.program, "query", "--no-rerank", *_SHAPE, "--", document]

    with dialogue((place.program, "mcp"), place) as talk:
        server = Server(talk)

        def ask(question: str) -> list[Found]:
            searches = [{"type": "lex", "query": word} for word in _parts(question)]
            given = server.call("query", {"searches": searches, "rerank": False, "limit": MOST})
            return qmd_results(given.get("results", ()))

        yield Asking(ask, command, warm=True)


def _parts(question: str) -> list[str]:
    return list(dict.fromkeys(words(question)))[:_MOST_PARTS]


def qmd_results(results: Iterable[Mapping[str, Any]]) -> list[Found]:
    """Its results: a path that starts at the folder or at the collection, and a snippet that names its lines."""
    return [
        Found(_qmd_path(str(one["file"])), _qmd_lines(one), str(one.get("snippet", "")))
        for one in results
    ]


def _qmd_path(file: str) -> str:
    return file.replace("\\", "/").removeprefix("./").removeprefix(f"{_COLLECTION}/")


def _qmd_lines(one: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    hunk = _HUNK.search(str(one.get("snippet", "")))
    if hunk is None:
        return ()
    start, count = int(hunk[1]), int(hunk[2])
    return ((start, start + count - 1),)


SEARCH = Peer("qmd", "qmd search, as typed", "qmd", _INSTALL_QMD, _open_search)
WORDS = Peer("qmd-words", "qmd query, lex: words", "qmd", _INSTALL_QMD, _open_words)


_PROJECT = "notes"
_SOME_NOTE_FAILED = 1  # its exit code, though all others are indexed
BASIC_MEMORY_VARIABLES = {
    "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
    "BASIC_MEMORY_AUTO_UPDATE": "false",
    "BASIC_MEMORY_CLOUD_PROMO_OPT_OUT": "true",
    "BASIC_MEMORY_LOG_LEVEL": "ERROR",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else a price list is looked for on the network
}


@contextmanager
def _open_basic_memory(place: Place) -> Iterator[Asking]:
    written = _lines_by_path(place.notes)
    add = (place.program, "project", "add", _PROJECT, str(place.notes), "--default")
    output(add, place, BASIC_MEMORY_VARIABLES, allowed=(0, _SOME_NOTE_FAILED))

    def command(question: str) -> list[str]:
        options = ("--json", "--page-size", str(MOST))
        return [place.program, "tool", "search-notes", *options, "--", question]

    with dialogue((place.program, "mcp"), place, BASIC_MEMORY_VARIABLES) as talk:
        server = Server(talk)

        def ask(question: str) -> list[Found]:
            wanted = {"query": question, "page_size": MOST, "output_format": "json"}
            given = server.call("search_notes", wanted | {"project": _PROJECT})
            inner = given.get("result", given)
            inner = as_json(inner) if isinstance(inner, str) else inner
            return basic_memory_results(inner.get("results", ()), written)

        yield Asking(ask, command, warm=True, variables=BASIC_MEMORY_VARIABLES)


def basic_memory_results(
    results: Iterable[Mapping[str, Any]], notes: Mapping[str, list[str]]
) -> list[Found]:
    """Its results; where their text starts and ends in ``notes``, lines by path, is looked up."""
    given = []
    for one in results:
        path = str(one.get("file_path") or "").replace("\\", "/")
        text = str(one.get("matched_chunk") or one.get("content") or "")
        given.append(Found(path, lines_of(text, notes.get(path, [])), text))
    return given


def lines_of(text: str, lines: list[str]) -> tuple[tuple[int, int], ...]:
    """Where ``text`` stands, as it may have been cut anywhere; nothing where it cannot be found."""
    wanted = text.strip().split("\n")
    for at in range(len(lines) - len(wanted) + 1):
        there = lines[at : at + len(wanted)]
        if there[:-1] == wanted[:-1] and wanted[-1] and there[-1].startswith(wanted[-1]):
            return ((at + 1, at + len(wanted)),)
    return ()


def _lines_by_path(root: Path) -> dict[str, list[str]]:
    """The notes by path, as they are before the tool writes front matter into them."""
    return {
        file.relative_to(root).as_posix(): file.read_text("utf-8", "replace").split("\n")
        for file in sorted(root.rglob("*.md"))
    }


BASIC_MEMORY = Peer(
    *("basic-memory", "basic-memory, full text", "basic-memory"),
    "pipx install basic-memory (Python 3.12)",
    _open_basic_memory,
)


MODEL = "local"  # a name that it does not know: it then asks the server how long the vectors are
_WARM = """\
import asyncio, json, sys
from memsearch import MemSearch
memory = MemSearch(**json.loads(sys.argv[1]))
loop = asyncio.new_event_loop()
for line in sys.stdin:
    asked = json.loads(line)
    found = loop.run_until_complete(memory.search(asked["text"], top_k=asked["most"]))
    keys = ("source", "start_line", "end_line", "content")
    print(json.dumps({"results": [{key: one[key] for key in keys} for one in found]}), flush=True)
"""


@contextmanager
def _open_memsearch(place: Place) -> Iterator[Asking]:
    options = _memsearch_options(place)
    output((place.program, "index", *options, "."), place)

    def command(question: str) -> list[str]:
        wanted = ("--json-output", "--top-k", str(MOST))
        return [place.program, "search", *options, *wanted, "--", question]

    def ask(question: str) -> list[Found]:
        return memsearch_results(as_json(output(command(question), place)), place.notes)

    with ExitStack() as running:
        warm = _warm_memsearch(place, running)
        yield Asking(warm or ask, command, warm=warm is not None)


def _memsearch_options(place: Place) -> list[str]:
    options = ["--milvus-uri", str(_database(place))]
    if place.embeddings is None:
        return [*options, "--provider", "onnx"]
    server = ("--base-url", place.embeddings, "--api-key", "none")
    return [*options, "--provider", "openai", "--model", MODEL, *server]


def _database(place: Place) -> Path:
    return place.home / "milvus.db"


def _warm_memsearch(place: Place, running: ExitStack) -> Callable[[str], list[Found]] | None:
    """Its library, in the Python that its script names; None where there is none that works."""
    python = interpreter(Path(place.program))
    if python is None:
        return None
    try:
        output((*python, "-c", "import memsearch"), place)
    except PeerFailed:
        return None
    talk = running.enter_context(
        dialogue((*python, "-c", _WARM, json.dumps(_library(place))), place)
    )

    def ask(question: str) -> list[Found]:
        talk.tell({"text": question, "most": MOST})
        return memsearch_results(talk.hear()["results"], place.notes)

    return ask


def _library(place: Place) -> dict[str, str]:
    named = {"milvus_uri": str(_database(place))}
    if place.embeddings is None:
        return named | {"embedding_provider": "onnx"}
    server = {"embedding_base_url": place.embeddings, "embedding_api_key": "none"}
    return named | server | {"embedding_provider": "openai", "embedding_model": MODEL}


def interpreter(script: Path) -> Sequence[str] | None:
    """What runs a script, by its first line; None where that names nothing."""
    with script.open("rb") as file:
        first = file.readline(1024)
    if not first.startswith(b"#!"):
        return None
    return first[2:].decode("utf-8", "replace").split() or None


def memsearch_results(results: Iterable[Mapping[str, Any]], notes: Path) -> list[Found]:
    """Its results: a full path, and lines of it."""
    root = notes.resolve()
    return [
        Found(
            Path(one["source"]).resolve().relative_to(root).as_posix(),
            ((int(one["start_line"]), int(one["end_line"])),),
            str(one["content"]),
        )
        for one in results
    ]


MEMSEARCH = Peer(
    *("memsearch", "memsearch, hybrid", "memsearch"),
    'pipx install "memsearch[onnx]"',
    _open_memsearch,
)


PEERS = (RIPGREP, SEARCH, WORDS, BASIC_MEMORY, MEMSEARCH)
