"""The table by which two versions of a field become one, and entries that a merge left in two files."""

from __future__ import annotations

import pytest

from hippocampus_cli.index.archive import Why, retired
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.merge import rejoin
from hippocampus_cli.index.merge_entry import keep_both, keep_ours, merge_value
from hippocampus_cli.index.parse import parse
from tests.support.branches import BASE, NOW, hit, merged
from tests.support.indexes import index_of

TOPIC = ".hippocampus/topics/projects.md"


def test_moved_to_a_topic_file_and_used_on_both_branches() -> None:
    used = index_of(hit(parse(BASE), "a", 3).text)
    moved = used.moved(["a"], ("By Topic", "Projects"), TOPIC)
    used = hit(hit(parse(BASE), "a", 1), "a", 2).text
    master = parse(merged(BASE, used, moved.master.text).text)
    split = Hierarchy({MASTER: master, **moved.topics})
    whole = rejoin(split, archive=False)
    (one,) = [located for located in whole.entries if located.entry.id == "a"]
    assert (one.file, one.entry.hits) == ("HIPPOCAMPUS.md", 2 + 1 + 2)
    assert "split" not in one.entry.values
    assert rejoin(whole, archive=True) == whole


def test_archived_and_used() -> None:
    archived = retired(index_of(BASE), {"a": {}}, Why.SILENT, NOW.date())
    master = parse(merged(BASE, archived.master.text, hit(parse(BASE), "a").text).text)
    alone = index_of(master.text)  # what the archive holds is not known
    assert rejoin(alone, archive=False) == alone
    whole = rejoin(Hierarchy({MASTER: master, **archived.archive}), archive=True)
    assert [one.key for one in whole.archived] == [] and whole.by_key["a"].entry.hits == 3
    assert not {"split", "archived", "why", "home"} & whole.by_key["a"].entry.values.keys()


def test_removed_by_hand_and_used_stays() -> None:
    index = index_of(BASE.replace("hits=2", "hits=3 | split=2"))
    whole = rejoin(index, archive=True)
    assert whole.master.text == BASE.replace("hits=2", "hits=3")


@pytest.mark.parametrize(
    ("key", "base", "ours", "theirs", "branches", "rebase"),
    [
        ("tags", "a", "a", "b", "b", "b"),  # only theirs changed it
        ("tags", "a", "b", "a", "b", "b"),  # only ours
        ("tags", "a,b", "a,b,c", "b,d", "b,c,d", "b,c,d"),
        ("hits", "2", "3", "3", "4", "4"),  # the same count on both is two uses
        ("hits", "4", "3", "6", "5", "5"),
        ("hits", "5", "0", "1", "0", "0"),
        ("accessed", "2026-06-01", "2026-06-03", "2026-06-02", "2026-06-03", "2026-06-03"),
        ("accessed", "2026-06-01", "2026-06-02", "2026-06-03", "2026-06-03", "2026-06-02"),
        ("created", "", "2026-06-02", "2026-06-01", "2026-06-01", "2026-06-02"),
        ("pri", "", "low", "high", "high", "low"),
        ("pri", "high", "", "amygdala", "amygdala", ""),
        ("colour", "", "red", "blue", None, "red"),  # both cannot hold
        ("colour", "", "red", "", "red", "red"),
        ("colour", "red", "", "red", "", ""),  # ours took it away
    ],
)
def test_what_becomes_of_a_field(
    key: str, base: str, ours: str, theirs: str, branches: str | None, rebase: str
) -> None:
    assert merge_value(key, base, ours, theirs, keep_both) == branches
    assert merge_value(key, base, ours, theirs, keep_ours) == rebase


def test_a_field_that_only_the_moved_one_has_comes_along() -> None:
    moved = index_of(BASE.replace("hits=0 | str=1.00", "hits=0 | str=1.00 | src=manual"))
    split = parse(BASE.replace("hits=0 | str=1.00", "hits=1 | str=1.00 | split=0"))
    index = Hierarchy({MASTER: split, **moved.moved(["b"], ("By Topic", "Projects"), TOPIC).topics})
    values = rejoin(index, archive=False).by_key["b"].entry.values
    assert (values["hits"], values["src"], "split" in values) == ("1", "manual", False)
