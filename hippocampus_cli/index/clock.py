"""The decay clock of an index at a moment."""

from __future__ import annotations

from datetime import datetime

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.index import fields
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.hierarchy import Hierarchy


def clock_for(index: Document | Hierarchy | None, now: datetime, rates: Decay) -> DecayClock:
    """The clock: the entries' ids, and the header's time, when strengths were last computed (decision D8)."""
    if index is None:
        return DecayClock(now, rates)
    header = index.header
    stamp = fields.read_date(header.reindexed) if header and header.reindexed else None
    if stamp is not None and not isinstance(stamp, datetime):
        stamp = datetime(stamp.year, stamp.month, stamp.day)
    if stamp is not None and stamp.tzinfo is None:
        stamp = stamp.replace(tzinfo=now.tzinfo)
    return DecayClock(now, rates, index.ids, stamp)
