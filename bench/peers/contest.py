"""Whoever is asked, hippo or another tool, in one shape."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.peers.cases import Folder
from bench.peers.peer import Peer, PeerFailed, Place, ranked
from bench.peers.sandbox import output, seconds_of
from bench.rankings import RANKINGS, Desk, Ranking
from hippocampus_cli import __version__
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.baselines import Ask
from hippocampus_cli.benchmark.metrics import Ranked
from hippocampus_cli.benchmark.processes import timed
from hippocampus_cli.config import Config
from hippocampus_cli.markdown.safe import safe_line

MODES = ("search", "hybrid")
_VERSION = re.compile(r"\d+(?:\.\d+)+\S*")


class Opened(NamedTuple):
    """Somebody whose index is built. ``cold`` times a question as a process, in seconds, also once this has
    been closed; ``warm`` tells whether ``ask`` starts none."""

    ask: Ask
    cold: Callable[[str], float]
    warm: bool


class Contestant(NamedTuple):
    """``version`` is None for a tool that is not installed; ``open`` takes notes and an empty folder to work in."""

    key: str
    name: str
    version: str | None
    install: str
    open: Callable[[Folder, Path], AbstractContextManager[Opened]]


def hippo(config: Config) -> list[Contestant]:
    """hippo's ways of asking."""
    return [
        Contestant(
            *(one.key, f"hippo, {one.key}", __version__, "pip install hippocampus-cli"),
            partial(_open_hippo, one, config),
        )
        for one in RANKINGS
        if one.key in MODES
    ]


@contextmanager
def _open_hippo(
    ranking: Ranking, config: Config, folder: Folder, scratch: Path
) -> Iterator[Opened]:
    root = folder.copied(scratch / "notes", own=True)
    ask = ("-m", "hippocampus_cli", "query", "--workspace", str(root), "--mode", ranking.key, "--")
    with Workspace(root, config) as workspace:
        if not workspace.store.exists():
            workspace.bootstrap(now=folder.now)
        desk = Desk(folder.corpus, workspace, folder.now)
        yield Opened(ranking.make(desk), lambda text: timed((*ask, safe_line(text))), warm=True)


def other(peer: Peer, embeddings: str | None, scratch: Path) -> Contestant:
    """Another tool; ``scratch`` is where its version is asked for."""
    program = shutil.which(peer.program)
    version = _version(program, scratch) if program else None
    opened = partial(_open_peer, peer, program or peer.program, embeddings)
    return Contestant(peer.key, peer.name, version, peer.install, opened)


def _version(program: str, scratch: Path) -> str:
    """What it calls itself, "?" where it does not say."""
    try:
        said = output((program, "--version"), _place(program, scratch), seconds=60)
    except PeerFailed:
        return "?"
    found = _VERSION.search(said)
    return found[0] if found else "?"


def _place(program: str, scratch: Path, embeddings: str | None = None) -> Place:
    home = scratch / "home"
    home.mkdir(parents=True, exist_ok=True)
    notes = scratch / "notes"
    notes.mkdir(exist_ok=True)
    return Place(program, notes, home, embeddings)


@contextmanager
def _open_peer(
    peer: Peer, program: str, embeddings: str | None, folder: Folder, scratch: Path
) -> Iterator[Opened]:
    folder.copied(scratch / "notes")
    place = _place(program, scratch, embeddings)
    with ExitStack() as running:
        with _understood():
            asking = running.enter_context(peer.open(place))

        def ask(text: str) -> Ranked:
            with _understood():
                return ranked(asking.ask(text))

        def cold(text: str) -> float:
            return seconds_of(asking.command(text), place, asking.variables)

        yield Opened(ask, cold, asking.warm)


@contextmanager
def _understood() -> Iterator[None]:
    """What a tool says in another shape than it used to is its failure, not ours."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise PeerFailed(f"what it says is not understood: {error!r}") from error
