"""Pointers judged by what the made-up world knows."""

from __future__ import annotations

from datetime import date

from bench.year.pointers import Broken, Following
from bench.year.world import Page, Part, World
from hippocampus_cli.maintenance.actions import Action, Kind
from tests.support.indexes import index_of

DAY = date(2025, 3, 1)
INDEX = """## Pump
→ docs/pump.md §Pump
<!-- hx: id=pump{stale} -->

## Van
→ docs/van.md
<!-- hx: id=van -->
"""


def world() -> World:
    found = World()
    for name in ("pump", "van"):
        found.write(
            Page(f"docs/{name}.md", name.title(), DAY, [Part(name.title() + " two", ["x"])])
        )
    return found


def test_pointers_that_lead_somewhere_are_not_broken() -> None:
    assert Following(world()).look(index_of(INDEX.format(stale="")), DAY) == Broken()


def test_a_broken_pointer_ages_until_its_entry_says_so() -> None:
    made = world()
    following = Following(made)
    made.move(made.pages["docs/pump.md"], "docs/other.md")
    for later in range(9):
        found = following.look(index_of(INDEX.format(stale="")), date(2025, 3, 1 + later))
        assert found == Broken(nowhere=1, marked=0, lost=1, oldest=later)
    found = following.look(index_of(INDEX.format(stale=" | stale=2025-03-10")), date(2025, 3, 10))
    assert found == Broken(nowhere=1, marked=1, lost=1, oldest=0)
    assert following.oldest_ever == 8


def test_what_was_deleted_is_not_lost() -> None:
    made = world()
    made.remove(made.pages["docs/van.md"])
    found = Following(made).look(index_of(INDEX.format(stale="")), DAY)
    assert (found.nowhere, found.lost) == (1, 0)


def test_a_repair_is_right_where_it_leads_to_what_was_meant() -> None:
    made = world()
    following = Following(made)
    made.move(made.pages["docs/pump.md"], "docs/other.md")
    before = "docs/pump.md §Pump"
    following.judge([Action(Kind.REPOINT, "pump", "", before, "docs/other.md §Pump")])
    assert (following.right, following.wrong) == (1, [])
    following.judge([Action(Kind.REPOINT, "pump", "same text", before, "docs/van.md §Van")])
    assert following.right == 1
    assert following.wrong == ["pump: docs/pump.md §Pump to docs/van.md §Van (same text)"]
