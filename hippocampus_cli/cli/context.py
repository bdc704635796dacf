"""What a command is given: where to print, the settings, the workspace and the present moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.output import Output, open_output
from hippocampus_cli.cli.surroundings import present, read_settings
from hippocampus_cli.config import Config, load
from hippocampus_cli.errors import WorkspaceNotFound
from hippocampus_cli.fast_types import NamedTuple

if TYPE_CHECKING:
    import typer

    from hippocampus_cli.api import Workspace
    from hippocampus_cli.embedding.embedder import Opener


class Globals(NamedTuple):
    """The options given before the command."""

    workspace: Path | None = None
    as_json: bool = False


class CommandContext:
    """One run of one command. ``now`` is read once and has a time zone; ``random`` gives so many random bytes."""

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
        self._root: Path | None = None

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
            if self.workspace or self.environ.get("HIPPO_WORKSPACE"):
                raise
            return None

    def config_anywhere(self, flags: Mapping[str, tuple[str, object]] | None = None) -> Config:
        """The workspace's settings; outside any workspace, what would hold in a new one."""
        root = self.root_or_none()
        return load(None if root is None else read_settings(root), self.environ, flags)

    def config(self, flags: Mapping[str, tuple[str, object]] | None = None) -> Config:
        """The settings of the workspace; ``flags`` as in ``config.load``. Raises ConfigInvalid."""
        return load(read_settings(self.root()), self.environ, flags)

    @property
    def opener(self) -> Opener:
        """What opens the embedder of the settings, with the keys and models that the environment names."""
        from hippocampus_cli.api.opened import embedder_opener

        return embedder_opener(self.environ, self.root_or_none(), self.config_anywhere())

    def open(
        self,
        progress: Callable[[int, int], None] | None = None,
        flags: Mapping[str, tuple[str, object]] | None = None,
    ) -> Workspace:
        """The workspace with its settings and its embedder; the arguments as elsewhere.

        Says what became of a change that was interrupted, where there was one.
        """
        from hippocampus_cli.api import Workspace
        from hippocampus_cli.api.opened import embedder_opener

        root, config = self.root(), self.config(flags)
        opened = Workspace(root, config, progress, embedder_opener(self.environ, root, config))
        if finished := opened.store.settle():
            self.output.note(f"hippo: {finished}")
        return opened


def begin(
    ctx: typer.Context, *, workspace: Path | None = None, as_json: bool = False
) -> CommandContext:
    """The session of a command from its own options and those given before it."""
    outer = ctx.find_root().obj
    if isinstance(outer, Globals):
        workspace = workspace or outer.workspace
        as_json = as_json or outer.as_json
    output = open_output(os.environ, as_json=as_json)
    return CommandContext(output, os.environ, present(os.environ), workspace)
