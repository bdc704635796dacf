"""Sessions that agents recorded: compacted, originals fetched, searched (COMPACTION).

The functions need no workspace: originals are noted, and looked for, in one where there is one, and in the user's own
folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.turns import WorkspacePart, in_turn
from hippocampus_cli.context.compaction.compose import DONE, ratio
from hippocampus_cli.context.session_files import (  # those without a workspace call them here
    Compacted,
    answer_pi,
    compact,
    fetch,
    piece_of,
    pieces_of,
    search_sessions,
    text_of,
)

if TYPE_CHECKING:
    from hippocampus_cli.api import types


@in_turn
class Sessions(WorkspacePart):
    """What ``workspace.sessions`` can do."""

    def compact(
        self,
        path: str | Path,
        *,
        form: types.Format | None = None,
        tokens: int | None = None,
        fence: bool = False,
        write: bool = True,
    ) -> Compacted:
        """Compact an agent's session file: what still matters in full, the rest as pointers.

        ``form`` is seen from the file; ``tokens`` is the summary's budget, by default the setting; ``fence`` counts
        the lines that quote each part to an agent. With ``write`` it is noted where the originals are, so that
        :meth:`fetch` finds them. The file itself is never written to. Raises :class:`TranscriptUnreadable`,
        :class:`FileUnreadable`.
        """
        settings = self._config.compaction
        if tokens is not None:
            settings = settings._replace(tokens=tokens)
        return compact(Path(path), form, settings, self._root, fence=fence, write=write)

    def fetch(
        self, id: str, *, session: str = "", form: types.Format | None = None
    ) -> types.Original:
        """The original of a pointer in a summary, from its session file or hippo's copy. ``session`` is the file, or
        what a summary names. Raises :class:`MessageNotFound`."""
        return fetch(self._root, self._workspace.environ, id, session, form)

    def search(
        self, query: str, *, limit: int = 10, everywhere: bool = False
    ) -> list[types.SessionHit]:
        """Messages with words of a question in the sessions that agents recorded in this workspace, or everywhere."""
        return search_sessions(
            None if everywhere else self._root, self._workspace.environ, query, limit
        )
