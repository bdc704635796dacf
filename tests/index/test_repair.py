"""What is put right without a decision, and that no line of a person's is lost by it."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest
from hypothesis import given

from hippocampus_cli.index import checks
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.repair import repair
from hippocampus_cli.markdown.lines import split_lines
from tests.support.documents import TEXTS
from tests.support.indexes import index_of
from tests.support.topic_files import TOPIC, master


def codes(index: Hierarchy) -> set[str]:
    found = (checks.check(one, date(2026, 8, 1), one.ids) for one in index.files.values())
    return {one.code for part in found for one in part}


def fix(text: str) -> tuple[str, list[tuple[str, str]]]:
    index, done = repair(index_of(text))
    return index.master.text, [(one.code, one.key) for one in done]


def test_a_header_that_counts_wrong() -> None:
    wrong = master("a", "b").replace("entries: 2", "entries: 7")
    assert fix(wrong) == (master("a", "b"), [("entry-count", "HIPPOCAMPUS.md")])


def test_the_second_of_two_ids_gets_a_new_one() -> None:
    twice = master("a", "b").replace("id=b", "id=a")
    text, done = fix(twice)
    assert text == twice.replace("id=a", "id=a-2").replace("id=a-2", "id=a", 1)
    assert done == [("duplicate-id", "a-2")]


def test_ids_are_told_apart_between_files_too() -> None:
    index = Hierarchy({MASTER: parse(master("a", "a-2")), TOPIC: parse(master("a"))})
    after, done = repair(index)
    assert [(one.path, one.key) for one in done] == [(TOPIC, "a-3")]
    assert after.ids == {"a", "a-2", "a-3"}


@pytest.mark.parametrize("nl", ["\n", "\r\n"])
def test_a_comment_of_which_only_the_end_is_missing(nl: str) -> None:
    text = master("a", "b").replace("id=a | hits=1 -->", "id=a | hits=1").replace("\n", nl)
    after, done = fix(text)
    assert after == master("a", "b").replace("\n", nl)
    assert done == [("unclosed-hx", "a")]


@pytest.mark.parametrize(
    "rest", ["id=a | hits=", "id=a | hits", "id=a | hits=1 | and words", "id=a | accessed=2"]
)
def test_a_comment_that_breaks_off_in_a_field_is_left(rest: str) -> None:
    text = f"## A\n→ a.md\n<!-- hx: {rest}\n\n## Next\n"
    assert fix(text) == (text, [])


@given(TEXTS)
def test_nothing_of_a_persons_text_is_lost_and_a_second_time_nothing_is_done(text: str) -> None:
    before = index_of(text)
    after, done = repair(before)
    again, none = repair(after)
    assert (again.texts, none) == (after.texts, [])
    assert (after.texts == before.texts) == (not done)
    changed = {"unclosed-hx", "duplicate-id", "entry-count"}
    touched = sum(one.code in changed for one in done)
    lines = Counter(line.strip() for line in split_lines(text) if line.strip())
    there = Counter(line.strip() for line in split_lines(after.master.text) if line.strip())
    assert (lines - there).total() <= touched
    assert after.master.text == parse(after.master.text).text
    kept = [one.entry.topic for one in before.entries]
    there_now = Counter(one.entry.topic for one in after.entries)
    assert not Counter(kept) - there_now
