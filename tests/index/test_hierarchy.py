"""The index over several files: one home an entry, unique keys, and moves that keep every byte of a block."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Index as IndexSettings
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy, archive_file, new_file, topic_file
from hippocampus_cli.index.parse import parse
from tests.support.indexes import index_of
from tests.support.topic_files import JULY, TOPIC, block, master


def test_one_file_is_the_usual_case() -> None:
    index = index_of(master("a", "b"))
    assert [one.key for one in index.entries] == ["a", "b"]
    assert {one.file for one in index.entries} == {MASTER}
    assert not index.beyond


def test_entries_of_topic_files_come_after_the_masters_and_have_keys_of_their_own() -> None:
    index = Hierarchy({MASTER: parse(master("a", "b")), TOPIC: parse(master("b", "c"))})
    assert [(one.key, one.file) for one in index.entries] == [
        *(("a", MASTER), ("b", MASTER), ("b~2", TOPIC), ("c", TOPIC))
    ]
    changed = index.set_values({"b~2": {"hits": "9"}})
    assert changed.by_key["b~2"].entry.hits == 9
    assert changed.by_key["b"].entry.hits == 1
    assert changed.master is index.master


def test_the_archive_does_not_live_and_its_ids_are_taken() -> None:
    index = Hierarchy({MASTER: parse(master("a")), JULY: parse(master("a", "z"))})
    assert index.ids == {"a"}
    assert [one.key for one in index.archived] == ["a~2", "z"]
    assert {"a", "z", "a~2"} <= index.taken


def test_a_merged_id_stands_for_the_entry_that_took_it_in() -> None:
    index = index_of(block("a", " | aka=old,older") + "\n" + block("older"))
    assert index.find("old") is index.by_key["a"]
    assert index.find("older") is index.by_key["older"]
    assert index.find("oldest") is None


def test_an_entry_moves_to_a_new_topic_file_and_back_with_every_byte_of_its_block() -> None:
    before = index_of(master("a", "b", "c"))
    section = ("By Topic", "Projects")
    moved = before.moved(["b"], section, topic_file(section))
    assert list(moved.topics) == [TOPIC]
    assert moved.by_key["b"].section == section
    assert moved.by_key["b"].entry.raw.strip() == before.by_key["b"].entry.raw.strip()
    assert "My own words." in moved.master.text
    back = moved.moved(["b"], section)
    assert back.by_key["b"].entry.raw.strip() == before.by_key["b"].entry.raw.strip()
    assert back.topics[TOPIC].text.startswith(new_file(TOPIC).text)


def test_moving_no_entries_makes_no_file_and_no_section() -> None:
    index = index_of(master("a"))
    assert index.moved([], (), JULY) == index
    assert index.moved([], ("Nowhere",)) == index


def test_headers_count_the_entries_of_their_own_file() -> None:
    section = ("By Topic", "Projects")
    index = index_of(master("a", "b", "c")).moved(["b"], section, TOPIC).counted("2026-08-01T09:00")
    assert "entries: 2 | reindexed: 2026-08-01T09:00" in index.master.text
    assert "entries: 1" in index.topics[TOPIC].text.splitlines()[0]


def test_the_files_of_topics_and_months() -> None:
    assert topic_file(("By Topic", "Technical Knowledge")).endswith("topics/technical-knowledge.md")
    assert topic_file(()).endswith("topics/other.md")
    assert topic_file(("../../etc",)).endswith("topics/etc.md")
    assert archive_file("2026-07") == JULY


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["", TOPIC, JULY])), max_size=8))
def test_no_sequence_of_moves_loses_an_entry_or_a_line_of_prose(
    moves: list[tuple[str, str]],
) -> None:
    index = index_of(master(*"abcd"))
    for key, path in moves:
        section = () if path == JULY else ("By Topic", "Projects")
        index = index.moved([key], section, path or MASTER)
        assert sorted(index.by_key) == ["a", "b", "c", "d"]
        assert all(parse(text) == index.files[name] for name, text in index.texts.items())
    assert "My own words." in index.master.text


@pytest.mark.parametrize(
    ("sharded", "sizes", "budget"),
    [
        (False, IndexSettings(), 15_000),
        (True, IndexSettings(), 6_000),
        (True, IndexSettings(max_tokens=2_000), 2_000),
        (False, IndexSettings(max_tokens=2_000), 2_000),
    ],
)
def test_the_budget_of_the_master(sharded: bool, sizes: IndexSettings, budget: int) -> None:
    entries = parse("# Topic\n\n## One\n→ a.md\n<!-- hx: id=one -->\n")
    topics = {".hippocampus/topics/one.md": entries} if sharded else {}
    assert Hierarchy({MASTER: parse("# Index\n"), **topics}).budget(sizes) == budget
