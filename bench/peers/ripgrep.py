"""ripgrep: lines with any of the question's words. It ranks nothing, so the files are put in order here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from bench.peers.peer import Asking, Found, Peer, Place
from bench.peers.sandbox import output
from hippocampus_cli.benchmark.baselines import words

_NOTHING_FOUND = 1  # its exit code


class _Hit(NamedTuple):
    line: int
    text: str
    words: frozenset[str]


@contextmanager
def _open(place: Place) -> Iterator[Asking]:
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
    return [_found(path, files[path]) for path in order]


def _hit(data: dict[str, Any]) -> _Hit:
    named = (one["match"].get("text", "") for one in data["submatches"])
    return _Hit(
        data["line_number"], data["lines"].get("text", ""), frozenset(map(str.lower, named))
    )


def _different(hits: list[_Hit]) -> int:
    return len(frozenset().union(*(hit.words for hit in hits)))


def _found(path: str, hits: list[_Hit]) -> Found:
    best = sorted(hits, key=lambda hit: (-len(hit.words), hit.line))
    return Found(path, tuple((hit.line, hit.line) for hit in best), "".join(h.text for h in best))


RIPGREP = Peer("rg", "ripgrep", "rg", "apt install ripgrep (or brew, cargo, winget)", _open)
