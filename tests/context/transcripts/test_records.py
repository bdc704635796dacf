from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.context.transcripts.records import (
    RecordSpan,
    lines_of_document,
    parse,
    read_lines,
)
from hippocampus_cli.context.transcripts.window import Turn, branch_to

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
OBJECTS = st.lists(st.dictionaries(TEXTS, st.one_of(TEXTS, st.integers(), st.none())), max_size=8)


def lines(data: bytes, largest: int = 10_000) -> tuple[list[tuple[RecordSpan, Any]], list[int]]:
    damage: list[int] = []
    return list(read_lines(io.BytesIO(data), damage, largest)), damage


def array(text: str) -> tuple[list[Any], list[int]]:
    damage: list[int] = []
    made = lines_of_document(text.encode("utf-8", "surrogateescape"))
    return [value for _, value in read_lines(io.BytesIO(made), damage)], damage


def test_a_span_leads_back_to_its_record() -> None:
    data = '\ufeff{"a":"ü"}\r\n\n{"b":2}'.encode()
    found, damage = lines(data)
    assert [value for _, value in found] == [{"a": "ü"}, {"b": 2}]
    assert [span.line for span, _ in found] == [1, 3]
    assert [parse(data[s.offset : s.offset + s.length]) for s, _ in found] == [{"a": "ü"}, {"b": 2}]
    assert damage == []


@pytest.mark.parametrize(
    "broken",
    [
        b'{"a":',
        b"not json",
        b"[1]",
        b"null",
        b"7",
        b"\xff\xfe\x00",
        b'{"a":' * 100_000,
        b'{"n":' + b"9" * 10_000 + b"}",
    ],
    ids=["cut", "words", "array", "null", "number", "bytes", "deep", "huge number"],
)
def test_a_broken_line_is_counted_and_passed_over(broken: bytes) -> None:
    found, damage = lines(b'{"a":1}\n' + broken + b'\n{"b":2}\n', 10_000_000)
    assert [value for _, value in found] == [{"a": 1}, {"b": 2}]
    assert damage == [2]


def test_bytes_that_are_no_utf8_survive() -> None:
    found, _ = lines(b'{"a":"\xff"}\n')
    assert found[0][1] == {"a": "\udcff"}


def test_a_line_beyond_the_limit_is_passed_over_without_being_held() -> None:
    found, damage = lines(b'{"a":1}\n{"b":"' + b"x" * 5_000_000 + b'"}\n{"c":3}\n', 100)
    assert [(span.line, value) for span, value in found] == [(1, {"a": 1}), (3, {"c": 3})]
    assert damage == [2]


def test_a_line_of_ten_megabytes_is_read() -> None:
    long = json.dumps({"text": "x" * 10_000_000}).encode()
    found, damage = lines(long + b"\n", 64_000_000)
    assert len(found[0][1]["text"]) == 10_000_000
    assert not damage


@given(OBJECTS, st.sampled_from([None, 2]), st.booleans())
def test_an_array_is_read_element_by_element_whatever_its_layout(
    values: list[dict[str, Any]], indent: int | None, wrapped: bool
) -> None:
    document = {"model": "m", "messages": values} if wrapped else values
    assert array(json.dumps(document, indent=indent, ensure_ascii=False)) == (values, [])


def test_an_element_that_is_no_object_is_a_broken_line() -> None:
    values, damage = array('[1, "x", null, {"a":1}, 23]')
    assert (values, damage) == ([{"a": 1}], [1, 2, 3, 5])


@pytest.mark.parametrize("text", ['[{"a":1},{"b":', '[{"a":1},nope]', "[" * 100_000])
def test_a_document_that_breaks_off_is_none(text: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        array(text)


def node(line: int, identity: str, parent: str | None) -> Turn:
    return Turn(identity, (), parent=parent, span=RecordSpan(line, line * 10, 10))


@pytest.mark.parametrize(
    ("nodes", "broken", "way"),
    [
        ([(1, "a", None), (2, "b", "a"), (3, "c", "a"), (4, "d", "c")], [], "acd"),
        ([(1, "a", "c"), (2, "b", "a"), (3, "c", "b")], [], "abc"),
        ([(1, "a", "a")], [], "a"),
        ([(1, "a", None), (2, "b", "gone")], [], "b"),
        ([(1, "a", None), (3, "c", "b")], [2], "ac"),
        ([(1, "x", None), (2, "x", None), (3, "b", "x")], [], "xb"),
    ],
)
def test_the_way_from_the_leaf_to_the_root(
    nodes: list[tuple[int, str, str | None]], broken: list[int], way: str
) -> None:
    made = [node(*row) for row in nodes]
    branch = branch_to(len(made) - 1, made, broken)
    assert "".join(one.id for one in branch) == way
    assert way != "xb" or branch[0] is made[1]  # of two of the same id the later
