"""Notes of a day that were folded into an archive are followed there."""

from __future__ import annotations

import pytest

from tests.maintenance.steps.pointer_index import verified

DAY = "memory/2026-03-01.md"
DAILY = (
    "# 2026-03-01 Session Notes\n\n## Key Events\n\nThe canary died of a full disk at noon.\n\n"
    "## Tomorrow\n\nCall.\n"
)
MONTH = (
    "# March 2026\n\n## 2026-03-01\n\n### Key events\n\nDisk full.\n\n### Rest\n\nx\n\n"
    "## 2026-03-02\n\n### Key events\n\nNone.\n"
)


@pytest.mark.parametrize(
    "archive", ["memory/archive/2026-03.md", "archive/2026-03.md", "memory/_Archive/2026/03.md"]
)
def test_by_the_day_in_a_heading(archive: str) -> None:
    after = {archive: MONTH, "memory/2026-03-09.md": "# 2026-03-09\n"}
    assert verified(DAY, {}, after).pointers == [f"{archive} §2026-03-01"]
    outcome = verified(f"{DAY} §Key Events", {}, after)
    assert outcome.pointers == [f"{archive} §2026-03-01 > Key events"]
    assert outcome.plan.actions[0].reason == "archived: the section of 2026-03-01"
    condensed = verified(f"{DAY} §Tomorrow", {}, after)
    assert condensed.pointers == [f"{archive} §2026-03-01"]


def test_by_its_text_and_proposed_where_it_was_copied_before_the_daily_went() -> None:
    month = "# March\n\n## The canary\n\nThe canary died of a full disk at noon.\n"
    archive = "memory/archive/2026-03.md"
    outcome = verified(f"{DAY} §Key Events", {DAY: DAILY}, {archive: month})
    assert outcome.pointers == [f"{archive} §The canary"]
    outcome = verified(f"{DAY} §Key Events", {DAY: DAILY, archive: month}, {archive: month})
    assert outcome.said == [f"propose {DAY} §Key Events => {archive} §The canary"]


def test_under_its_own_name() -> None:
    archived = {"memory/archive/2026-03-01.md": DAILY.replace("Call.", "Write.")}
    before = {DAY: DAILY}
    outcome = verified(f"{DAY} §Key Events", before, archived)
    assert outcome.pointers == ["memory/archive/2026-03-01.md §Key Events"]
    assert verified(DAY, {}, archived).said[0] == f"propose {DAY} => memory/archive/2026-03-01.md"


def test_another_month_and_a_review_outside_the_archive_are_other_notes() -> None:
    after = {"memory/archive/2026-04.md": MONTH, "memory/2026-03.md": MONTH}
    assert verified(DAY, {}, after).said == [f"flag {DAY} => "]


@pytest.mark.parametrize(
    ("heading", "is_the_day"),
    [
        *(("2026-03-01", True), ("Sun. 2026-03-01 — v1.2", True), ("1 March", False)),
        *(("2026-03-012", False), ("2025-03-01", False), ("2026-12-03-01", False)),
    ],
)
def test_how_a_heading_names_the_day(heading: str, is_the_day: bool) -> None:
    after = {"archive/2026-03.md": f"# March 2026\n\n## {heading}\n\nx\n"}
    assert verified(DAY, {}, after).said[0].startswith("repoint" if is_the_day else "flag")


def test_a_day_of_several_notes() -> None:
    month = "# March\n\n## 2026-03-01\n\nx\n\n## 2026-03-01-vendor-call\n\ny\n"
    after = {"memory/archive/2026-03.md": month}
    own = verified("memory/2026-03-01-vendor-call.md", {}, after)
    assert own.pointers == ["memory/archive/2026-03.md §2026-03-01-vendor-call"]
    assert verified(DAY, {}, after).pointers == ["memory/archive/2026-03.md §2026-03-01"]
    one = {"memory/archive/2026-03.md": "# March\n\n## 2026-03-01\n\nx\n"}
    assert verified("memory/2026-03-01-vendor-call.md", {}, one).said[0].startswith("propose")


def test_of_several_archives_the_files_own_name_comes_first_then_the_nearest() -> None:
    after = {"archive/2026-03.md": MONTH, "memory/archive/2026-03.md": MONTH}
    assert verified(DAY, {}, after).pointers == ["memory/archive/2026-03.md §2026-03-01"]
    own = after | {"archive/days/2026-03-01.md": DAILY}
    assert verified(DAY, {DAY: DAILY}, own).pointers == ["archive/days/2026-03-01.md"]


def test_two_sections_of_the_day_are_no_certainty() -> None:
    month = "# March\n\n## Morning of 2026-03-01\n\nx\n\n## Evening of 2026-03-01\n\ny\n"
    outcome = verified(DAY, {}, {"archive/2026-03.md": month})
    assert outcome.said[0] == f"propose {DAY} => archive/2026-03.md §Morning of 2026-03-01"
