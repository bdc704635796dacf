"""memsearch: vectors and BM25 over sections, in Milvus. It needs embeddings: a server of one's own, or ONNX."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bench.peers.dialogue import as_json, dialogue
from bench.peers.peer import (
    MOST,
    Asking,
    Found,
    Peer,
    PeerFailed,
    Place,
)
from bench.peers.sandbox import output

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
def _open(place: Place) -> Iterator[Asking]:
    options = _options(place)
    output((place.program, "index", *options, "."), place)

    def command(question: str) -> list[str]:
        wanted = ("--json-output", "--top-k", str(MOST))
        return [place.program, "search", *options, *wanted, "--", question]

    def ask(question: str) -> list[Found]:
        return found(as_json(output(command(question), place)), place.notes)

    with ExitStack() as running:
        warm = _warm(place, running)
        yield Asking(warm or ask, command, warm=warm is not None)


def _options(place: Place) -> list[str]:
    options = ["--milvus-uri", str(_database(place))]
    if place.embeddings is None:
        return [*options, "--provider", "onnx"]
    server = ("--base-url", place.embeddings, "--api-key", "none")
    return [*options, "--provider", "openai", "--model", MODEL, *server]


def _database(place: Place) -> Path:
    return place.home / "milvus.db"


def _warm(place: Place, running: ExitStack) -> Callable[[str], list[Found]] | None:
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
        return found(talk.hear()["results"], place.notes)

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


def found(results: Iterable[Mapping[str, Any]], notes: Path) -> list[Found]:
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
    _open,
)
