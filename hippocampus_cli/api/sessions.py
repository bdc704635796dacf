"""Sessions that agents recorded: compacted, originals fetched, searched (COMPACTION)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.api.turns import in_turn
from hippocampus_cli.context.compaction.compose import DONE, ratio
from hippocampus_cli.context.session_files import SessionFiles, piece_of, pieces_of, text_of

if TYPE_CHECKING:
    from hippocampus_cli.api.workspace import Workspace


@in_turn
class Sessions(SessionFiles):
    """What ``workspace.sessions`` can do."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.root, workspace.environ, lambda: workspace.config)
        self._workspace = workspace
