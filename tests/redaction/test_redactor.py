"""Spans out, placeholders in, on as many lines as before."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.redaction.phrases import ForgottenText, Hashes, runs_of, tiles_of, words_of
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


SALT = bytes(range(16))


def redactor(*texts: str) -> Redactor:
    hashes = Hashes(SALT)
    return Redactor([hashes.matcher(hashes.phrase(row) for text in texts for row in runs_of(text))])


@pytest.mark.parametrize(
    "text",
    [
        "the code is sk-live-4815 Zürich now",
        "SK-LIVE-4815, ZÜRICH",
        "sk-live-4815-zurich",
        "sk live\n> 4815 Zu\u0308rich",
        json.dumps("sk-live-4815\nZürich"),
        "sk%2Dlive%2D4815%20Zurich",
        "sk&amp;live &#39;4815&#39; Zürich",
        r"sk\nlive\t4815 Z\u00fcrich",
    ],
)
def test_a_phrase_is_found_however_it_is_written(text: str) -> None:
    redacted = redactor("sk-live-4815 Zürich").redact(text)
    assert "[redacted:forgotten]" in redacted
    assert "4815" not in redacted


def test_what_is_not_the_phrase_stays() -> None:
    text = "sk live 4816 Zürich; live sk 4815 Zürich; 4815 and Zürich"
    assert redactor("sk-live-4815 Zürich").redact(text) == text


def test_half_of_a_long_text_is_enough_and_so_is_its_key() -> None:
    known = redactor("the vault in the cellar opens with Xq77Rz4kk and a twist")
    assert "Xq77" not in known.redact("tags=vault,xq77rz4kk")
    assert known.redact("The vault in the cellar opens…") == "[redacted:forgotten]…"
    assert known.redact("in the cellar") == "in the cellar"


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=30))
def test_the_whole_of_a_text_is_covered_by_its_rows(words: list[str]) -> None:
    text = " ".join(words)
    spans = redactor(text).spans(text)
    assert spans[0].start == 0
    assert max(span.end for span in spans) == len(text)
    assert words_of(redactor(text).redact(text).replace("[redacted:forgotten]", "")) == []


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=40))
def test_the_tiles_of_a_line_leave_no_word_out(words: list[str]) -> None:
    covered = {form for row in tiles_of(" ".join(words)) for form in row}
    assert covered == set(words)


def test_chinese_is_found_within_a_sentence() -> None:
    assert redactor("甲乙丙丁").redact("我的密码是甲乙丙丁。") == "我的密码是[redacted:forgotten]。"


def test_what_a_needle_meets_is_known_afterwards() -> None:
    needle = ForgottenText("unter2")
    assert Redactor([needle]).redact("my hunter22 key") == "my [redacted:forgotten] key"
    assert ("hunter22",) in needle.rows
    cut = ForgottenText("correct horse battery staple")
    list(cut("admin pass is correct horse… and tags=battery,correct,staple"))
    assert {("correct", "horse"), ("battery", "correct", "staple")} <= cut.rows


@pytest.mark.parametrize(
    ("forgotten", "other"),
    [
        ("Party on Friday", "Standup is on Friday at ten"),
        ("root2@harbour.social", "deploy@harbour.social"),
        ("password is hunter", "The password is in the vault"),
        ("8443", "Tests run on 18443"),
    ],
)
def test_what_shares_words_with_a_forgotten_text_stays(forgotten: str, other: str) -> None:
    assert not [*ForgottenText(forgotten)(other)]


def test_words_of_letters_alone_are_no_part_of_longer_words() -> None:
    assert Redactor([ForgottenText("Max")]).redact("Maximum for Max's leg, max: 3") == (
        "Maximum for [redacted:forgotten]'s leg, [redacted:forgotten]: 3"
    )
    needle = ForgottenText("castle")
    assert (
        Redactor([needle]).redact("Newcastle has a castle")
        == "Newcastle has a [redacted:forgotten]"
    )
    assert needle.rows == {("castle",)}


def test_a_needle_is_found_across_lines() -> None:
    spans = ForgottenText("MIIEpAIBAAKC").whole("MIIEpA\n  IBAAKC")
    assert [(one.start, one.end) for one in spans] == [(0, 15)]
