"""Where models lie, and what is there. Nothing here reads the environment: it is an argument."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.workspace.user_folders import cache_folder

State = Literal["installed", "missing", "damaged"]


class Model(NamedTuple):
    """A model that can be installed: its pinned facts, and whether it is whole in ``folder``."""

    name: str
    model: str
    dimensions: int
    licence: str
    package: str
    state: State
    folder: str
    size: int  # bytes on disk, once installed


def models_folder(environ: Mapping[str, str], platform: str, home: Path) -> Path:
    """The folder of all models: ``HIPPO_MODELS``, else in the user's cache."""
    named = environ.get("HIPPO_MODELS")
    return Path(named) if named else cache_folder(environ, platform, home) / "models"


def installed_model(models: Path) -> Model:
    """The one model there is, as it stands below ``models``."""
    folder = models / pinned.FOLDER
    return Model(
        name=pinned.FOLDER,
        model=pinned.MODEL,
        dimensions=pinned.DIMENSIONS,
        licence=pinned.LICENCE,
        package=f"{pinned.PACKAGE}=={pinned.VERSION}",
        state=state_of(folder),
        folder=str(folder),
        size=sum(member.size for member in pinned.MEMBERS),
    )


def state_of(folder: Path) -> State:
    """Whether the model in ``folder`` is whole, by its files' sizes."""
    if not folder.exists():
        return "missing"
    try:
        whole = all(
            (folder / member.name).stat().st_size == member.size for member in pinned.MEMBERS
        )
    except OSError:
        whole = False
    return "installed" if whole else "damaged"
