"""Sections that were renamed or moved are found again."""

from __future__ import annotations

import pytest

from tests.maintenance.steps.pointer_index import verified

TOOLS = (
    "# Tools\n\n## Deploy\n\nRun kelpctl release prod from main.\nNever on a Friday.\nWatch the canary.\n\n"
    "## Nightly backup\n\nrestic to the NAS at 01:40, and on Sundays off site.\n"
)


def test_the_same_text_under_another_heading() -> None:
    after = {"TOOLS.md": TOOLS.replace("## Deploy", "## How to ship")}
    outcome = verified("TOOLS.md §Deploy", {"TOOLS.md": TOOLS}, after)
    assert outcome.pointers == ["TOOLS.md §How to ship"]


def test_renamed_and_edited_in_part() -> None:
    after = {"TOOLS.md": TOOLS.replace("## Deploy", "## Ship it").replace("Friday", "Monday")}
    outcome = verified("TOOLS.md §deploy", {"TOOLS.md": TOOLS}, after)
    assert outcome.pointers == ["TOOLS.md §Ship it"]
    assert outcome.plan.actions[0].reason == "renamed: 'deploy' -> 'Ship it' (67% of its lines)"


def test_moved_to_another_note() -> None:
    head, _, tail = TOOLS.partition("## Nightly")
    after = {"TOOLS.md": head, "ops/infra.md": f"# Infra\n\n### Nightly{tail}"}
    outcome = verified("TOOLS.md §Nightly backup", {"TOOLS.md": TOOLS}, after)
    assert outcome.pointers == ["ops/infra.md §Nightly backup"]


def test_a_second_section_of_that_name_makes_the_first_one_meant() -> None:
    """Nothing is broken then: the name leads to the first."""
    after = {"TOOLS.md": TOOLS + "\n# Old\n\n## Deploy\n\nmake ship\n"}
    assert verified("TOOLS.md §Deploy", {"TOOLS.md": TOOLS}, after).said == []


def test_a_qualified_name_whose_parent_was_renamed() -> None:
    before = {
        "n.md": "# A\n\n## Notes\n\nHana takes the train to Kyoto.\n\n# B\n\n## Notes\n\nRain.\n"
    }
    after = {"n.md": before["n.md"].replace("# A\n", "# Asia\n")}
    assert verified("n.md §A > Notes", before, after).pointers == ["n.md §Asia > Notes"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Backup", "Backups"),
        ("Office VPN", "VPN office"),
        ("Vercel", "Vercel setup"),
        ("Plan A for the warehouse", "Plan B for the warehouse"),
    ],
)
def test_by_its_heading_alone_it_is_proposed(old: str, new: str) -> None:
    outcome = verified(f"n.md §{old}", {}, {"n.md": f"# N\n\n## {new}\n\nx\n"})
    assert outcome.said == [f"propose n.md §{old} => n.md §{new}"]
    assert "stale" not in outcome.entry.values


def test_a_neighbour_that_was_there_before_is_not_the_renamed_one() -> None:
    before = {"n.md": "# N\n\n## Backup\n\nOne two three.\n\n## Backups\n\nFour five six.\n"}
    after = {"n.md": "# N\n\n## Backups\n\nFour five six.\n"}
    outcome = verified("n.md §Backup", before, after)
    assert outcome.said == ["propose n.md §Backup => n.md §Backups"]
    assert "was there before" in outcome.plan.actions[0].reason


def test_two_headings_like_it_are_no_answer() -> None:
    after = {"n.md": "# N\n\n## Rollback plan a\n\nx\n\n## Rollback plan b\n\ny\n"}
    assert verified("n.md §Rollback plan", {}, after).said == ["flag n.md §Rollback plan => "]


def test_the_likest_of_two_is_proposed() -> None:
    after = {"n.md": "# N\n\n## Nightly backup\n\nx\n\n## Nightly backups, a plan\n\ny\n"}
    assert verified("n.md §Nightly backups", {}, after).said == [
        "propose n.md §Nightly backups => n.md §Nightly backup"
    ]


def test_two_words_of_text_prove_nothing() -> None:
    before = {"n.md": "# N\n\n## Open\n\nnone\n"}
    after = {"n.md": "# N\n\n## Blocked by others\n\nnone\n"}
    assert verified("n.md §Open", before, after).said == [
        "propose n.md §Open => n.md §Blocked by others",
        "flag n.md §Open => ",
    ]


def test_merged_into_a_section_that_was_there_is_proposed() -> None:
    tail = "Run kelpctl release prod from main.\nNever on a Friday.\nWatch the canary.\n"
    after = {"TOOLS.md": TOOLS.replace(f"## Deploy\n\n{tail}\n", "") + tail}
    outcome = verified("TOOLS.md §Deploy", {"TOOLS.md": TOOLS}, after)
    assert outcome.said[0] == "propose TOOLS.md §Deploy => TOOLS.md §Nightly backup"


def test_two_sections_that_became_one_copy_are_one_pointer_and_a_second_look_rests() -> None:
    text = "Run kelpctl release prod from main.\n"
    before = {"n.md": f"# N\n\n## Ship\n\n{text}\n## Release\n\n{text}"}
    outcome = verified(
        "n.md §Ship | n.md §Release", before, {"n.md": f"# N\n\n## Release\n\n{text}"}
    )
    assert outcome.pointers == ["n.md §Release"]
    moved = {"n.md": "# N\n", "b.md": f"# B\n\n## Release\n\n{text}"}
    outcome = verified("n.md §Ship | b.md §Release", {"n.md": before["n.md"]}, moved)
    assert outcome.pointers == ["b.md §Release"]
    assert "stale" not in outcome.entry.values
