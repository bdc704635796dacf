from __future__ import annotations

from hippocampus_cli.maintenance.actions import Action, Kind
from hippocampus_cli.maintenance.cycles import Plan
from hippocampus_cli.maintenance.upkeep import Outcome
from hippocampus_cli.watch.events import WatchEvent, of_cycle, of_sync
from tests.support.indexes import index_of

INDEX = index_of("## Siren\n→ old/siren.md §Test | b.md\n<!-- hx: id=siren | hits=0 -->\n")


def plan(*actions: Action, cycle: str = "sync") -> Plan:
    return Plan(cycle, actions, INDEX, INDEX)


def outcome(*actions: Action, fresh: str = "", gone: str = "") -> Outcome:
    """A letter is a note; a capital one is a new one."""
    texts = {f"{letter.lower()}.md": letter.isupper() for letter in fresh}
    return Outcome(plan(*actions), {}, fresh=texts, gone={f"{letter}.md" for letter in gone})


def test_entries_are_told_with_their_notes() -> None:
    actions = (
        Action(Kind.ADD, "siren", "a new note", after="b.md"),
        Action(Kind.REPOINT, "siren", "moved", "siren.md §Test", "old/siren.md §Test"),
        Action(Kind.FLAG, "siren", "missing-file", "old/siren.md §Test | b.md"),
        Action(Kind.CLEAR, "siren", "all it points at is there", "missing-file"),
        Action(Kind.SHARD, "siren", "too large", "HIPPOCAMPUS.md", ".hippocampus/topics/a.md"),
        Action(Kind.LIST, "by-time", "drawn again"),
    )
    assert of_sync(outcome(*actions)) == [
        WatchEvent("added", "b.md", "siren", "Siren"),
        WatchEvent("moved", "old/siren.md", "siren", "from siren.md §Test"),
        WatchEvent("gone", "old/siren.md", "siren", "missing-file"),
        WatchEvent("changed", "old/siren.md", "siren", "all it points at is there"),
    ]


def test_notes_are_told_where_no_entry_tells_of_them() -> None:
    assert of_sync(outcome(fresh="Dx", gone="bc")) == [
        WatchEvent("changed", "d.md", None, "new"),
        WatchEvent("changed", "x.md", None, ""),
        WatchEvent("gone", "c.md", None, ""),
    ]
    moved = Action(Kind.REPOINT, "siren", "moved", "c.md §Test", "d.md §Test")
    assert of_sync(outcome(moved, fresh="D", gone="c")) == [
        WatchEvent("moved", "d.md", "siren", "from c.md §Test")
    ]
    gone = Action(Kind.FLAG, "siren", "missing-file", "c.md | b.md")
    assert of_sync(outcome(gone, gone="c")) == [WatchEvent("gone", "c.md", "siren", "missing-file")]


def test_a_cycle_is_told_in_figures() -> None:
    kinds = (Kind.STRENGTH, Kind.ADD, Kind.LIST, Kind.PRUNE, Kind.ADD)
    done = plan(*(Action(kind, kind, "") for kind in kinds), cycle="weekly")
    assert of_cycle(done) == WatchEvent("cycle", "", None, "weekly: 1 prune, 2 add")
    written = plan(Action(Kind.STRENGTH, "a", ""), cycle="daily")
    written = written.replaced(
        after=written.before.add((), ["## New\n→ a.md\n<!-- hx: id=new -->\n"])
    )
    assert of_cycle(written).detail == "daily: strengths and lists"
    idle = plan(cycle="daily")
    assert of_cycle(idle) == WatchEvent("cycle", "", None, "daily: nothing to do")
