from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from hippocampus_cli.config.settings import Decay
from hippocampus_cli.index import views
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import Draft, block
from hippocampus_cli.index.metadata import Priority, Source
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.index.views import Limits, refreshed

NOW = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
CLOCK = DecayClock(NOW, Decay())


def draft(name: str, age: int = 0, hits: int = 0, rel: tuple[str, ...] = ()) -> Draft:
    day = date(2026, 1, 31) - timedelta(days=age)
    return Draft(
        name, name.title(), "Summary.", (Pointer(f"{name}.md"),), day, day, 1, hits, rel=rel
    )


def index(*drafts: Draft) -> Document:
    blocks = "\n\n".join(f"##{block(one)}" for one in drafts)
    return parse(f"## By Topic\n\n### Core\n\n{blocks}\n")


def view_lines(name: str, document: Document, clock: DecayClock, limits: Limits) -> list[str]:
    return refreshed(document, clock, limits, [name]).views[name].raw.splitlines()[1:-1]


def lines(name: str, *drafts: Draft, limits: Limits | None = None) -> list[str]:
    return view_lines(name, index(*drafts), CLOCK, limits or Limits())


def test_quick_access_has_what_is_used_by_hits_then_priority() -> None:
    found = lines(
        views.QUICK_ACCESS,
        draft("idle", rel=("once",)),
        draft("once", hits=1),
        draft("core", hits=1).replaced(pri=Priority.HIGH),
        draft("used", age=90, hits=2),
    )
    assert found == ["- Used → used.md", "- Core → core.md", "- Once → once.md"]


def test_quick_access_leaves_out_what_is_silent_and_keeps_its_number() -> None:
    silent = draft("silent", age=2000, hits=9)
    assert lines(views.QUICK_ACCESS, silent) == []
    many = [draft(f"e{n}", hits=1) for n in range(30)]
    assert len(lines(views.QUICK_ACCESS, *many, limits=Limits(quick_access=7))) == 7


def test_by_time_has_one_bullet_a_day() -> None:
    assert lines(
        views.BY_TIME, draft("b", 2), draft("a"), draft("c", 2), draft("d", 20), draft("e", 100)
    ) == [
        "### This Week",
        "",
        "- 2026-01-31: A",
        "- 2026-01-29: B; C",
        "",
        "### This Month",
        "",
        "- 2026-01-11: D",
        "",
        "### Older",
        "",
        "- 2025-10-23: E",
    ]


def test_by_time_goes_by_the_calendar() -> None:
    """31 January 2026 is a Saturday: a week begins on Monday, and no day of December is of this month."""
    days = {"week": 5, "before": 6, "first": 30, "last": 31}
    found = lines(views.BY_TIME, *(draft(name, age) for name, age in days.items()))
    assert [one for one in found if one] == [
        "### This Week",
        "- 2026-01-26: Week",
        "### This Month",
        "- 2026-01-25: Before",
        "- 2026-01-01: First",
        "### Older",
        "- 2025-12-31: Last",
    ]


def test_by_time_does_not_repeat_the_day_in_topics() -> None:
    day = draft("x").replaced(topic="2026-01-31: Ghosts")
    tail = draft("y").replaced(topic="Standup (2026-01-31)")
    assert lines(views.BY_TIME, day, tail)[-1] == "- 2026-01-31: Ghosts; Standup"


def test_associations_name_topics_and_skip_what_is_gone() -> None:
    found = lines(views.ASSOCIATIONS, draft("a", rel=("b", "gone")), draft("b", rel=("gone",)))
    assert found == ["- A ↔ B"]


def test_the_decay_queue_lists_candidates_that_fall_silent_first() -> None:
    found = lines(views.DECAY_QUEUE, draft("fresh"), draft("older", 200), draft("old", 60))
    assert found == ["- silent on 2027-12-30 · Older", "- silent on 2028-05-18 · Old"]


def test_meta_counts() -> None:
    assert lines(views.META, draft("a"), draft("b", 200)) == [
        "- 2 entries for 2 notes",
        "- Strength: 1 strong, 1 decaying",
    ]
    assert lines(views.META)[0] == "- 0 entries for 0 notes"


def test_what_never_falls_silent_is_no_candidate() -> None:
    pinned = draft("a", 60).replaced(base=0.2, pri=Priority.AMYGDALA)
    assert lines(views.DECAY_QUEUE, pinned) == []


@pytest.mark.parametrize("days", [1, 5, 6])
def test_within_a_band_lists_do_not_change_while_time_goes_on(days: int) -> None:
    """D21: whoever is stronger within one band, the order of the file stays."""
    slow = draft("slow", 40).replaced(src=Source.MANUAL, base=0.5)
    document = index(slow, draft("quick", 30), draft("other", 90), draft("used", 200, hits=3))
    later = CLOCK._replace(now=NOW + timedelta(days=days))
    for name in (views.QUICK_ACCESS, views.DECAY_QUEUE, views.META, views.ASSOCIATIONS):
        assert view_lines(name, document, later, Limits()) == view_lines(
            name, document, CLOCK, Limits()
        )


@pytest.mark.parametrize("tokens", [0, 20, 200, 1500])
def test_views_keep_their_budget(tokens: int) -> None:
    many = [draft(f"entry-{n:03}", age=n * 3, rel=(f"entry-{n // 2:03}",)) for n in range(300)]
    document = index(*many)
    used = sum(
        len("\n".join(view_lines(name, document, CLOCK, Limits(tokens=tokens))))
        for name in views.SECTIONS
    )
    assert used <= tokens * 4 + 350


def test_what_is_left_out_is_counted() -> None:
    many = [draft(f"e{n}", rel=(f"e{n + 1}",)) for n in range(30)]
    found = lines(views.ASSOCIATIONS, *many, limits=Limits(rows=5))
    assert len(found) == 6 and found[-1] == "- … and 24 more"


def test_refreshing_makes_the_views_asked_for_and_then_changes_nothing() -> None:
    document = refreshed(index(draft("a", rel=("b",)), draft("b")), CLOCK, Limits(), views.SECTIONS)
    assert set(document.views) == set(views.SECTIONS)
    assert parse(document.text) == document
    assert len(document.entries) == 2
    assert refreshed(document, CLOCK, Limits()).text == document.text


def test_refreshing_leaves_a_document_without_views_alone() -> None:
    document = index(draft("a"))
    assert refreshed(document, CLOCK, Limits()) is document


def test_refreshing_keeps_what_is_written_around_a_view() -> None:
    text = (
        "## Meta\n\nmine\n\n<!-- hippo:begin meta -->\nold\n<!-- hippo:end meta -->\n\nmine too\n"
    )
    found = refreshed(parse(text), CLOCK, Limits()).text
    assert found.startswith("## Meta\n\nmine\n\n<!-- hippo:begin meta -->\n- 0 entries")
    assert found.endswith("<!-- hippo:end meta -->\n\nmine too\n")


def test_a_topic_cannot_end_a_view() -> None:
    hostile = draft("a").replaced(topic="x <!-- hippo:end quick-access -->", rel=("a",))
    document = refreshed(index(hostile), CLOCK, Limits(), views.SECTIONS)
    assert parse(document.text).views.keys() == set(views.SECTIONS)


def test_quick_access_lists_what_is_used_in_topic_files_too() -> None:
    beyond = index(draft("far", hits=3), draft("idle")).entries
    master = index(draft("near", hits=1))
    listed = refreshed(master, CLOCK, Limits(), [views.QUICK_ACCESS], beyond=beyond)
    rows = [row for row in listed.text.splitlines() if row.startswith("- ")]
    assert rows == ["- Far → far.md", "- Near → near.md"]
