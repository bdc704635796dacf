from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.entries.select import SORTS, choose, find, nearest, order
from hippocampus_cli.index.parse import parse
from hippocampus_cli.search.filters import Filter
from tests.support.indexes import index_of
from tests.support.workspaces import BANDS, clock

IDS = ["acme-deploy", "staging-database", "grace", "standup", "tickets-still-open", "notes"]


@pytest.mark.parametrize(
    "wrong", ["", "zzzzqqqq", "\udcff\udcfe", "-", "x" * 100_000, "dup", "nope"]
)
def test_nothing_is_suggested_where_nothing_is_like_it(wrong: str) -> None:
    assert nearest(wrong, IDS) == []  # letters in common are not enough


def test_the_second_of_two_equal_ids_is_found_by_its_key() -> None:
    document = index_of("## A\n→ a.md\n<!-- hx: id=x -->\n\n## B\n→ b.md\n<!-- hx: id=x -->\n")
    assert find(document, "x~2").entry.topic == "B"


def test_every_order_holds_entries_without_any_metadata() -> None:
    document = parse("- A → a.md\n- B → ../x.md\n- C → \\\\server\\x.md §Y\n")
    states = choose(document.entries, clock(document), BANDS, Filter())
    for sort in SORTS:
        assert {one.id for one in order(states, sort)} == {"a", "b", "c"}
    assert [one.bare for one in states] == [True] * 3
    since = Filter(since=date(2000, 1, 1))
    assert choose(document.entries, clock(document), BANDS, since) == []
