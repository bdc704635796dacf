"""Indexes and snapshots made up for the steps of upkeep: from values, without a disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from hippocampus_cli.config.settings import Config
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.workspace.journal import Event
from tests.maintenance.snapshots import Notes
from tests.support.indexes import index_of

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HEAD = "<!-- hippocampus.md v1.0 | entries: 0 | reindexed: 2026-11-20T02:30:00+00:00 -->\n# Index\n"


def block(
    id: str, topic: str = "", summary: str = "", to: str = "", level: int = 4, **values: object
) -> str:
    """An entry's block. What is not given is as a draft of yesterday has it; ``None`` leaves a value out."""
    given: dict[str, object] = {
        "created": "2026-11-20",
        "accessed": "2026-11-20",
        "hits": 0,
        "str": "0.69",
        "base": "1.00",
        "src": "auto",
    }
    pairs = " | ".join(f"{k}={v}" for k, v in {**given, **values}.items() if v is not None)
    lines = [f"{'#' * level} {topic or id}", summary, f"→ {to or f'{id}.md §Heading'}"]
    return "\n".join([*filter(None, lines), f"<!-- hx: id={id} | {pairs} -->"])


def index(*blocks: str, section: str = "Core", **more: Sequence[str]) -> Hierarchy:
    """An index of these blocks under ``By Topic > section``; ``more`` are further sections there."""
    parts = [HEAD, "## By Topic", f"### {section}", *blocks]
    for title, others in more.items():
        parts += [f"### {title.replace('_', ' ')}", *others]
    return index_of("\n\n".join([*parts, "## Decay Queue"]) + "\n")


def snapshot(
    notes: Mapping[str, str] | None = None,
    config: Config | None = None,
    events: Sequence[Event] = (),
    undone: Iterable[tuple[Kind, str]] = (),
    now: datetime = NOW,
) -> Snapshot:
    """A workspace of these notes at the moment ``NOW``."""
    held = Notes(notes or {})
    return Snapshot(
        now,
        config or Config(),
        frozenset(held.texts),
        held.note,
        held.follow,
        events=events,
        undone=frozenset(undone),
    )


def asked(*used: str, ago: timedelta = timedelta(days=1)) -> Event:
    """A query that these entries answered."""
    return Event(NOW - ago, "a question", "index", (), used)


def one(whole: Hierarchy, key: str) -> Located:
    return whole.by_key[key]


def everywhere(whole: Hierarchy) -> dict[str, str]:
    """The text of each entry by its key, wherever it stands."""
    return {key: located.entry.raw for key, located in whole.by_key.items()}


_TOPICS = ("Deploy", "Deploy of Acme", "Ghost alarms on the buoy", "Port 8080", "Port 8081")
_SUMMARIES = (
    "",
    "Run make ship from the release branch.",
    "Run make ship from the release branch, carefully.",
    "Do not run make ship from the release branch.",
    "Ghost alarms were firmware and never fouling.",
)
_PLACES = (
    "TOOLS.md §Deploy",
    "TOOLS.md §Ports",
    "memory/2026-11-02.md",
    "memory/2026-11-03.md",
    "a.md",
)
_NAMES = tuple("abcdefgh")


_SOME_NAMES = st.lists(st.sampled_from(_NAMES), unique=True, max_size=7)
_RELATED = st.lists(st.sampled_from((*_NAMES, "gone")), unique=True, max_size=4)
_POINTERS = st.lists(st.sampled_from(_PLACES), unique=True, min_size=1, max_size=2)
_A_TOPIC, _A_SUMMARY = st.sampled_from(_TOPICS), st.sampled_from(_SUMMARIES)
_VALUES = {
    "hits": st.integers(0, 9),
    "base": st.sampled_from((None, "0.5", "0.8123", "1.00")),
    "accessed": st.sampled_from(("2026-11-20", "2026-01-02", "2027-01-01", "2026-11-01T10:00:00")),
    "tags": st.sampled_from((None, "ship", "ship,acme", "a1,b2,c3,d4,e5,f6,g7,h8,i9,j10,k11,l12")),
    "pri": st.sampled_from((None, None, "low", "normal", "amygdala")),
    "src": st.sampled_from((None, "auto", "auto", "retrieval", "manual", "defrag")),
    "consolidated": st.sampled_from((None, None, None, "2026-10-01")),
}


@st.composite
def blocks(draw: st.DrawFn) -> list[str]:
    """Blocks of entries that are much alike, with values of every kind."""
    made = []
    for name in draw(_SOME_NAMES):
        rel = ",".join(draw(_RELATED)) or None
        values: dict[str, object] = {key: draw(one) for key, one in _VALUES.items()}
        places = " | ".join(draw(_POINTERS))
        made.append(block(name, draw(_A_TOPIC), draw(_A_SUMMARY), places, **values, rel=rel))
    return made


def indexes() -> st.SearchStrategy[Hierarchy]:
    """Indexes of entries that are much alike, some of them in the Decay Queue."""

    def build(core: list[str], queued: int) -> Hierarchy:
        whole = index(*core)
        keys = [located.key for located in whole.entries]
        return whole.moved(keys[:queued], ("Decay Queue",))

    return st.builds(build, blocks(), st.integers(0, 2))


NOTES = {
    "TOOLS.md": "# TOOLS\n\n## Deploy\n\nmake ship\n\n## Ports\n\n8080\n",
    "a.md": "Just one.\n",
    "memory/2026-11-02.md": "# 2026-11-02\n\n## A\n\nx\n\n## B\n\ny\n",
    "memory/2026-11-03.md": "# 2026-11-03\n",
}
