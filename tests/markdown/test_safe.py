from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.safe import safe, safe_json, safe_line

any_text = st.text(st.characters(codec=None))


@given(any_text)
def test_nothing_that_a_terminal_acts_on_is_left(text: str) -> None:
    shown = safe(text)
    shown.encode()
    assert not [char for char in shown if unicodedata.category(char) == "Cc" and char not in "\t\n"]
    assert not set(shown) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029"
    )


def test_marks_and_spaces_that_nobody_sees_are_shown_and_joiners_stay() -> None:
    assert safe("a\u200bb\u200ec\u200fd\u2060") == "a<U+200B>b<U+200E>c<U+200F>d<U+2060>"
    assert safe("a\u200cb\u200dc") == "a\u200cb\u200dc"


@given(any_text)
def test_safe_text_is_safe_already(text: str) -> None:
    assert safe(safe(text)) == safe(text)


@given(any_text)
def test_one_line_stays_one_line(text: str) -> None:
    assert len(safe_line(text).splitlines()) <= 1


@given(st.recursive(any_text, lambda inner: st.lists(inner) | st.dictionaries(any_text, inner)))
def test_a_json_document_keeps_its_meaning_but_for_lone_surrogates(value: object) -> None:
    document = safe_json(json.dumps(value, ensure_ascii=False))
    assert safe(document) == document
    plain = json.dumps(value)
    if "\\ud" not in plain:
        assert json.loads(document) == value


def test_a_byte_that_is_no_utf8_is_spelled_in_a_document_that_strict_readers_take() -> None:
    value = {"path": 'lat\udcff"na\\me.md', "unread": ["\udc80.md"], "text": "half \ud83d"}
    document = safe_json(json.dumps(value, ensure_ascii=False)).encode()
    spelled = {"path": 'lat%FF"na\\me.md', "unread": ["%80.md"], "text": "half \ufffd"}
    assert json.loads(document) == spelled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, grün, 海馬, 🦛", "plain, grün, 海馬, 🦛"),
        ("a\tb\r\nc\n", "a\tb\nc\n"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("over\rwritten", "over␍written"),
        ("\x9b31m\x7f", "<U+009B>31m␡"),
        ("abc\u202edcb", "abc<U+202E>dcb"),
        ("bad \udcff byte", "bad %FF byte"),
        ("half \ud83d", "half \ufffd"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert safe(text) == shown
