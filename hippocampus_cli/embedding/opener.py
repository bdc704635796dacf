"""What opens the embedder that a workspace's settings name, with the keys and folders of an environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Config, Embedding
    from hippocampus_cli.embedding.embedder import Embedder, Opener


class SettingsOpener:
    """Opens what settings name. Keys and folders are those of ``environ``.

    Where the settings file of the workspace at ``root`` names the server in ``config``, the user must have allowed
    it.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        root: Path | None = None,
        config: Config | None = None,
    ) -> None:
        self._environ = environ
        # a program or the user's environment that names the server needs no consent
        self._root = root if config is not None and _is_named_by_file(config) else None

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        """The embedder, ``None`` for none."""
        from hippocampus_cli.embedding.models.places import models_folder
        from hippocampus_cli.embedding.open import open_embedder

        models = models_folder(self._environ, sys.platform, Path("~").expanduser())
        allows = None if self._root is None else self._is_allowed
        return open_embedder(settings, models, self._environ, allows=allows)

    def _is_allowed(self, settings: Embedding) -> bool:
        from hippocampus_cli.embedding.consent import is_allowed, user_folder

        return self._root is None or is_allowed(user_folder(self._environ), self._root, settings)


def _is_named_by_file(config: Config) -> bool:
    """Whether the workspace's own file says which server is asked: by its address, else by the embedder."""
    origins = config.origins
    named = origins.get("embedding.url") or origins.get("embedding.embedder", "")
    return named.startswith("config.toml:")


def shared_opener(opener: Opener | None, settings: Embedding) -> Opener | None:
    """``opener``, but what it opens is one for search and anchors: a question is asked once."""
    if opener is None or settings.embedder == "none":
        return opener
    from hippocampus_cli.embedding.shared import OpenedOnce

    return OpenedOnce(opener)
