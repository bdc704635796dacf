"""Tools' outputs, in the shapes that Claude Code gives them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.integrations.hook_event import text_of, with_text

LONG = "line of a log\n" * 50
LINES = [f"src/module_{number}/test_something.py" for number in range(20)]


@pytest.mark.parametrize(
    ("output", "text", "after"),
    [
        (
            {"stdout": LONG, "stderr": "", "interrupted": False, "isImage": False},
            LONG,
            {"stdout": "E", "stderr": "", "interrupted": False, "isImage": False},
        ),
        ({"stdout": LONG, "stderr": LONG}, f"{LONG}\n{LONG}", {"stdout": "E", "stderr": ""}),
        ({"filenames": LINES, "numFiles": 20}, "\n".join(LINES), {"filenames": ["E"], "numFiles": 20}),
        (
            [{"type": "text", "text": LONG}, {"type": "text", "text": "short"}],
            LONG,
            [{"type": "text", "text": "E"}, {"type": "text", "text": "short"}],
        ),
        (LONG, LONG, "E"),
        ({"stdout": LONG, "persistedOutputPath": "/tmp/x", "persistedOutputSize": 9}, LONG, {"stdout": "E"}),
        ({"type": "image", "source": {"data": LONG}}, "", {"type": "image", "source": {"data": LONG}}),
        ({"file": {"base64": LONG, "type": "image/png"}}, "", {"file": {"base64": LONG, "type": "image/png"}}),
        (None, "", None),
        (3, "", 3),
    ],
)  # fmt: skip
def test_the_text_changes_and_the_shape_does_not(output: Any, text: str, after: Any) -> None:
    assert text_of(output) == text
    assert with_text(output, "E") == after


def shape(value: Any) -> Any:
    """What a value is, without what it says; lists of lines may have any length."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            return "lines"
        return [shape(part) for part in value]
    return type(value)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5) | st.just(LONG),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["a", "b", "data", "text"]), inner, max_size=3)
        ),
    )
)
def test_any_output_keeps_its_shape_and_its_short_texts(output: Any) -> None:
    after = with_text(output, "E")
    assert shape(after) == shape(output)
    assert text_of(after) == ""
    if not text_of(output):
        assert after == output
