"""Lines and bytes, without losing any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.lines import (
    chomp,
    decode,
    encode,
    line_ending,
    newline_of,
    split_lines,
)


@given(st.binary())
def test_bytes_come_back(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(st.text(st.characters() | st.sampled_from("\r\n\v\f\x1c\x85\u2028\u2029")))
def test_lines_come_back(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line == chomp(line) + line_ending(line) and line for line in lines)
    assert not any("\n" in chomp(line) or "\r" in chomp(line) for line in lines)


def test_only_three_things_end_a_line() -> None:
    assert split_lines("a\r\nb\rc\nd\n\re\u2028\x85\v\fe") == [
        *("a\r\n", "b\r", "c\n", "d\n", "\r", "e\u2028\x85\v\fe")
    ]
    assert split_lines("a\n\nb\x1c\u2029c\udce9\nd") == ["a\n", "\n", "b\x1c\u2029c\udce9\n", "d"]


@pytest.mark.parametrize(
    ("text", "newline"), [("", "\n"), ("a", "\n"), ("a\r\nb\n", "\r\n"), ("a\rb\n", "\r")]
)
def test_the_style_of_line_endings(text: str, newline: str) -> None:
    assert newline_of(text) == newline


def test_a_lone_surrogate_is_written_as_a_replacement() -> None:
    assert encode("a\ud800b\udce9") == b"a\xef\xbf\xbdb\xe9"
