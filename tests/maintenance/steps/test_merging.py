"""Merging: what becomes one, what never does, and the laws that hold for both."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import Kind, Step, applied
from hippocampus_cli.maintenance.steps.merging import merge_duplicates
from hippocampus_cli.maintenance.steps.relations import relate
from tests.maintenance.steps.made import (
    NOTES,
    asked,
    block,
    blocks,
    everywhere,
    index,
    indexes,
    one,
    snapshot,
)
from tests.support.documents import DOCUMENTS
from tests.support.indexes import index_of

SAME = "Run make ship from the release branch in the morning."


COPIES = {f"{name}.md": f"# {name}\n\n## X\n\nmake ship\n" for name in "vwxyz"}


ARCHIVE = ".hippocampus/archive/2026-11.md"


def merged(*given: str) -> Hierarchy:
    return merge_duplicates(index(*given), snapshot({**NOTES, **COPIES})).result


def living(whole: Hierarchy) -> list[str]:
    return [located.key for located in whole.entries]


def test_two_entries_for_one_section_become_one_and_nothing_of_either_is_lost() -> None:
    one_ = block(
        "ship", "Shipping", "How we ship.", "TOOLS.md §Deploy", hits=2, tags="ship", rel="db"
    )
    other = block(
        *("release", "Acme releases", "make ship", "./TOOLS.md § deploy"),
        hits=5,
        base="0.5",
        accessed="2026-11-21",
        created="2026-01-05",
        tags="make",
        rel="ship,vpn",
        ver=3,
        aka="rollout",
    )
    whole = merged(one_, other, block("db"), block("vpn", rel="ship,db"))
    assert living(whole) == ["release", "db", "vpn"]
    kept = one(whole, "release").entry
    assert (kept.hits, kept.ver, kept.aka) == (7, 4, ("rollout", "ship"))
    assert (kept.strength, kept.base, kept.values["accessed"]) == (1.0, None, "2026-11-21")
    assert kept.values["created"] == "2026-01-05"
    assert kept.tags == ("make", "ship")
    assert kept.rel == ("vpn", "db")
    assert [str(pointer) for pointer in kept.pointers] == ["./TOOLS.md §deploy"]
    assert one(relate(whole, snapshot()).result, "vpn").entry.rel == ("release", "db")
    gone = one(whole, "ship")
    assert gone.file == ARCHIVE
    wanted = {
        "archived": "2026-11-21",
        "why": "merged",
        "into": "release",
        "home": "By Topic %3E Core",
    }
    assert {key: gone.entry.values[key] for key in wanted} == wanted
    assert whole.find("ship") == gone and whole.aliases["ship"] == "release"


def test_the_plan_names_the_entry_that_goes_and_the_one_that_takes_it_in() -> None:
    parts = [block("a", "Ship", SAME, "x.md §X"), block("b", "Sail", SAME, "x.md §X")]
    actions = merge_duplicates(index(*parts, block("c", rel="b")), snapshot(COPIES)).actions
    reason = "points at the same place as “Ship”"
    assert [(one.kind, one.key, one.reason, one.before, one.after) for one in actions] == [
        (Kind.MERGE, "b", reason, "Sail", "a")
    ]


def test_a_whole_group_becomes_one_in_one_run() -> None:
    whole = merged(*(block(name, "Acme deploy", SAME, "x.md §X", rel="a") for name in "vwxyz"))
    assert living(whole) == ["v"]
    assert set(one(whole, "v").entry.aka) == set("wxyz")
    assert {one(whole, key).entry.values["into"] for key in "wxyz"} == {"v"}


def test_what_says_the_same_of_another_place_is_for_a_reader_to_judge() -> None:
    given_ = [block(name, "Acme deploy", SAME, f"{name}.md §X") for name in "xy"]
    assert living(merged(*given_)) == ["x", "y"]


def test_one_target_needs_a_named_section() -> None:
    for to, left in (("TOOLS.md §Deploy", 1), ("TOOLS.md", 2), ("TOOLS.md §Deploy | TOOLS.md", 2)):
        assert (
            len(living(merged(block("a", "Shipping", to=to), block("b", "Ports", to=to)))) == left
        )


@pytest.mark.parametrize(("summary", "left"), [(SAME, ["a"]), ("The ports.", ["a", "b"])])
def test_drafts_of_a_whole_note_that_say_the_same_are_one(summary: str, left: list[str]) -> None:
    """As of a note that was renamed, and asked for before upkeep followed it."""
    drafts = block("a", "Shipping", SAME, "x.md"), block("b", "Acme", summary, "x.md")
    assert living(merged(*drafts)) == left


def test_what_a_person_wrote_is_kept_and_never_absorbed() -> None:
    to = "TOOLS.md §Deploy"
    for by_hand in ({"src": "manual"}, {"src": None, "created": None}):  # hippo writes all fields
        own = [block(key, "Shipping", to=to, **by_hand) for key in "ab"]
        assert living(merged(*own)) == ["a", "b"]
        assert living(merged(block("c", "Ports", to=to, hits=9), own[0])) == ["a"]


@pytest.mark.parametrize("value", [{"consolidated": "2026-10-01"}, {"pri": "amygdala"}])
def test_what_upkeep_leaves_alone_is_kept_and_never_absorbed(value: dict[str, str]) -> None:
    to = "TOOLS.md §Deploy"
    assert living(merged(block("a", to=to, hits=9), block("b", to=to, **value))) == ["b"]
    assert living(merged(block("a", to=to, **value), block("b", to=to, **value))) == ["a", "b"]


def test_what_a_person_took_apart_stays_apart() -> None:
    whole = index(block("a", to="TOOLS.md §Deploy"), block("b", to="TOOLS.md §Deploy"))
    for key in "ab":
        assert not merge_duplicates(whole, snapshot(undone=[(Kind.MERGE, key)])).actions


def test_a_bullet_and_entries_of_one_id_are_nobodys_duplicates() -> None:
    whole = index(
        block("a", to="TOOLS.md §Deploy"),
        block("b", to="TOOLS.md §Ports"),
        block("b", to="TOOLS.md §Ports"),
        "- Shipping → TOOLS.md §Deploy <!-- hx: id=c | src=auto -->",
    )
    assert not merge_duplicates(whole, snapshot()).actions


def test_entries_of_topic_files_take_part() -> None:
    whole = index(block("a", to="TOOLS.md §Deploy", hits=1))
    shard = ".hippocampus/topics/core.md"
    whole = whole.add(("Core",), [block("b", to="TOOLS.md §Deploy")], shard)
    after = merge_duplicates(whole, snapshot()).result
    assert living(after) == ["a"]
    assert one(after, "b").entry.values["home"] == ".hippocampus/topics/core.md %3E Core"


@given(indexes())
def test_a_second_run_plans_nothing(whole: Hierarchy) -> None:
    world = snapshot(NOTES)
    once = merge_duplicates(whole, world)
    again = merge_duplicates(once.result, world)
    assert not again.actions and again.result == once.result


@given(indexes())
def test_no_entry_is_lost_and_what_no_action_names_keeps_its_bytes(whole: Hierarchy) -> None:
    after, actions = merge_duplicates(whole, snapshot(NOTES))
    gone = {one.key: one.after for one in actions if one.kind is Kind.MERGE}
    assert everywhere(after).keys() == everywhere(whole).keys()
    touched = {*gone, *gone.values(), *(one.key for one in actions)}
    for key, raw in everywhere(whole).items():
        if key not in touched:
            assert everywhere(after)[key] == raw
    for key in gone:
        assert after.find(after.aliases[key]) in after.entries
        assert one(after, key).file == ARCHIVE
    for located in relate(after, snapshot(NOTES)).result.entries:
        related = {*located.entry.rel}
        assert not {*gone, located.key} & related or "consolidated" in located.entry.values


@given(indexes())
def test_hits_add_up_and_the_strongest_base_stays(whole: Hierarchy) -> None:
    world = snapshot(NOTES)
    after, actions = merge_duplicates(whole, world)
    groups: dict[str, list[Located]] = {}
    for action in actions:
        if action.kind is Kind.MERGE:
            groups.setdefault(after.aliases[action.key], []).append(one(whole, action.key))
    for key, absorbed in groups.items():
        kept, everyone = one(after, key), [*absorbed, one(whole, key)]
        assert kept.entry.hits == sum(located.entry.hits for located in everyone)
        best = max(world.clock(whole).base(located.entry) for located in everyone)
        assert world.clock(after).base(kept.entry) >= best - 1e-6
        for located in absorbed:
            assert located.entry.pri is not Priority.AMYGDALA
            assert "consolidated" not in located.entry.values
        assert len(kept.entry.tags) <= max(12, len(one(whole, key).entry.tags))


@given(blocks(), st.randoms(use_true_random=False))
def test_the_order_of_entries_decides_nothing(made: list[str], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(made, len(made))
    this, that = (merge_duplicates(index(*some), snapshot(NOTES)) for some in (made, shuffled))
    assert everywhere(this.result) == everywhere(that.result)
    assert set(this.actions) == set(that.actions)


STEPS = (merge_duplicates, relate)


WORLD = snapshot(NOTES, Config(), [asked("acme", "b", "c-3"), asked("acme", "b", "entry")] * 2)


@pytest.mark.parametrize("step", STEPS)
@given(text=DOCUMENTS)
def test_a_step_takes_any_file(step: Step, text: str) -> None:
    before = index_of(text)
    once, _ = step(before, WORLD)
    assert len(once.by_key) == len(before.by_key)
    assert {one.entry.id for one in once.by_key.values()} == {
        one.entry.id for one in before.by_key.values()
    }
    assert all(parse(document.text) == document for document in once.files.values())
    again = step(once, WORLD)
    assert again.result == once
    assert again.actions == ()


def test_a_part_that_is_refused_keeps_back_no_other() -> None:
    def apply(whole: Hierarchy, parts: list[int]) -> Hierarchy:
        if 3 in parts:
            raise IndexRefused(reason="not this one")
        return whole.add((), [f"## E{at}\n<!-- hx: id=e{at} -->" for at in parts])

    whole, done = applied(index_of("# Index\n"), [1, 2, 3, 4, 5], apply)  # type: ignore[arg-type]
    assert done == [1, 2, 4, 5]
    assert [one.key for one in whole.entries] == ["e1", "e2", "e4", "e5"]
