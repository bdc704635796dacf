"""Files that moved are found again by what they hold."""

from __future__ import annotations

import pytest

from tests.maintenance.steps.pointer_index import verified

PLAN = (
    "# Plan\n\n## Goals\n\nTwenty buoys in the water by June.\nNo alarm without a cause.\n\n"
    "## Money\n\nThe mould costs 12,500 euros.\nThe prepayment is due in May.\nKamps sends the bill.\n"
)
OTHER = "# Other\n\nNothing that belongs here.\n"


def test_a_day_that_was_archived_is_followed_by_its_text_and_its_name() -> None:
    day, archive = "memory/2026-03-01.md", "memory/archive/2026-03.md"
    month = "# March\n\n## The mould\n" + PLAN.split("## Money\n")[1]
    assert verified(f"{day} §Money", {day: PLAN}, {archive: month}).pointers == [
        f"{archive} §The mould"
    ]
    own = {"memory/archive/2026-03-01.md": PLAN.replace("June", "July")}
    assert verified(f"{day} §Money", {day: PLAN}, own).pointers == [
        "memory/archive/2026-03-01.md §Money"
    ]
    assert verified(day, {}, own).said[0] == f"propose {day} => memory/archive/2026-03-01.md"


def test_a_moved_file_is_followed_whole_and_by_section() -> None:
    before, after = {"plan.md": PLAN, "o.md": OTHER}, {"work/plan-b.md": PLAN, "o.md": OTHER}
    assert verified("plan.md", before, after).said == ["repoint plan.md => work/plan-b.md"]
    outcome = verified("plan.md §Money", before, after)
    assert outcome.said == ["repoint plan.md §Money => work/plan-b.md §Money"]
    assert outcome.plan.actions[0].reason == "same text as plan.md had"


def test_a_renamed_folder_is_followed_file_by_file_even_where_files_are_alike() -> None:
    template = "# Project\n\n## Status\n\nNot begun.\n"
    before = {f"projects/{name}/PROJECT.md": template for name in ("ann", "bob")}
    after = {f"work/{name}/PROJECT.md": template for name in ("ann", "bob")}
    outcome = verified("projects/bob/PROJECT.md §Status | projects/ann/PROJECT.md", before, after)
    assert outcome.pointers == ["work/bob/PROJECT.md §Status", "work/ann/PROJECT.md"]


def test_twins_without_a_name_in_common_are_proposed() -> None:
    before, after = {"a.md": PLAN}, {"b.md": PLAN, "c.md": PLAN}
    assert verified("a.md", before, after).said == ["propose a.md => b.md"]


def test_a_copy_that_was_there_before_is_proposed() -> None:
    outcome = verified("a.md", {"a.md": PLAN, "b.md": PLAN}, {"b.md": PLAN})
    assert outcome.said == ["propose a.md => b.md"]
    assert "was there before" in outcome.plan.actions[0].reason


def test_a_file_that_says_next_to_nothing_is_known_by_its_name_too() -> None:
    before = {"a/todo.md": "none so far\n", "o.md": OTHER}
    assert verified("a/todo.md", before, {"x.md": "none so far\n"}).said[0].startswith("propose")
    assert verified("a/todo.md", before, {"b/todo.md": "none so far\n"}).said == [
        "repoint a/todo.md => b/todo.md"
    ]


def test_a_file_moved_over_another_is_followed() -> None:
    before, after = {"a.md": PLAN, "b.md": OTHER}, {"b.md": PLAN}
    assert verified("a.md §Money", before, after).pointers == ["b.md §Money"]


def test_moved_and_edited_the_section_unchanged() -> None:
    after = {"new.md": PLAN.replace("June", "July") + "\n## More\n\nAnd more.\n", "o.md": OTHER}
    outcome = verified("plan.md §Money", {"plan.md": PLAN, "o.md": OTHER}, after)
    assert outcome.said == ["repoint plan.md §Money => new.md §Money"]
    assert outcome.plan.actions[0].reason == "same text as §Money of plan.md had"


def test_moved_and_the_section_itself_edited_is_proposed() -> None:
    after = {"new.md": PLAN.replace("12,500", "13,000")}
    outcome = verified("plan.md §Money", {"plan.md": PLAN}, after)
    assert outcome.said == ["propose plan.md §Money => new.md §Money", "flag plan.md §Money => "]
    assert outcome.plan.actions[0].reason.startswith("67% of its lines stand there; if it is the")


def test_a_whole_note_edited_a_little_is_followed_and_edited_much_proposed() -> None:
    little = verified("plan.md", {"plan.md": PLAN}, {"new.md": PLAN.replace("12,500", "13,000")})
    assert little.said == ["repoint plan.md => new.md"]
    assert little.plan.actions[0].reason == "80% of its lines stand there"
    much = PLAN.replace("12,500", "13,000").replace("June", "July")
    assert verified("plan.md", {"plan.md": PLAN}, {"new.md": much}).said == [
        "propose plan.md => new.md",
        "flag plan.md => ",
    ]


def test_a_third_of_the_lines_is_no_trace() -> None:
    after = {"new.md": "# New\n\nThe mould costs 12,500 euros.\nNo alarm without a cause.\n"}
    assert verified("plan.md", {"plan.md": PLAN}, after).said == ["flag plan.md => "]


def test_a_note_folded_into_one_that_was_there_is_proposed() -> None:
    before = {"plan.md": PLAN, "o.md": OTHER}
    outcome = verified("plan.md", before, {"o.md": OTHER + "\n## Plan\n" + PLAN[6:]})
    assert outcome.said == ["propose plan.md => o.md"]


def test_a_section_that_was_not_there_before_is_not_there_after_a_move() -> None:
    outcome = verified("plan.md §Moon", {"plan.md": PLAN}, {"new.md": PLAN})
    assert outcome.said == ["propose plan.md §Moon => new.md", "flag plan.md §Moon => "]
    other_case = verified("plan.md §money", {"plan.md": PLAN}, {"new.md": PLAN})
    assert other_case.pointers == ["new.md §Money"]


def test_of_two_new_places_with_its_text_the_one_under_its_heading_is_meant() -> None:
    money = PLAN.split("## Money")[1]
    after = {"a.md": "# Costs" + money, "b.md": "# B\n\n## Money" + money}
    assert verified("plan.md §Money", {"plan.md": PLAN}, after).pointers == ["b.md §Money"]
    twice = after | {"c.md": "# C\n\n## Money" + money}
    said = verified("plan.md §Money", {"plan.md": PLAN}, twice).said
    assert said[0] == "propose plan.md §Money => b.md §Money"


def test_a_copy_of_the_section_that_was_there_before_is_proposed() -> None:
    copy = {"b.md": "# B\n\n## Money" + PLAN.split("## Money")[1]}
    outcome = verified("plan.md §Money", {"plan.md": PLAN, **copy}, copy)
    assert outcome.said[0] == "propose plan.md §Money => b.md §Money"
    assert "was there before" in outcome.plan.actions[0].reason


def test_a_short_text_under_the_same_heading_is_proposed() -> None:
    before = {"a.md": "# A\n\n## Open\n\nnone\n"}
    assert verified("a.md §Open", before, {"b.md": "# B\n\n## Open\n\nnone\n"}).said[0] == (
        "propose a.md §Open => b.md §Open"
    )


@pytest.mark.parametrize(
    ("text", "stale"),
    [
        ("the copy", False),
        ("in parts", False),
        ("edited", True),
        ("its short lines", True),
    ],
)
def test_stale_is_what_no_note_says_any_more(text: str, stale: bool) -> None:
    said = "Ask Ines for the key.\n\nThe key is blue.\n\nIt opens the east gate.\n"
    after = {
        "the copy": {"b.md": f"# Key\n\n{said}"},
        "in parts": {"b.md": f"# B\n\n{said[:22]}", "c.md": f"# C\n\nMore.\n{said[22:]}"},
        "edited": {"b.md": f"# Key\n\n{said.replace('blue', 'red')}"},
        "its short lines": {"b.md": "# B\n\nnone so far\n"},
    }[text]
    was = "# Key\n\nnone so far\n" if text == "its short lines" else f"# Key\n\n{said}"
    before = {"a.md": was, "b.md": after["b.md"], "o.md": OTHER}
    outcome = verified("a.md", before, {**after, "o.md": OTHER})
    assert ("flag a.md => " in outcome.said) == stale


def test_of_two_copies_that_an_entry_points_at_the_living_one_is_left() -> None:
    outcome = verified("a.md | b.md", {"a.md": PLAN, "b.md": PLAN}, {"b.md": PLAN})
    assert outcome.pointers == ["b.md"]
    assert outcome.said == ["repoint a.md => b.md"]


def test_a_note_split_in_two_is_followed_by_section_alone() -> None:
    goals, money = PLAN.split("## Money")
    after = {"goals.md": goals, "money.md": "# Money" + money}
    before = {"plan.md": PLAN}
    assert verified("plan.md", before, after).said == []
    assert verified("plan.md §Goals", before, after).pointers == ["goals.md §Goals"]


def test_lines_of_a_template_prove_nothing() -> None:
    template = "# {0}\n\nWhat went well today:\nWhat went badly today:\nWhom I met and why:\n{1}\n"
    notes = {f"{n}.md": template.format(n, f"Only this at {n}.") for n in range(5)}
    after = {path: text for path, text in notes.items() if path != "0.md"}
    after["5.md"] = template.format(5, "Something else.")
    assert verified("0.md", notes, after).said == ["flag 0.md => "]


def test_a_text_that_stands_in_many_places_is_not_followed_on_its_own() -> None:
    blank = "# {0}\n\nDay {0}.\n\n## Blockers\n\nNothing that I would know of.\n"
    before = {"1.md": blank.format(1), "2.md": blank.format(2)}
    after = {"2.md": blank.format(2), "3.md": blank.format(3).replace("Blockers", "Open")}
    outcome = verified("1.md §Blockers", before, after)
    assert outcome.said[0] == "propose 1.md §Blockers => 3.md §Open"


def test_without_a_memory_the_only_file_of_that_name_is_proposed() -> None:
    after = {"work/plan.md": PLAN, "o.md": OTHER}
    outcome = verified("plan.md §Money", {}, after)
    assert outcome.said == [
        "propose plan.md §Money => work/plan.md §Money",
        "flag plan.md §Money => ",
    ]
    assert "the only plan.md there is with that section" in outcome.plan.actions[0].reason
    assert verified("plan.md §Moon", {}, after).said == ["flag plan.md §Moon => "]
    two = after | {"play/Plan.md": PLAN}
    assert verified("plan.md §Money", {}, two).said == ["flag plan.md §Money => "]


def test_another_note_of_that_name_that_was_always_there_is_another_note() -> None:
    before = {"a/README.md": PLAN, "b/README.md": OTHER}
    assert verified("a/README.md", before, {"b/README.md": OTHER}).said == ["flag a/README.md => "]


def test_what_was_proposed_is_proposed_again_when_the_place_is_no_news_any_more() -> None:
    """Upkeep remembers a note that is gone for as long as an entry points at it."""
    after = {
        "new.md": PLAN.replace("12,500", "13,000").replace("June", "July"),
        "deep/plan.md": "# Plan\n\nThe mould costs 12,500 euros.\n",
    }
    for before in ({"plan.md": PLAN}, {"plan.md": PLAN, **after}):
        assert verified("plan.md", before, after).said[0] == "propose plan.md => new.md"
        assert verified("plan.md", before, {"deep/plan.md": after["deep/plan.md"]}).said[0] == (
            "propose plan.md => deep/plan.md"
        )


def test_a_short_section_that_grew_as_its_file_moved_is_proposed_by_name() -> None:
    """One line is little to go by: with the file's name and the heading it is a guess."""
    pump = "# Visit\n\n## Pump\n\nThe pump costs 800 euros a year.\n"
    before, pointer = {"notes/visit.md": pump, "o.md": OTHER}, "notes/visit.md §Pump"
    grown = {"docs/visit.md": f"{pump}Rain all morning.\n"}
    assert verified(pointer, before, grown).said[0] == f"propose {pointer} => docs/visit.md §Pump"
    rewritten = {"docs/visit.md": f"{pump}Rain.\n".replace("costs 800", "cost 900")}
    assert verified(pointer, before, rewritten).said == [f"flag {pointer} => "]


def test_a_note_that_grew_as_it_was_renamed_is_followed_section_by_section() -> None:
    before, grown = {"plan.md": PLAN}, PLAN.replace("\n\n## Money", "\nOne more.\n\n## Money")
    for section in ("Goals", "Money"):
        outcome = verified(f"plan.md §{section}", before, {"new.md": grown + "And this.\n"})
        assert outcome.said == [f"repoint plan.md §{section} => new.md §{section}"]
    there = {"new.md": "# New\n\nSomething else.\n"}
    outcome = verified("plan.md §Goals", before | there, {"new.md": grown + "And this.\n"})
    assert outcome.said[0] == "propose plan.md §Goals => new.md §Goals"
    shorter = grown.replace("No alarm without a cause.\n", "") + "And this.\n"
    outcome = verified("plan.md §Goals", before, {"new.md": shorter})
    assert outcome.said[0] == "propose plan.md §Goals => new.md §Goals"
