"""Spans out, placeholders in, on as many lines as before."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.redaction.redactor import Redactor, Span, filled, holds_placeholder, secrets_in

PIECES = st.lists(
    st.sampled_from(
        ["password: Tulip77!x", "\n", "\r\n", "\r", "# Harbor", "-----BEGIN PRIVATE KEY-----", "é"]
    )
)


@given(PIECES)
def test_there_are_as_many_lines_as_before(pieces: list[str]) -> None:
    text = "".join(pieces)
    redacted = Redactor((secrets_in,)).redact(text)
    assert len(split_lines(redacted)) == len(split_lines(text))
    assert "Tulip77!x" not in redacted
    assert Redactor((secrets_in,)).redact(redacted) == redacted


def test_spans_that_overlap_are_one() -> None:
    redactor = Redactor((lambda _: [Span(0, 4, "one"), Span(2, 6, "two")],))
    assert redactor.redact("abcdefgh") == "[redacted:one]gh"


def test_values_of_fields_are_redacted_by_what_they_are_called() -> None:
    redactor = Redactor((secrets_in,))
    given = {"name": "harbor", "password": "Tulip77!x", "list": [{"pin": "4711"}], "size": 7}
    assert redactor.redact_all(given) == {
        "name": "harbor",
        "password": "[redacted:password]",
        "list": [{"pin": "[redacted:pin]"}],
        "size": 7,
    }


def test_a_placeholder_is_no_word() -> None:
    text = Redactor((secrets_in,)).redact("the password is Tulip77!x now")
    assert holds_placeholder(text)
    assert filled(text) == "the password is   now"
    assert not re.search("redacted", filled(text))
