"""A workspace as it is opened: its folder, its settings, its index and its notes."""

from __future__ import annotations

import contextlib
import sys
from _thread import RLock
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from hippocampus_cli.config import Config
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.store import IndexStore

if TYPE_CHECKING:
    from hippocampus_cli.api.query import Inquirer
    from hippocampus_cli.config.settings import Embedding
    from hippocampus_cli.embedding.embedder import Embedder, Opener
    from hippocampus_cli.embedding.nearest.index import NearestIndex, VectorsOf
    from hippocampus_cli.entries.curator import Curator


class Opened:
    """What all that a :class:`Workspace` can do is built on."""

    def __init__(
        self,
        root: Path,
        config: Config,
        progress: Callable[[int, int], None] | None = None,
        opener: Opener | None = None,
    ) -> None:
        """``progress`` is told how many of how many notes are read, where many are new. ``opener`` opens the embedder
        that the settings name; without it words alone are compared."""
        self.lock = RLock()
        self.root = root
        self._progress = progress
        self._given_opener = opener
        self._opener = _shared(opener, config)
        self.config = config
        self.store = IndexStore(root, config.lock.timeout_seconds, config.upkeep.loss_limit)
        self._library: Library | None = None
        self._asks: Inquirer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self.lock:
            self._close()

    def __del__(self) -> None:
        # It may never have been opened, or Python is ending.
        with contextlib.suppress(Exception), self.lock:
            self._close()

    def close(self) -> None:
        """Let go of the caches, once the calls of other threads are done. A later call opens what it needs again."""
        self._close()

    def _close(self) -> None:
        if self._library is not None:
            self._library.close()
            self._library = self._asks = None

    def _begin_anew(self) -> None:
        """In a child process, after a fork: leave the parent's files alone, and open them again when needed."""
        LEFT.append((self._library, self._asks))
        self.lock = RLock()
        self._opener = _shared(self._given_opener, self.config)
        self._library = self._asks = None

    @property
    def library(self) -> Library:
        """The notes, as of the last refresh."""
        return self._opened_library()

    def _opened_library(self) -> Library:
        if self._library is None:
            self._library = Library(self.root, self.config, self._progress, self._opener)
        return self._library

    def index(self) -> Hierarchy:
        """The index as it is now, all its files. Raises :class:`IndexNotFound`, :class:`FileUnreadable`."""
        return self.store.read()

    def _curator(self, now: datetime | None = None) -> Curator:
        from hippocampus_cli.entries.curator import Curator

        return Curator(self.root, self.config, self.store, now or present(), self._opener)


LEFT: list[object] = []
"""In a child process, what the parent opened: to collect it would be to close it."""


def embedder_opener(
    environ: Mapping[str, str], root: Path | None = None, config: Config | None = None
) -> Opener:
    """What opens the embedder and the index that settings name; keys and folders are those of ``environ``.

    Where the settings file of the workspace at ``root`` names the embedder in ``config``, the user must have
    allowed it.
    """
    return _Opener(environ, root, config)


def is_named_by_file(config: Config) -> bool:
    """Whether the workspace's own file, not the user's environment or program, names the embedder."""
    return config.origins.get("embedding.embedder", "").startswith("config.toml:")


def user_folder(environ: Mapping[str, str]) -> Path:
    """Where it is kept what the user allowed."""
    from hippocampus_cli.workspace.user_folders import config_folder

    return config_folder(environ, sys.platform, Path("~").expanduser())


class _Opener:
    def __init__(
        self, environ: Mapping[str, str], root: Path | None, config: Config | None
    ) -> None:
        self._environ = environ
        self._root = root if config is not None and is_named_by_file(config) else None

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        from hippocampus_cli.embedding.models.places import models_folder
        from hippocampus_cli.embedding.open import open_embedder

        models = models_folder(self._environ, sys.platform, Path("~").expanduser())
        allows = None if self._root is None else self._is_allowed
        return open_embedder(settings, models, self._environ, allows=allows)

    def _is_allowed(self, settings: Embedding) -> bool:
        from hippocampus_cli.embedding.consent import is_allowed

        return self._root is None or is_allowed(user_folder(self._environ), self._root, settings)

    def nearest(self, settings: Embedding, whose: VectorsOf, seconds: float, /) -> NearestIndex:
        from hippocampus_cli.embedding.open import open_nearest
        from hippocampus_cli.workspace.user_folders import cache_folder

        cache = cache_folder(self._environ, sys.platform, Path("~").expanduser())
        return open_nearest(settings, whose, seconds, cache / "nearest", self._environ)


def _shared(opener: Opener | None, config: Config) -> Opener | None:
    """``opener``, but what it opens is one for search and anchors: a question is asked once."""
    if opener is None or config.embedding.embedder == "none":
        return opener
    from hippocampus_cli.embedding.shared import OpenedOnce

    return OpenedOnce(opener)


def present() -> datetime:
    """The present moment in the local time zone."""
    return datetime.now().astimezone()
