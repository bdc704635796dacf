"""What opens the embedder and the vector index that a workspace's settings name, with the keys and folders of an
environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Config, Embedding
    from hippocampus_cli.embedding.embedder import Embedder, Opener
    from hippocampus_cli.embedding.nearest.index import NearestIndex, VectorsOf


class SettingsOpener:
    """Opens what settings name. Keys and folders are those of ``environ``.

    Where the settings file of the workspace at ``root`` names the embedder in ``config``, the user must have
    allowed it.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        root: Path | None = None,
        config: Config | None = None,
    ) -> None:
        self._environ = environ
        # a program or the user's environment that names the embedder needs no consent
        by_file = config is not None and config.origins.get("embedding.embedder", "").startswith(
            "config.toml:"
        )
        self._root = root if by_file else None

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        """The embedder, ``None`` for none."""
        from hippocampus_cli.embedding.models.places import models_folder
        from hippocampus_cli.embedding.open import open_embedder

        models = models_folder(self._environ, sys.platform, Path("~").expanduser())
        allows = None if self._root is None else self._is_allowed
        return open_embedder(settings, models, self._environ, allows=allows)

    def nearest(self, settings: Embedding, whose: VectorsOf, seconds: float, /) -> NearestIndex:
        """The index of these vectors."""
        from hippocampus_cli.embedding.open import open_nearest
        from hippocampus_cli.workspace.user_folders import cache_folder

        cache = cache_folder(self._environ, sys.platform, Path("~").expanduser())
        return open_nearest(settings, whose, seconds, cache / "nearest", self._environ)

    def _is_allowed(self, settings: Embedding) -> bool:
        from hippocampus_cli.embedding.consent import is_allowed, user_folder

        return self._root is None or is_allowed(user_folder(self._environ), self._root, settings)


def shared_opener(opener: Opener | None, settings: Embedding) -> Opener | None:
    """``opener``, but what it opens is one for search and anchors: a question is asked once."""
    if opener is None or settings.embedder == "none":
        return opener
    from hippocampus_cli.embedding.shared import OpenedOnce

    return OpenedOnce(opener)
