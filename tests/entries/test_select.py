from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from hippocampus_cli.entries.select import SORTS, choose, find, nearest, order
from hippocampus_cli.errors import EntryNotFound
from hippocampus_cli.index.parse import parse
from hippocampus_cli.search.filters import Filter
from tests.support.indexes import index_of
from tests.support.workspaces import BANDS, WORKSPACES, clock

IDS = ["acme-deploy", "staging-database", "grace", "standup", "tickets-still-open", "notes"]


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("acme-deply", "acme-deploy"),
        ("deploy", "acme-deploy"),
        ("Staging Database", "staging-database"),
        ("gracie", "grace"),
    ],
)
def test_the_nearest_id_comes_first(wrong: str, meant: str) -> None:
    assert nearest(wrong, IDS)[0] == meant


@pytest.mark.parametrize(
    "wrong", ["", "zzzzqqqq", "\udcff\udcfe", "-", "x" * 100_000, "dup", "nope"]
)
def test_nothing_is_suggested_where_nothing_is_like_it(wrong: str) -> None:
    assert nearest(wrong, IDS) == []  # letters in common are not enough


def test_the_second_of_two_equal_ids_is_found_by_its_key() -> None:
    document = index_of("## A\n→ a.md\n<!-- hx: id=x -->\n\n## B\n→ b.md\n<!-- hx: id=x -->\n")
    assert find(document, "x~2").entry.topic == "B"


def test_an_empty_index_suggests_nothing() -> None:
    with pytest.raises(EntryNotFound) as caught:
        find(index_of(""), "x")
    assert caught.value.message == "no entry with the id 'x'"


DOCUMENT = parse((WORKSPACES / "acme/HIPPOCAMPUS.md").read_text(encoding="utf-8"))
ALL = ["acme-deploy", "staging-database", "grace", "standup", "old-office-wifi"]


def chosen(**conditions: Any) -> list[str]:
    files = {name: conditions.pop(name) for name in Filter._fields if name in conditions}
    found = choose(DOCUMENT.entries, clock(DOCUMENT), BANDS, Filter(**files), **conditions)
    return [one.id for one in found]


def test_without_conditions_every_entry_is_listed_as_filed() -> None:
    assert chosen() == ALL


@pytest.mark.parametrize(
    ("conditions", "ids"),
    [
        ({"tags": frozenset({"deploy", "people"})}, ["acme-deploy", "grace"]),
        ({"pri": frozenset({"low"})}, ["grace", "old-office-wifi"]),
        ({"band": frozenset({"silent", "decaying"})}, ["standup", "old-office-wifi"]),
        ({"kinds": frozenset({"daily"})}, ["grace", "standup"]),
        ({"paths": ("projects/*",)}, ["acme-deploy"]),
        ({"paths": ("memory/", "!memory/wifi.md")}, ["grace", "standup"]),
        ({"since": date(2026, 1, 5)}, ["acme-deploy", "grace"]),
        ({"until": date(2025, 12, 31)}, ["standup", "old-office-wifi"]),
        ({"since": date(2025, 11, 3), "until": date(2025, 11, 3)}, ["standup"]),
        ({"kinds": frozenset({"daily"}), "tags": frozenset({"deploy"})}, []),
    ],
)
def test_each_condition_keeps_what_meets_it(conditions: dict[str, Any], ids: list[str]) -> None:
    assert chosen(**conditions) == ids


@pytest.mark.parametrize(
    ("sort", "ids"),
    [
        ("strength", ["acme-deploy", "staging-database", "grace", "standup", "old-office-wifi"]),
        ("hits", ["acme-deploy", "staging-database", "old-office-wifi", "grace", "standup"]),
        ("age", ["grace", "acme-deploy", "staging-database", "standup", "old-office-wifi"]),
        ("topic", ["acme-deploy", "grace", "old-office-wifi", "staging-database", "standup"]),
        ("file", ALL),
    ],
)
def test_each_order_and_its_reverse(sort: str, ids: list[str]) -> None:
    states = choose(DOCUMENT.entries, clock(DOCUMENT), BANDS, Filter())
    assert [one.id for one in order(states, sort)] == ids
    assert [one.id for one in order(states, sort, reverse=True)] == ids[::-1]


def test_every_order_holds_entries_without_any_metadata() -> None:
    document = parse("- A → a.md\n- B → ../x.md\n- C → \\\\server\\x.md §Y\n")
    states = choose(document.entries, clock(document), BANDS, Filter())
    for sort in SORTS:
        assert {one.id for one in order(states, sort)} == {"a", "b", "c"}
    assert [one.bare for one in states] == [True] * 3
    since = Filter(since=date(2000, 1, 1))
    assert choose(document.entries, clock(document), BANDS, since) == []
