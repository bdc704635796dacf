"""The anchors of a workspace: words of the notes that lead straight to where they are spoken of (ANCHOR)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.api.turns import WorkspacePart, in_turn

if TYPE_CHECKING:
    from hippocampus_cli.api import types


@in_turn
class Anchors(WorkspacePart):
    """What ``workspace.anchors`` can do."""

    def build(self, *, check: bool = False) -> types.AnchorsExported:
        """Write all anchors with their lists as files for other programs; ``check`` only says whether that would
        change them.

        Raises :class:`FileUnreadable`, :class:`FileUnwritable`, :class:`Busy`, and what opening the embedder of the
        settings raises; then nothing was changed.
        """
        from hippocampus_cli.anchors.export import export

        workspace = self._workspace
        return export(workspace.library, self._now, check=check, progress=workspace.progress)

    def lookup(self, text: str, *, project: str | None = None) -> types.AnchorsFound:
        """The passages that the anchors of ``text`` lead to in the notes as they are now, best first.

        The name of the active ``project`` counts as a part of ``text``. Raises :class:`UsageError` for an empty text.
        """
        from hippocampus_cli.anchors.lookup import lookup

        return lookup(self._workspace.library, text, project or "")
