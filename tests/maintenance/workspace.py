"""A small workspace in memory, and bootstrap over it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime

from hippocampus_cli.config.settings import Config, Decay, Index
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.bootstrap import BootstrapPlan, apply, plan_bootstrap
from hippocampus_cli.maintenance.candidates import NoteFile
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.note import Note
from tests.maintenance.snapshots import Notes
from tests.support.indexes import index_of

NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
CLOCK = DecayClock(NOW, Decay())
MODIFIED = date(2026, 1, 20)

SMALL = {
    "MEMORY.md": (
        "# MEMORY\n\n## Ines\n\n- Ines Aldana, founder of Saltmarsh Labs in Bremen.\n"
        "- **Hazelnut allergy**: mention it when ordering food.\n\n"
        "## Notes\n\nGhost alarms were firmware, not fouling. See [tools](TOOLS.md#deploy).\n"
    ),
    "TOOLS.md": (
        "# TOOLS 🛠️\n\n## Deploy\n\nThe deploy command is:\n\n```bash\n"
        "kelpctl release prod --canary 10\n```\n\n## VPN\n\nWireGuard, MTU 1380, end point dunlin.\n"
    ),
    "memory/2026-01-30.md": (
        "# 2026-01-30\n\n## Ghost alarms\n\nThe watchdog in the firmware reset the buoy 50 times.\n\n"
        "## Notes\n\nTokyo train strike, Hana works from home.\n\n## Notes\n\n"
    ),
    "memory/2025-11-02.md": (
        "# 2025-11-02\n\n## Firmware watchdog\n\nBench test of the buoy.\n\n## Invoice\n\nKamps sent it.\n"
    ),
    "projects/kelpie/PROJECT.md": (
        "# Kelpie 🌿\n\n## Status\n\n23 sites live on bittern.\n\n## Stack\n\nFastAPI and Postgres.\n"
    ),
    "memory/known-users.json": '{"users": [{"name": "Ines"}]}',
    "empty.md": "",
}


def files(notes: Mapping[str, str]) -> list[NoteFile]:
    return [NoteFile(Note(path, text), MODIFIED) for path, text in notes.items()]


def seen(notes: Mapping[str, str], settings: Config) -> Snapshot:
    """A workspace of these notes, all of them new."""
    there = Notes(notes)
    return Snapshot(NOW, settings, frozenset(notes), there.note, there.follow, files(notes))


def config(max_tokens: int = 15_000) -> Config:
    return Config(index=Index(max_tokens=max_tokens))


def plan(
    notes: Mapping[str, str], index: str | None = None, settings: Config | None = None
) -> BootstrapPlan:
    document = index_of(index or "")
    return plan_bootstrap(document, seen(notes, settings or config()))


def run(
    notes: Mapping[str, str], index: str | None = None, settings: Config | None = None
) -> Document:
    """The master after bootstrap over ``notes``."""
    return whole(notes, index_of(index or ""), settings).master


def whole(
    notes: Mapping[str, str], index: Hierarchy | None = None, settings: Config | None = None
) -> Hierarchy:
    """The index after bootstrap over ``notes``."""
    settings = settings or config()
    index = index or index_of("")
    made = plan_bootstrap(index, seen(notes, settings))
    return apply(index, made, settings, CLOCK)


def topics(document: Document) -> list[str]:
    return [located.entry.topic for located in document.entries]


def many(count: int, sections: int = 3) -> dict[str, str]:
    """A workspace of ``count`` notes, each of some distinct sections."""
    return dict(_many(count, sections))


def _many(count: int, sections: int) -> Iterable[tuple[str, str]]:
    for at in range(count):
        day = date.fromordinal(NOW.date().toordinal() - at)
        path = f"memory/{day}.md" if at % 2 else f"docs/guide-{at}.md"
        own = "".join(chr(97 + int(digit)) for digit in str(at))  # no two notes say the same
        parts = [
            f"## Subject{at}x{n} of the matter\n\nWord{at}a{n} {own} word{n}b and {own}{own} thing{at} again.\n"
            for n in range(sections)
        ]
        yield path, f"# Guide {at}\n\n" + "\n".join(parts)
