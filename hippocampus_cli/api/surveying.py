"""How a workspace stands and what is to come, as methods."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from hippocampus_cli.api.arguments import Raw
from hippocampus_cli.api.opened import Opened

if TYPE_CHECKING:
    from hippocampus_cli.curation.checking import Checked
    from hippocampus_cli.curation.forecasting import Forecast
    from hippocampus_cli.curation.taking_stock import Stock
    from hippocampus_cli.reporting.health import Health


class Surveying(Opened):
    """What a :class:`Workspace` tells of itself; nothing here changes anything."""

    def check(self, *, now: datetime | None = None) -> Checked:
        """Every diagnostic of the index, pointers included. Nothing is changed."""
        return self._curator(now).check()

    def status(self, *, now: datetime | None = None) -> Stock:
        """Counts of the index and of the notes, and what is due."""
        return self._curator(now).status()

    def report(self, *, weeks: int = 12, now: datetime | None = None) -> Health:
        """The health of the index, with queries and growth of the last ``weeks`` weeks (1 to 520).

        Nothing is changed. Raises :class:`UsageError` for another number of weeks.
        """
        return self._curator(now).report(weeks)

    def forecast(
        self, *keys: Raw, days: int = 90, steps: int = 30, now: datetime | None = None
    ) -> Forecast:
        """Which entries fall below which bound within ``days`` days if nobody asks for them (INDEX §7).

        With ids, only for these entries, and with the curve of each at ``steps`` evenly spaced steps. Raises
        :class:`EntryNotFound`, :class:`IndexNotFound`, :class:`UsageError`.
        """
        return self._curator(now).forecast(keys, days, steps)
