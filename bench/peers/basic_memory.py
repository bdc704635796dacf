"""basic-memory: full text over notes, asked through its MCP server.

Its vectors want a model from a hub, and a Python whose SQLite loads extensions: they are switched off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.peers.dialogue import Server, as_json, dialogue
from bench.peers.peer import MOST, Asking, Found, Peer, Place
from bench.peers.sandbox import output

_PROJECT = "notes"
_SOME_NOTE_FAILED = 1  # its exit code, though all others are indexed
VARIABLES = {
    "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "false",
    "BASIC_MEMORY_AUTO_UPDATE": "false",
    "BASIC_MEMORY_CLOUD_PROMO_OPT_OUT": "true",
    "BASIC_MEMORY_LOG_LEVEL": "ERROR",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else a price list is looked for on the network
}


@contextmanager
def _open(place: Place) -> Iterator[Asking]:
    written = _notes(place.notes)
    add = (place.program, "project", "add", _PROJECT, str(place.notes), "--default")
    output(add, place, VARIABLES, allowed=(0, _SOME_NOTE_FAILED))

    def command(question: str) -> list[str]:
        options = ("--json", "--page-size", str(MOST))
        return [place.program, "tool", "search-notes", *options, "--", question]

    with dialogue((place.program, "mcp"), place, VARIABLES) as talk:
        server = Server(talk)

        def ask(question: str) -> list[Found]:
            wanted = {"query": question, "page_size": MOST, "output_format": "json"}
            given = server.call("search_notes", wanted | {"project": _PROJECT})
            inner = given.get("result", given)
            inner = as_json(inner) if isinstance(inner, str) else inner
            return found(inner.get("results", ()), written)

        yield Asking(ask, command, warm=True, variables=VARIABLES)


def found(results: Iterable[Mapping[str, Any]], notes: Mapping[str, list[str]]) -> list[Found]:
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


def _notes(root: Path) -> dict[str, list[str]]:
    """The notes by path, as they are before the tool writes front matter into them."""
    return {
        file.relative_to(root).as_posix(): file.read_text("utf-8", "replace").split("\n")
        for file in sorted(root.rglob("*.md"))
    }


BASIC_MEMORY = Peer(
    *("basic-memory", "basic-memory, full text", "basic-memory"),
    "pipx install basic-memory (Python 3.12)",
    _open,
)
