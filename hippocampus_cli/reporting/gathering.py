"""Drawing up the report of a workspace: reads the journal, upkeep's records and the notes pointed at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hippocampus_cli.config import Config
from hippocampus_cli.index.budget import tokens
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.reporting.assessing import WEEKS, Known, assess
from hippocampus_cli.reporting.calendar import beginning
from hippocampus_cli.reporting.health import Broken, Health
from hippocampus_cli.reporting.records import began, sizes
from hippocampus_cli.workspace.journal_read import read
from hippocampus_cli.workspace.meta import read_meta
from hippocampus_cli.workspace.note import Section
from hippocampus_cli.workspace.resolve import Resolved, Status

Follow = Callable[[Pointer], Resolved[Section]]
_BROKEN = frozenset((Status.MISSING_FILE, Status.MISSING_SECTION, Status.OUTSIDE))


def report(
    root: Path,
    config: Config,
    index: Hierarchy,
    clock: DecayClock,
    follow: Follow,
    weeks: int = WEEKS,
) -> Health:
    """The health of an index at the clock's moment, with the last ``weeks`` weeks. Nothing is changed.

    ``follow`` says where a pointer leads.
    """
    since = beginning(clock.now, weeks)
    known = Known(
        workspace=root.name,
        entries=index.entries,
        clock=clock,
        bands=config.bands,
        tokens=tokens(index.master.text),
        max_tokens=config.index.max_tokens,
        broken=tuple(broken(index.entries, follow)),
        events=read(root, since),
        sizes=sizes(root, since),
        cycles=read_meta(root).cycles,
        began=began(root, clock.now.tzinfo),
        weeks=weeks,
    )
    return assess(known)


def broken(entries: Iterable[Located], follow: Follow) -> Iterator[Broken]:
    """The pointers that lead nowhere, in file order."""
    for located in entries:
        for pointer in located.entry.pointers:
            status = follow(pointer).status
            if status in _BROKEN:
                yield Broken(located.key, located.entry.topic, str(pointer), status.value)
