"""An endless list of upkeep: the n-th deed is the same wherever it is done, and at a moment of its own.

As a program (``python -m tests.maintenance.deeds FOLDER NUMBER``) it does one after the other from a number on, and
says which before it begins.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config, Decay, Index
from hippocampus_cli.errors import LossRefused, NothingToUndo
from hippocampus_cli.index.archive import is_queued
from tests.support.upkept import NOW

DEEDS = (
    *("sync", "daily", "daily", "weekly", "undo", "sync", "monthly", "restore"),
    *("daily", "restore", "weekly", "undo", "undo", "monthly", "daily"),
)
CONFIG = Config(decay=Decay(forgetting=0.7), index=Index(max_tokens=2_500, sharded_tokens=1_500))
"""Entries fade within weeks, and not all find room in the master."""


def moment(number: int) -> datetime:
    """When a deed is done: one every 17 hours."""
    return NOW + timedelta(hours=17 * number)


def is_cycle(number: int) -> bool:
    """Whether a deed is a cycle, which may be done again."""
    return DEEDS[number % len(DEEDS)] not in ("undo", "restore")


def do(root: Path, number: int) -> None:
    """Do one of them."""
    deed, now = DEEDS[number % len(DEEDS)], moment(number)
    with Workspace(root, CONFIG) as ws:
        if deed == "undo":
            with suppress(NothingToUndo):
                ws.at(now).upkeep.undo()
        elif deed == "restore":
            index = ws.store.read(archive=True)
            away = [one.key for one in (*index.archived, *filter(is_queued, index.entries))]
            ws.at(now).upkeep.restore(*sorted(away)[number % 3 :: 7])
        else:
            with suppress(LossRefused):
                ws.at(now).upkeep.run(deed, force=number % 2 == 0)


def main() -> None:
    root, number = Path(sys.argv[1]), int(sys.argv[2])
    while True:
        print(number, flush=True)
        do(root, number)
        number += 1


if __name__ == "__main__":
    main()
