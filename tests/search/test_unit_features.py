"""What a unit is like: its label, and whether it asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.unit_features import LABEL_SHIFT, QUESTION, traits_of
from hippocampus_cli.text.tokenizer import stem_text

LONGEST = 255  # characters of a label's stems that the traits have room for


def label_of(text: str) -> str:
    """The stems of the unit ``text`` that are its label."""
    stems = stem_text(text)
    return stems[: traits_of(text, stems) >> LABEL_SHIFT]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("- Ada: on call", "ada"),
        ("* Ada: on call", "ada"),
        ("• Ada: on call", "ada"),
        ("  - Ada: on call", "ada"),
        ("Ada: on call", "ada"),
        ("- Ada's phone: 12", "ada phone"),
        ("- Café (north): open", "cafe north"),
        ("- **Ada:** on call", "ada"),
        ("- **Ada**: on call", "ada"),
        ("__Ines:__ on call", "ine"),
        ("- **Deploy** with care", "deploy"),
        ("- Deploy:\n  - never on Friday", "deploy"),
        ("| heron | 1883 |", "heron"),
        ("| mail server | 25 |", "mail server"),
        ("    key: value", "key"),
        ("- 東京: 晴れ", "東 東京 京"),
        ("Q: why?", "q"),
        ("- [x] Deploy: done", "x deploy"),
        ("- [ ] Deploy: open", "deploy"),
        ("1. Deploy: now", "1 deploy"),
        ("12) Deploy: now", "12 deploy"),
        ("see: http://example.org/", "see"),
        ("- 東京：晴れ", "東 東京 京"),
        ("東京： 晴れ", "東 東京 京"),
        ("- **東京：**晴れ", "東 東京 京"),
        ("- **東京**：晴れ", "東 東京 京"),
        ("1. 東京（北）：晴れ", "1 東 東京 京 北"),
        ("- Deploy：金曜日は禁止", "deploy"),
        ("- ポート10：予備", stem_text("ポート10")),
        ("山田：10時から", stem_text("山田")),
    ],
)
def test_what_stands_before_a_colon_or_in_the_first_cell_is_a_label(text: str, label: str) -> None:
    assert label_of(text) == label


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ":", "- : x", "-", "|", "||", "|  | 1 |", "|---|---|", "plain words", "Deploy:"),
        *("https://example.org/a b", "http://example.org: down", "ftp://x"),
        *("10:30 standup", "- 10:30: standup", "at 10:30 sharp", "key:value", "a::b"),
        *("`code: x`", "{code: x}", "Mr. X: hi", "Done! Next: x", "Really? Yes: x"),
        "one two three four five: x",  # a sentence, no label
        *(
            "：晴れ",
            "- ：晴れ",
            "東京：",
            "10：30 開会",
            "- 10：30開会",
            "終わり。次：晴れ",
            "本当？次：晴れ",
        ),
        "今日は天気がとても良いので散歩に行きました：楽しかった",  # a sentence too
        "- **a b c d e:** x",
        "| a b c d e | x |",
        "a" * 42 + ": x",
        "- she said it again and again and then at last: no",
    ],
)
def test_what_is_no_label(text: str) -> None:
    assert label_of(text) == ""


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("who is on call?", True),
        ("who is on call?  \n", True),
        ("look at this? [shares a photo: a kiln]", True),
        ("is it? yes", False),
        ("a [b]", False),
        ("]", False),
        ("", False),
    ],
)
def test_what_asks_is_known(text: str, asks: bool) -> None:
    assert bool(traits_of(text, stem_text(text)) & QUESTION) is asks


@given(st.text() | st.text(alphabet="ab1 -*:：|_.?[]()\n東é\t", max_size=80))
def test_of_any_text(text: str) -> None:
    stems = stem_text(text)
    traits = traits_of(text, stems)
    label = traits >> LABEL_SHIFT
    assert 0 <= label <= min(LONGEST, len(stems))
    assert f"{stems} "[label] == " " or not label  # it ends with a whole stem
    assert traits == traits_of(text, stems)


def test_a_long_label_is_none_rather_than_a_wrong_one() -> None:
    wide = "東" * 60
    assert label_of(f"| {wide} | 1 |") in ("", stem_text(wide))
    traits = traits_of(f"| {wide} | 1 |", stem_text(f"| {wide} | 1 |"))
    assert traits < 1 << 32  # four bytes hold it


def test_an_endless_line_is_read_in_no_time() -> None:
    for text in ("a" * 200_000, "a " * 100_000, "- **" * 50_000, "|" * 200_000, " " * 200_000):
        assert traits_of(text, "a") >> LABEL_SHIFT <= LONGEST
