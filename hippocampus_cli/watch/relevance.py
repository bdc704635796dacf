"""Whether something that stirred in the workspace matters: the rules of a scan, for one path. Pure.

It may say yes too often (a sync then finds nothing), never no to a note.
"""

from __future__ import annotations

from enum import Enum

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.workspace.ignore import GIT_IGNORE, HIPPO_IGNORE
from hippocampus_cli.workspace.own_files import FOLDER, INDEX
from hippocampus_cli.workspace.scan import Reason, Scan


class Stir(Enum):
    """What a path that stirred can mean."""

    NOTHING = 0
    NOTE = 1
    GROUND = 2
    """Which files are notes may be otherwise now: a folder came or went, or an ignore file changed."""


class Relevance:
    """The rules as of the last scan."""

    def __init__(self, settings: ScanSettings, found: Scan | None = None) -> None:
        self._settings = settings
        self._endings = tuple(f".{extension.lower()}" for extension in settings.extensions)
        skipped = found.skipped if found else ()
        self._ignored = frozenset(one.path for one in skipped if one.reason is Reason.IGNORED)

    def of(self, path: str, *, folder: bool | None) -> Stir:
        """What it means that ``path`` (relative, ``/``-separated, ``""`` for the root) stirred.

        ``folder`` is whether it is one; ``None`` if it is gone and the system does not say.
        """
        *above, name = path.split("/")
        if any(map(self._closed, above)) or self._inside_ignored(above):
            return Stir.NOTHING
        if folder or (folder is None and not self._is_note(path, name)):
            closed = self._closed(name) or f"{path}/" in self._ignored
            return Stir.NOTHING if closed else Stir.GROUND
        if name == GIT_IGNORE or path == HIPPO_IGNORE:
            return Stir.GROUND
        return Stir.NOTE if self._is_note(path, name) else Stir.NOTHING

    def _closed(self, name: str) -> bool:
        hidden = name.startswith(".") and not self._settings.include_hidden
        return hidden or name == FOLDER or name in self._settings.skip_folders

    def _inside_ignored(self, above: list[str]) -> bool:
        """Whether a folder on the way is ignored; those that a scan walks all the same are not among them."""
        if not self._ignored:
            return False
        return any(
            "/".join(above[:depth]) + "/" in self._ignored for depth in range(1, len(above) + 1)
        )

    def _is_note(self, path: str, name: str) -> bool:
        if path == INDEX or path in self._ignored:
            return False
        if name.startswith(".") and not self._settings.include_hidden:
            return False
        return name.lower().endswith(self._endings)
