"""A memory given away and taken in, as one file (MIND)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hippocampus_cli.api.turns import WorkspacePart, in_turn
from hippocampus_cli.integrations.foreign_memory import read_foreign
from hippocampus_cli.maintenance.belief_history import recorded
from hippocampus_cli.mind.gate import open_gate
from hippocampus_cli.mind.package import (
    Exported,
    Import,
    Imported,
    Package,
    export,
    import_package,
    read_package,
)
from hippocampus_cli.version import __version__
from hippocampus_cli.workspace.scan import scan


@in_turn
class Packages(WorkspacePart):
    """What ``workspace.packages`` can do."""

    def export(
        self,
        file: str | Path,
        *,
        key_file: str | Path | None = None,
    ) -> Exported:
        """Write notes, index, archive and mind into one file that is not there yet.

        Raises :class:`FileUnwritable`, :class:`FileUnreadable`, :class:`ExtraMissing` to sign without it.
        """
        root = self._root
        notes = (stat.path for stat in scan(root, self._config.scan).files)
        key = Path(key_file) if key_file else None
        return export(root, Path(file), __version__, notes, key)

    def import_file(
        self,
        file: str | Path,
        *,
        signed_by: str = "",
        own: bool = False,
        named: Iterable[str] = (),
        dry_run: bool = False,
    ) -> Imported:
        """Add what a package has and this memory has not; nothing is overwritten. Files that instruct an agent are
        taken only where they are ``named``, or from one's own memory. What another program keeps, told by what is in
        it, comes below ``shared-memory/`` without its secrets, and has the origin ``import``.

        Raises :class:`PackageInvalid`, :class:`OutsideWorkspace`, :class:`FileUnreadable`, :class:`ExtraMissing`, and
        :class:`UsageError` for a folder with this workspace in it; then nothing was changed.
        """
        root, now = self._root, self._now
        most = self._config.scan.max_file_bytes
        kind, notes = ("", {}) if signed_by else read_foreign(Path(file), root, most)
        package = Package(notes) if kind else read_package(Path(file), signed_by)
        trusted = own or bool(signed_by)
        wanted = Import(root, package, open_gate(root), trusted, frozenset(named))
        with recorded(root, self._timeout, now):
            done = import_package(wanted, self._timeout, now, dry_run=dry_run)
        return done._replace(kind=kind) if kind else done
