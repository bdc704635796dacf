"""The embedder of the settings for anchors, with a cache of its own: a text is embedded once."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import FileUnwritable
from hippocampus_cli.workspace.own_files import CACHE, ensure_folder

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.config.embedding import Embedding
    from hippocampus_cli.embedding.opener import Opener

VECTORS_FILE = f"{CACHE}/anchor-vectors.db"


def vectoriser_for(root: Path, settings: Embedding, opener: Opener | None) -> Vectoriser | None:
    """What compares by meaning in the workspace at ``root``; ``None`` where no embedder is configured.

    Raises what opening the embedder raises.
    """
    if opener is None or settings.embedder == "none":
        return None
    embedder = opener(settings)
    if embedder is None:
        return None
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.embedding.vectors import VectorCache

    path: Path | None = None
    with contextlib.suppress(FileUnwritable):
        path = ensure_folder(root, VECTORS_FILE)
    return Vectoriser.of(embedder, settings.question_seconds, VectorCache(path, embedder))
