"""What a command is given: where to print, the settings, the workspace and the present moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.output import Output
from hippocampus_cli.errors import WorkspaceNotFound
from hippocampus_cli.workspace.config_file import read_config

if TYPE_CHECKING:
    from hippocampus_cli.api.workspace import Workspace
    from hippocampus_cli.config import Config
    from hippocampus_cli.context.session_files import SessionFiles
    from hippocampus_cli.workspace.fence import Piece


class CommandContext:
    """One run of one command. ``now`` is read once and has a time zone; ``random`` gives so many random bytes; what
    it opens is closed when ``until_done`` is left."""

    def __init__(
        self,
        output: Output,
        environ: Mapping[str, str],
        now: datetime,
        workspace: Path | None = None,
        random: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.output = output
        self.random = random
        self.environ = environ
        self.now = now
        self.workspace = workspace
        self.until_done = ExitStack()
        self._root: Path | None = None

    @property
    def names_workspace(self) -> bool:
        """Whether a workspace was named, on the command line or in the environment."""
        return bool(self.workspace or self.environ.get("HIPPO_WORKSPACE"))

    def root(self) -> Path:
        """The workspace's folder; raises WorkspaceNotFound."""
        if self._root is None:
            from hippocampus_cli.workspace.root import find_workspace

            named = self.environ.get("HIPPO_WORKSPACE")
            self._root = find_workspace(Path.cwd(), self.workspace, named)
        return self._root

    def root_or_none(self) -> Path | None:
        """The workspace's folder; None where none was named and none is found."""
        try:
            return self.root()
        except WorkspaceNotFound:
            if self.names_workspace:
                raise
            return None

    def root_to_be(self) -> Path:
        """The workspace's folder; where none was named and none is found, the folder one stands in.

        Raises :class:`WorkspaceNotFound`: that one is no folder of notes.
        """
        if self.root_or_none() is None:
            from hippocampus_cli.workspace.root import plain_folder
            from hippocampus_cli.workspace.scan import scan

            settings = self.config_anywhere().scan
            self._root = plain_folder(
                Path.cwd(),
                Path("~").expanduser(),
                lambda folder: (note.path for note in scan(folder, settings).files),
            )
        return self.root()

    def config_anywhere(self) -> Config:
        """The workspace's settings; outside any workspace, what would hold in a new one."""
        return read_config(self.root_or_none(), self.environ)

    def session_files(self) -> SessionFiles:
        """The sessions that agents recorded, which are there without a workspace, too."""
        from hippocampus_cli.api.sessions import SessionFiles

        return SessionFiles(self.root_or_none(), self.environ, self.config_anywhere)

    def open(
        self,
        *,
        clock: Callable[[], datetime] | None = None,
        private: bool = False,
    ) -> Workspace:
        """The workspace with its settings, its embedder and its ``clock``, by default the command's moment; or its
        private tier. Says what became of what was interrupted."""
        from hippocampus_cli.api.workspace import Workspace
        from hippocampus_cli.embedding.open import settings_opener

        root, config = self.root(), self.config_anywhere()
        opener = settings_opener(self.environ, root, config)
        clock = clock or repeat(self.now).__next__
        opened = self.until_done.enter_context(Workspace(root, config, opener, self.environ, clock))
        if private:
            opened = opened.private()
        for line in opened.recover():
            self.output.note(f"hippo: {line}")
        return opened

    def print_fenced(self, pieces: Sequence[Piece]) -> None:
        """Print what an agent is to read as quoted."""
        self.output.text(self.fenced(pieces))

    def fenced(self, pieces: Sequence[Piece]) -> str:
        """What an agent is to read as quoted."""
        from hippocampus_cli.workspace.fence import fenced

        return fenced(pieces, self.random)

    def fenced_within(self, groups: Sequence[Sequence[Piece]], most: int) -> str:
        """As many groups of pieces as ``most`` tokens hold; of the first one as many pieces."""
        from hippocampus_cli.markdown.tokens import tokens

        shown = [[*group] for group in groups]
        while tokens(text := self.fenced([piece for group in shown for piece in group])) > most:
            (shown if shown[1:] else shown[0]).pop()
        return text if any(shown) else ""


def path_of(root: Path, file: str | Path) -> str | None:
    """The path of a file from the workspace's folder; one given relatively is meant from there, or else from the
    current folder.

    ``None`` for what is outside, or can be no path.
    """
    from hippocampus_cli.workspace.paths import is_possible, relative_to_root

    if not is_possible(str(file)):
        return None
    place = root / file
    if not (Path(file).is_absolute() or os.path.lexists(place)) and os.path.lexists(file):
        place = Path(file)
    return relative_to_root(str(root), str(place.absolute()))
