"""The step as a whole: what it writes into an entry, and what it leaves alone."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.steps.pointers import verify
from tests.maintenance.snapshots import NOW, Notes, snapshot_of
from tests.maintenance.steps.pointer_index import index_text, said, verified
from tests.support.indexes import index_of

TOOLS = (
    "# Tools\n\n## Deploy\n\nRun kelpctl release prod from main.\nNever on a Friday.\n\n"
    "## VPN\n\nwg-quick up office, MTU 1380\n"
)
RENAMED = TOOLS.replace("## Deploy", "## Getting it out")


def test_what_leads_where_it_says_is_left_alone_and_no_note_is_read() -> None:
    notes = Notes({"TOOLS.md": TOOLS, "b.md": "b"})
    index = index_of(index_text("TOOLS.md §Deploy | ./b.md"))
    plan = verify(index, snapshot_of({}, notes.texts, notes=notes))
    assert plan == (index, ())
    assert plan.result is index
    assert notes.read == set()


def test_a_repair_changes_the_pointer_and_the_version_and_no_other_byte() -> None:
    text = index_text("b.md | TOOLS.md §Deploy")
    outcome = verified(
        "b.md | TOOLS.md §Deploy",
        {"TOOLS.md": TOOLS, "b.md": "b"},
        {"TOOLS.md": RENAMED, "b.md": "b"},
    )
    assert outcome.said == ["repoint TOOLS.md §Deploy => TOOLS.md §Getting it out"]
    (action,) = outcome.plan.actions
    assert action.reason == "renamed: 'Deploy' -> 'Getting it out' (same text)"
    assert action.key == "a"
    assert outcome.plan.result.master.text == text.replace("§Deploy", "§Getting it out").replace(
        "str=0.5", "str=0.5 | ver=2"
    )


def test_where_one_pointer_leads_now_may_make_another_certain() -> None:
    old = "# Deploy\n\nRun it.\nNot on Fridays.\n\n# Deploy\n\n\n\n# Deploy\n\nnone\n"
    moved = {"a.md": old.replace("Deploy", "Deployment", 1)}
    outcome = verified("TOOLS.md §Deploy #2 | TOOLS.md §Deploy #3", {"TOOLS.md": old}, moved)
    assert (outcome.pointers, outcome.entry.stale) == (["a.md §Deploy #2"], None)


def test_what_is_gone_is_flagged_and_stays() -> None:
    text = index_text("old.md §X | TOOLS.md §Nothing like it | TOOLS.md §VPN")
    outcome = verified(
        "old.md §X | TOOLS.md §Nothing like it | TOOLS.md §VPN", {}, {"TOOLS.md": TOOLS}
    )
    (action,) = outcome.plan.actions
    assert (action.kind, action.before) == (Kind.FLAG, "old.md §X | TOOLS.md §Nothing like it")
    assert action.reason == "old.md is gone; TOOLS.md has no section 'Nothing like it'"
    assert outcome.plan.result.master.text == text.replace("0.5", "0.5 | stale=2026-03-09")


def test_the_day_it_was_first_missed_stays() -> None:
    week = NOW + timedelta(7)
    outcome = verified("old.md", {}, {"b.md": "b"}, more=" | stale=2026-03-02", now=week)
    assert outcome.said == []
    assert outcome.entry.values["stale"] == "2026-03-02"


def test_the_flag_goes_when_all_is_there_again() -> None:
    now_there = {"old.md": "back", "TOOLS.md": TOOLS}
    outcome = verified("old.md | TOOLS.md", {}, now_there, more=" | stale=2026-03-02")
    assert outcome.said == ["clear 2026-03-02 => "]
    assert outcome.plan.result.master.text == index_text("old.md | TOOLS.md")
    half = verified("old.md | TOOLS.md", {}, {"old.md": "back"}, more=" | stale=2026-03-02")
    assert half.said == []


def test_a_repair_clears_the_flag() -> None:
    outcome = verified("a.md", {"a.md": TOOLS}, {"b.md": TOOLS}, more=" | stale=2026-03-02")
    assert outcome.said == ["repoint a.md => b.md", "clear 2026-03-02 => "]
    assert "stale" not in outcome.entry.values


def test_a_repair_that_leads_where_another_pointer_leads_drops_the_double() -> None:
    outcome = verified(
        "TOOLS.md §Deploy | TOOLS.md §getting it out | b.md | b.md",
        {"TOOLS.md": TOOLS, "b.md": "b"},
        {"TOOLS.md": RENAMED, "b.md": "b"},
    )
    assert outcome.pointers == ["TOOLS.md §Getting it out", "b.md", "b.md"]


@pytest.mark.parametrize("pointer", ["/etc/hosts", "~/x.md", "../x.md", "folder", "folder/"])
def test_absolute_pointers_folders_and_what_leads_outside_are_left_alone(pointer: str) -> None:
    assert verified(pointer, {"x.md": "x"}, {"folder/y.md": "y"}).said == []


@pytest.mark.parametrize("undone", [Kind.REPOINT, Kind.FLAG, Kind.CLEAR])
def test_what_a_person_took_back_is_not_done_again(undone: Kind) -> None:
    before, after, pointer, more = {
        Kind.REPOINT: ({"TOOLS.md": TOOLS}, {"TOOLS.md": RENAMED}, "TOOLS.md §Deploy", ""),
        Kind.FLAG: ({}, {"b.md": "b"}, "a.md", ""),
        Kind.CLEAR: ({}, {"a.md": "a"}, "a.md", " | stale=2026-03-02"),
    }[undone]
    assert verified(pointer, before, after, more=more).said
    again = verified(pointer, before, after, more=more, undone=frozenset({(undone, "a")}))
    assert str(undone) not in [said.split()[0] for said in again.said]


def test_consolidated_entries_and_bullets_are_repaired_too() -> None:
    text = "- A → TOOLS.md §Deploy <!-- hx: id=a | hits=1 | consolidated=2026-02-01 -->\n"
    plan = verify(index_of(text), snapshot_of({"TOOLS.md": TOOLS}, {"TOOLS.md": RENAMED}))
    assert plan.result.master.text == text.replace("§Deploy", "§Getting it out").replace(
        " -->", " | ver=2 -->"
    )


def test_a_bare_bullet_is_repaired_and_never_given_metadata() -> None:
    before = {"TOOLS.md": TOOLS, "old.md": "x"}
    text = "- Deploying → TOOLS.md §Deploy\n- Old → old.md\n"
    plan = verify(index_of(text), snapshot_of(before, {"TOOLS.md": RENAMED}))
    assert plan.result.master.text == text.replace("§Deploy", "§Getting it out")
    assert [one.kind for one in plan.actions] == [Kind.REPOINT]


def test_broken_entries_and_the_second_of_two_ids_are_not_touched() -> None:
    text = (
        "### A\n→ TOOLS.md §Deploy\n<!-- hx: id=open\n\n"
        "### B\n→ TOOLS.md §VPN\n<!-- hx: id=two -->\n\n### C\n→ TOOLS.md §Deploy\n<!-- hx: id=two -->\n"
    )
    plan = verify(index_of(text), snapshot_of({"TOOLS.md": TOOLS}, {"TOOLS.md": RENAMED}))
    assert plan.result.master.text == text
    assert plan.actions == ()


def test_a_name_that_no_pointer_can_hold_is_not_written() -> None:
    assert verified("a.md", {"a.md": TOOLS}, {"\u2003b.md": TOOLS}).said == ["flag a.md => "]


def test_one_entry_that_cannot_be_written_keeps_no_other_from_repair() -> None:
    """A bullet whose new pointer would not look like one; its writer's words come first."""
    text = "- One → one.md\n\n" + index_text("TOOLS.md §Deploy")
    other = TOOLS.replace("Run", "Start")
    snapshot = snapshot_of(
        {"TOOLS.md": TOOLS, "one.md": other}, {"TOOLS.md": RENAMED, "no ending": other}
    )
    plan = verify(index_of(text), snapshot)
    assert [said(one) for one in plan.actions] == [
        "repoint TOOLS.md §Deploy => TOOLS.md §Getting it out"
    ]
    assert plan.result.master.text == text.replace("§Deploy", "§Getting it out").replace(
        "str=0.5", "str=0.5 | ver=2"
    )


def test_an_entry_that_is_stale_is_looked_at_again() -> None:
    """The file was moved in two steps: gone at one upkeep, there again at the next."""
    index = index_of(index_text("notes/plan.md", " | stale=2026-03-01"))
    known = {"notes/plan.md": TOOLS, "b.md": "b"}
    plan = verify(index, snapshot_of(known, {"b.md": "b", "x/plan.md": TOOLS}))
    assert [one.kind for one in plan.actions] == [Kind.REPOINT, Kind.CLEAR]


def test_entries_of_topic_files_are_verified_too() -> None:
    topic = ".hippocampus/topics/x.md"
    index = Hierarchy(
        {MASTER: parse("# Index\n"), topic: parse(index_text("TOOLS.md §Deploy | b.md"))}
    )
    plan = verify(index, snapshot_of({"TOOLS.md": TOOLS}, {"TOOLS.md": RENAMED}))
    assert "→ TOOLS.md §Getting it out" in plan.result.topics[topic].text
    assert plan.result.master is index.master
