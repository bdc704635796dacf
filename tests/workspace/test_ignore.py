"""Patterns of an ignore file: matched as pathspec does, in a time that no pattern can make long."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from hippocampus_cli.workspace.ignore import without_retries

_PIECES = ("*", "**/", "/**/", "/", "a", "b", "?", "[ab]", "[!a]", "ab", "**")
PATTERNS = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=9).map("".join)
PATHS = st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=6).map("/".join)


@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=8), st.sampled_from(("", "/")))
def test_the_same_paths_are_ignored(pattern: str, paths: list[str], end: str) -> None:
    (one,) = GitIgnoreSpec.from_lines([pattern]).patterns
    if one.include is None:
        return
    before = one.regex.pattern.replace(
        "[^a]", "[^/a]"
    )  # pathspec's class holds a /, git's does not
    after = without_retries(before)
    for path in paths:
        first, second = re.search(before, path + end), re.search(after, path + end)
        assert (first and first.groupdict()) == (second and second.groupdict())


@pytest.mark.parametrize("pattern", ["*a" * 24 + "*b", "**/x" * 20 + "/y", "x/**/" * 20 + "y"])
def test_no_pattern_takes_long(pattern: str) -> None:
    (one,) = GitIgnoreSpec.from_lines([pattern]).patterns
    found = re.compile(without_retries(one.regex.pattern))
    begun = time.perf_counter()
    for path in ("a" * 250, "x/" * 1_000 + "z", ("a" * 50 + "/") * 20 + "c"):
        found.search(path)
    assert time.perf_counter() - begun < 1
