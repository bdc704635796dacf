"""Notes and sections that moved are found again by what they hold; what is only alike is not followed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.maintenance.steps.pointer_index import verified

PLAN = (
    "# Plan\n\n## Goals\n\nTwenty buoys in the water by June.\nNo alarm without a cause.\n\n"
    "## Money\n\nThe mould costs 12,500 euros.\nThe prepayment is due in May.\nKamps sends the bill.\n"
)
MONEY = PLAN.split("## Money")[1]
TOOLS = (
    "# Tools\n\n## Deploy\n\nRun kelpctl release prod from main.\nNever on a Friday.\nWatch the canary.\n\n"
    "## Nightly backup\n\nrestic to the NAS at 01:40, and on Sundays off site.\n"
)
DEPLOY = "Run kelpctl release prod from main.\nNever on a Friday.\nWatch the canary.\n"
OTHER = "# Other\n\nNothing that belongs here.\n"
TEMPLATE = "# Project\n\n## Status\n\nNot begun.\n"
DAY, ARCHIVE = "memory/2026-03-01.md", "memory/archive/2026-03"
GROWN = PLAN.replace("\n\n## Money", "\nOne more.\n\n## Money") + "And this.\n"
BOTH = "# N\n\n## Ship\n\nRun kelpctl release.\n\n## Release\n\nRun kelpctl release.\n"
PARENTS = "# A\n\n## Notes\n\nHana takes the train to Kyoto.\n\n# B\n\n## Notes\n\nRain.\n"
Notes = Mapping[str, str]


def tools(old: str, new: str) -> Notes:
    return {"TOOLS.md": TOOLS.replace(old, new)}


FOLLOWED: dict[str, tuple[str, Notes, Notes, str]] = {
    "a day that was archived, by its text": (
        f"{DAY} §Money",
        {DAY: PLAN},
        {f"{ARCHIVE}.md": f"# March\n\n## The mould{MONEY}"},
        f"{ARCHIVE}.md §The mould",
    ),
    "a day that was archived, and edited": (
        f"{DAY} §Money",
        {DAY: PLAN},
        {f"{ARCHIVE}-01.md": PLAN.replace("June", "July")},
        f"{ARCHIVE}-01.md §Money",
    ),
    "a note": ("plan.md", {"plan.md": PLAN}, {"work/b.md": PLAN}, "work/b.md"),
    "a section with its note": (
        *("plan.md §money", {"plan.md": PLAN}, {"work/b.md": PLAN}),
        "work/b.md §Money",
    ),
    "the files of a folder, even where they are alike": (
        "projects/bob/P.md §Status | projects/ann/P.md",
        {"projects/ann/P.md": TEMPLATE, "projects/bob/P.md": TEMPLATE},
        {"work/ann/P.md": TEMPLATE, "work/bob/P.md": TEMPLATE},
        "work/bob/P.md §Status | work/ann/P.md",
    ),
    "a day in the file of its month, also with what others say": (
        "memory/2026-03-01.md",
        {"memory/2026-03-01.md": f"# 2026-03-01\n\n## A\n\n{DEPLOY}\n## B\n\n{OTHER[9:]}\n"},
        {
            "memory/archive/2026-03.md": f"# March\n\n## 2026-03-01\n\n### A\n\n{DEPLOY}\n### B\n\n"
            f"{OTHER[9:]}\n\n## 2026-03-02\n\nFour and five.\nSix.\nSeven.\n"
        },
        "memory/archive/2026-03.md §2026-03-01",
    ),
    "next to nothing, by its name too": (
        *("a/todo.md", {"a/todo.md": "none so far\n"}, {"b/todo.md": "none so far\n"}),
        "b/todo.md",
    ),
    "a note over another": ("a.md", {"a.md": PLAN, "b.md": OTHER}, {"b.md": PLAN}, "b.md"),
    "a section of a note that was edited": (
        "plan.md §Money",
        {"plan.md": PLAN},
        {"new.md": PLAN.replace("June", "July") + "\n## More\n\nAnd more.\n"},
        "new.md §Money",
    ),
    "a note with four fifths of its lines": (
        *("plan.md", {"plan.md": PLAN}, {"new.md": PLAN.replace("12,500", "13,000")}),
        "new.md",
    ),
    "a section of a note that grew": (
        "a.md §Goals",
        {"a.md": PLAN},
        {"b.md": GROWN},
        "b.md §Goals",
    ),
    "of two new places the one under its heading": (
        "plan.md §Money",
        {"plan.md": PLAN},
        {"a.md": f"# Costs{MONEY}", "b.md": f"# B\n\n## Money{MONEY}"},
        "b.md §Money",
    ),
    "a copy that the entry points at anyway": (
        *("a.md | b.md", {"a.md": PLAN, "b.md": PLAN}, {"b.md": PLAN}),
        "b.md",
    ),
    "two sections that became one": (
        *("n.md §Ship | n.md §Release", {"n.md": BOTH}),
        *({"n.md": "# N\n\n## Release\n\nRun kelpctl release.\n"}, "n.md §Release"),
    ),
    "a section of a note split in two": (
        "plan.md §Goals",
        {"plan.md": PLAN},
        {"goals.md": PLAN.split("## Money")[0], "money.md": f"# Money{MONEY}"},
        "goals.md §Goals",
    ),
    "the same text under another heading": (
        *("TOOLS.md §Deploy", tools("", ""), tools("## Deploy", "## How to ship")),
        "TOOLS.md §How to ship",
    ),
    "half of the lines under a new heading": (
        "TOOLS.md §deploy",
        tools("", ""),
        tools("## Deploy\n\nRun kelpctl release prod from main.", "## Ship it\n\nRun ship prod."),
        "TOOLS.md §Ship it",
    ),
    "a section in another note": (
        "TOOLS.md §Nightly backup",
        tools("", ""),
        {"TOOLS.md": TOOLS.split("## Nightly")[0], "i.md": f"# I\n\n###{TOOLS.split('##')[2]}"},
        "i.md §Nightly backup",
    ),
    "a qualified name whose parent was renamed": (
        *("n.md §A > Notes", {"n.md": PARENTS}, {"n.md": PARENTS.replace("# A\n", "# Asia\n")}),
        "n.md §Asia > Notes",
    ),
}
STALE: dict[str, tuple[str, Notes, Notes]] = {
    "the section itself was edited": (
        *("plan.md §Money", {"plan.md": PLAN}, {"new.md": PLAN.replace("12,500", "13,000")}),
    ),
    "much of the note was edited": (
        *("plan.md", {"plan.md": PLAN}),
        {"new.md": PLAN.replace("12,500", "13,000").replace("June", "July")},
    ),
    "a section that was not there before": ("plan.md §Moon", {"plan.md": PLAN}, {"new.md": PLAN}),
    "nothing is known but a file of that name": ("plan.md §Money", {}, {"work/plan.md": PLAN}),
    "another note of that name": (
        *("a/README.md", {"a/README.md": PLAN, "b/README.md": OTHER}, {"b/README.md": OTHER}),
    ),
    "the lines of a template": (
        "0.md",
        {f"{n}.md": f"{TEMPLATE}\nSaid on {n}.\n\nAnd seen on {n}.\n" for n in "012"},
        {f"{n}.md": f"{TEMPLATE}\nSaid on {n}.\n\nAnd seen on {n}.\n" for n in "123"},
    ),
    "two words of text": (
        "n.md §Open",
        {"n.md": "# N\n\n## Open\n\nnone\n"},
        {"n.md": "# N\n\n## Blocked by others\n\nnone\n"},
    ),
    "short lines": ("a.md", {"a.md": "none so far\n"}, {"b.md": "none so far\n"}),
    "twins without a name in common": ("a.md", {"a.md": PLAN}, {"b.md": PLAN, "c.md": PLAN}),
    "a copy that was there before": ("a.md", {"a.md": PLAN, "b.md": PLAN}, {"b.md": PLAN}),
    "a note folded into one that was there": (
        *("plan.md", {"plan.md": PLAN, "o.md": OTHER}, {"o.md": f"{OTHER}\n## Plan\n{PLAN[6:]}"}),
    ),
    "a note in two parts": (
        "plan.md",
        {"plan.md": PLAN},
        {"goals.md": PLAN.split("## Money")[0], "money.md": f"# Money{MONEY}"},
    ),
    "a section merged into one that was there": (
        *("TOOLS.md §Deploy", tools("", "")),
        {"TOOLS.md": TOOLS.replace(f"## Deploy\n\n{DEPLOY}\n", "") + DEPLOY},
    ),
    "a text that stands in many places": (
        "1.md §Blockers",
        {n: f"# {n}\n\n## Blockers\n\nNothing that I would know of.\n" for n in ("1.md", "2.md")},
        {n: f"# {n}\n\n## Open\n\nNothing that I would know of.\n" for n in ("2.md", "3.md")},
    ),
    "a text that another note had too": (
        "1.md §Open",
        {f"{n}.md": f"# {n}\n\n## Open\n\nNothing that I would know of.\n" for n in "12"},
        {f"{n}.md": f"# {n}\n\n## Open\n\nNothing that I would know of.\n" for n in "23"},
    ),
}
LEFT: dict[str, tuple[str, Notes, Notes]] = {
    "a heading like it": ("n.md §Backup", {}, {"n.md": "# N\n\n## Backups\n\nx\n"}),
    "a second section of that name": (
        *("TOOLS.md §Deploy", tools("", ""), {"TOOLS.md": f"{TOOLS}\n# Old\n\n## Deploy\n\nx\n"}),
    ),
}


@pytest.mark.parametrize("case", FOLLOWED)
def test_what_surely_went_elsewhere_is_followed(case: str) -> None:
    pointers, before, after, wanted = FOLLOWED[case]
    outcome = verified(pointers, {"x.md": OTHER, **before}, {"x.md": OTHER, **after})
    assert " | ".join(outcome.pointers) == wanted
    assert "stale" not in outcome.entry.values


@pytest.mark.parametrize("case", STALE)
def test_what_leads_nowhere_is_stale(case: str) -> None:
    pointers, before, after = STALE[case]
    outcome = verified(pointers, {"x.md": OTHER, **before}, {"x.md": OTHER, **after})
    assert outcome.said == [f"flag {pointers} => "]


@pytest.mark.parametrize("case", LEFT)
def test_what_still_leads_somewhere_is_left(case: str) -> None:
    pointers, before, after = LEFT[case]
    assert verified(pointers, {"x.md": OTHER, **before}, {"x.md": OTHER, **after}).said == []


def test_the_reason_says_what_was_found() -> None:
    renamed = tools("## Deploy\n\nRun kelpctl release prod from main.", "## Ship it\n\nRun ship.")
    (action,) = verified("TOOLS.md §deploy", tools("", ""), renamed).plan.actions
    assert action.reason == "renamed: 'deploy' -> 'Ship it' (67% of its lines)"
    after = {"new.md": PLAN.replace("June", "July")}
    (action,) = verified("plan.md §Money", {"plan.md": PLAN}, after).plan.actions
    assert action.reason == "same text as in §Money of plan.md"
