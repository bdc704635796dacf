"""A workspace opened for fitting: by words, or by what texts mean too."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli.api.opened import embedder_opener
from hippocampus_cli.config import Config
from hippocampus_cli.config.embedding import Embedding
from hippocampus_cli.search.embedding import embed_notes
from hippocampus_cli.search.library import Library


def opened(root: Path, models: Path | None) -> Library:
    """The notes below ``root``, searchable; embedded where ``models`` is a folder that has minilm."""
    if models is None:
        library = Library(root, Config())
        library.refresh()
        return library
    config = Config(embedding=Embedding(embedder="minilm"))
    library = Library(root, config, opener=embedder_opener({"HIPPO_MODELS": str(models)}))
    library.refresh()
    assert library.meaning is not None
    embed_notes(library, library.meaning)
    return library
