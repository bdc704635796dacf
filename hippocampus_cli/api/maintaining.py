"""The upkeep of a workspace, as methods (INDEX §8)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.api.opened import Opened, present

if TYPE_CHECKING:
    from hippocampus_cli.maintenance.history import Record
    from hippocampus_cli.maintenance.restoring import Restored
    from hippocampus_cli.maintenance.undoing import Undone
    from hippocampus_cli.maintenance.upkeep import Outcome, Upkeep


class Maintaining(Opened):
    """What a :class:`Workspace` does to look after its index."""

    def maintain(
        self,
        cycle: str = "daily",
        *,
        dry_run: bool = False,
        force: bool = False,
        now: datetime | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Outcome:
        """Run a cycle: ``daily``, ``weekly``, ``monthly``, ``replay``, or ``sync``, which only follows the notes.

        Weekly includes daily, monthly weekly.

        ``dry_run`` writes nothing. Raises :class:`LossRefused` where it would archive, merge or re-point more
        than ``upkeep.loss_limit`` (not with ``force``), :class:`Busy` while another cycle runs,
        :class:`IndexNotFound`; then nothing was changed.
        """
        upkeep = self._upkeep(now, progress)
        if dry_run:
            return upkeep.preview(cycle)
        outcome = upkeep.run(cycle, force=force)
        return self._followed(outcome) if cycle != "replay" else outcome

    def tidy_sessions(
        self, *, dry_run: bool = False, now: datetime | None = None
    ) -> tuple[list[str], list[str]]:
        """End the sessions that nobody uses, archive those that ended long ago; the ids of both (CONTEXT §9.3)."""
        from hippocampus_cli.api.context import tidy_sessions
        from hippocampus_cli.context.lifecycle.keeper import Keeper

        keeper = Keeper(self.root, self.config, now or present())
        ended, archived = tidy_sessions(keeper, dry_run=dry_run)
        return [one.session for one in ended], [one.id for one in archived]

    def due(self, *, now: datetime | None = None) -> list[str]:
        """The cycles that are due, the smallest first; the last includes the others."""
        return list(self._upkeep(now).due())

    def undo(self, number: int | None = None, *, now: datetime | None = None) -> Undone:
        """Take back the latest cycle, or the one with this number; later edits stay.

        Raises :class:`NothingToUndo`.
        """
        from hippocampus_cli.maintenance.undoing import undo

        return undo(self.root, self.config, now or present(), number)

    def restore(self, *keys: str, now: datetime | None = None) -> list[Restored]:
        """Bring entries back from the Decay Queue or the archive. Raises :class:`EntryNotFound`."""
        from hippocampus_cli.maintenance.restoring import restore

        return restore(self.root, self.config, now or present(), keys)

    def history(self) -> list[Record]:
        """Every cycle that changed something, oldest first."""
        from hippocampus_cli.maintenance.history import records

        return records(self.root)

    def _followed(self, outcome: Outcome) -> Outcome:
        """The outcome once the vectors, where there are any, are in step with the notes too."""
        if self.library.meaning is None:
            return outcome
        from dataclasses import replace

        from hippocampus_cli.search.following import keep_vectors

        self.library.refresh()
        return replace(outcome, notices=keep_vectors(self.library))

    def _upkeep(
        self, now: datetime | None, progress: Callable[[int, int], object] | None = None
    ) -> Upkeep:
        from hippocampus_cli.maintenance.upkeep import Upkeep

        return Upkeep(self.root, self.config, now or present(), progress)
