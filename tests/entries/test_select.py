from __future__ import annotations

import pytest

from hippocampus_cli.entries.select import find, nearest
from hippocampus_cli.errors import EntryNotFound
from tests.index.whole import index_of

IDS = ["acme-deploy", "staging-database", "grace", "standup"]


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


@pytest.mark.parametrize("wrong", ["", "zzzzqqqq", "\udcff\udcfe", "-", "x" * 100_000])
def test_nothing_is_suggested_where_nothing_is_like_it(wrong: str) -> None:
    assert nearest(wrong, IDS) == []


def test_the_second_of_two_equal_ids_is_found_by_its_key() -> None:
    document = index_of("## A\n→ a.md\n<!-- hx: id=x -->\n\n## B\n→ b.md\n<!-- hx: id=x -->\n")
    assert find(document, "x~2").entry.topic == "B"


def test_an_empty_index_suggests_nothing() -> None:
    with pytest.raises(EntryNotFound) as caught:
        find(index_of(""), "x")
    assert caught.value.message == "no entry with the id 'x'"
