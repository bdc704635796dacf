"""Another tool that answers questions about a folder of notes, as a benchmark sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.benchmark.baselines import TOP
from hippocampus_cli.benchmark.corpus import Span
from hippocampus_cli.benchmark.metrics import Ranked
from hippocampus_cli.index.budget import tokens

MOST = 20  # results that each tool is asked for, as many as hippo is


class PeerFailed(Exception):
    """A tool that is there did not do what it should; the text says what it said."""


class Place(NamedTuple):
    """Where a tool works: ``notes`` is a copy of its own, ``home`` an empty folder that it takes for the user's.

    ``program`` is its full path; ``embeddings`` the address of a server on this machine that speaks OpenAI's
    embeddings, for tools that need one.
    """

    program: str
    notes: Path
    home: Path
    embeddings: str | None = None


class Found(NamedTuple):
    """One result: a path below the notes with ``/``, lines of it (1-based and inclusive; none where the tool
    names only the file), and the text that the tool returned for it."""

    path: str
    lines: tuple[tuple[int, int], ...]
    text: str


class Asking(NamedTuple):
    """A tool whose index is built.

    ``ask`` gives the results, best first, and raises :class:`PeerFailed`; ``command`` is the question as a
    process of its own, with ``variables`` in its environment. ``warm``: ``ask`` puts it to a process that is
    running already.
    """

    ask: Callable[[str], list[Found]]
    command: Callable[[str], Sequence[str]]
    warm: bool
    variables: Mapping[str, str] = {}


class Peer(NamedTuple):
    """A tool in one way of asking it: ``key`` on the command line, ``name`` in tables, ``program`` on the PATH,
    ``install`` the command that puts it there. ``open`` indexes a place, and closes what it started."""

    key: str
    name: str
    program: str
    install: str
    open: Callable[[Place], AbstractContextManager[Asking]]


def ranked(results: Iterable[Found]) -> Ranked:
    """The results as places; a file without lines is a place that shows none of them."""
    given = list(islice(results, MOST))
    shown = tuple(
        Span(one.path, start, end) for one in given for start, end in (one.lines or ((1, 0),))
    )
    return Ranked(shown, sum(tokens(one.text) for one in given[:TOP]))
