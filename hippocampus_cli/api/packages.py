"""A memory given away and taken in, as one file (MIND)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.api.opened import Opened
from hippocampus_cli.api.turns import PRESENT, in_turn
from hippocampus_cli.maintenance.belief_history import recorded
from hippocampus_cli.mind.gate import open_gate
from hippocampus_cli.mind.package import Exported, Imported, import_package
from hippocampus_cli.mind.package_file import export, notes_matching, read_package
from hippocampus_cli.version import __version__


@in_turn
class Packages:
    """What ``workspace.packages`` can do."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def export(
        self,
        file: str | Path,
        *,
        paths: Iterable[str] = (),
        mind_only: bool = False,
        key_file: str | Path | None = None,
        passphrase: str | None = None,
    ) -> Exported:
        """Write notes, index, archive and mind into one file that is not there yet; ``paths`` choose among notes.

        Raises :class:`UsageError`, :class:`FileUnwritable`, :class:`ExtraMissing` to sign or encrypt without it.
        """
        root = self._opened.root
        notes = None
        if not mind_only:
            notes = notes_matching(root, self._opened.config.scan, tuple(paths))
        key = Path(key_file) if key_file else None
        return export(root, Path(file), __version__, notes, key, passphrase)

    def import_file(
        self,
        file: str | Path,
        *,
        signed_by: str = "",
        own: bool = False,
        named: Iterable[str] = (),
        passphrase: str = "",
        dry_run: bool = False,
        now: datetime = PRESENT,
    ) -> Imported:
        """Add what a package has and this memory has not; nothing is overwritten. Files that instruct an agent are
        taken only where they are ``named``, or from one's own memory.

        Raises :class:`PackageInvalid`, :class:`OutsideWorkspace`, :class:`FileUnreadable`, :class:`ExtraMissing`;
        then nothing was changed.
        """
        root = self._opened.root
        timeout = self._opened.config.lock.timeout_seconds
        package = read_package(Path(file), signed_by, passphrase)
        package.own = own or bool(signed_by)
        package.named = frozenset(named)
        with recorded(root, timeout, now):
            return import_package(root, package, open_gate(root), timeout, now, dry_run=dry_run)
