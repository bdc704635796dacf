"""Words as they are written, and what they have in common with others."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.text import tokenizer
from hippocampus_cli.text.terms import terms
from hippocampus_cli.text.tokenizer import words_of
from tests.support.passage_store import ask, store_of


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("we deployed it", "deploying"),
        ("node.js", "nodejs"),
        ("node.js", "node"),
        ("foo_bar", "fooBar"),
        ("foo-bar", "foo_bar"),
        ("the GitHub page", "github"),
        ("projects/acme.ai/PROJECT.md", "acme"),
        ("https://example.org/deep/path", "path"),
        ("bob@example.com", "bob"),
        ("5GB", "5 gb"),
        ("C++ and C#", "c#"),
        ("Caroline's cat", "Caroline"),
        ("Caroline’s cat", "caroline"),
        ("I don’t know", "don't"),
        ("a café", "CAFE"),
        ("cafe\u0301", "café"),
        ("ﬁle", "file"),
        ("Straße", "STRASSE"),
        ("東京タワーに行った", "東京タワー"),
        ("한국어로", "한국어"),
        ("हिन्दी में", "हिन्दी"),
        ("Москва", "москва"),
        ("e-mail", "email"),
    ],
)
def test_what_is_asked_meets_what_is_written(written: str, asked: str) -> None:
    whole, *parts = terms(asked)
    assert whole in terms(written) or (parts and set(parts) <= set(terms(written)))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_the_short_way_finds_the_same_words(text: str) -> None:
    composed = normalize("NFKC", text)
    assert words_of(text) == tokenizer._ANY_WORDS.findall(composed) or text.isascii()


@given(st.text(st.characters(codec="ascii", exclude_characters="#"), max_size=40))
def test_words_are_the_same_whatever_stands_beside_them(text: str) -> None:
    plain = text.replace("++", "+")
    assert words_of(f"{plain} C#") == [*words_of(plain), "C#"]


def test_invalid_bytes_are_no_part_of_a_word() -> None:
    assert words_of("caf\udce9 caf\udce9bar") == ["caf", "caf", "bar"]


LINES = {
    "hana": "Hana Okabe (岡部 花) draws the cards.",
    "wrap": "禁則処理 keeps 「。」 off the start of a line.",
    "plankton": "プランクトンの調査は月曜日です。",
    "half": "ﾌﾞｲの電池を交換した。",
    "seoul": "서울에서 회의를 했다. 한국어로 말했다.",
    "thai": "ประชุมที่กรุงเทพวันศุกร์",
    "chinese": "模具在深圳制造。",
    "latin": "Ｇａｎｎｅｔ 2.0 is out.",
    "rocket": "Shipped at last 🚀 and slept.",
    "flag": "The pilot in Japan 🇯🇵 begins.",
    "tone": "Pip says 👍🏽 to it.",
    "heart": "Thanks ❤️ from Lotte.",
}


NOTES = {f"{name}.md": f"- {line}\n" for name, line in LINES.items()}


NOTES["b.md"] = "# 🎂 Birthdays\n\nLotte in March.\n\n# Denmark\n\nThe flag there is 🇩🇰, not 🇯🇪.\n"


@pytest.fixture(scope="module")
def store() -> PassageStore:
    return store_of(NOTES)


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        *(("岡部 花", "hana"), ("岡部花", "hana"), ("花", "hana"), ("岡", "hana")),
        *(("禁則処理", "wrap"), ("禁則", "wrap"), ("則", "wrap"), ("処", "wrap")),
        *(
            ("プランクトン", "plankton"),
            ("ﾌﾟﾗﾝｸﾄﾝ", "plankton"),
            ("月曜日", "plankton"),
            ("月", "plankton"),
        ),
        *(("ブイ", "half"), ("ﾌﾞｲ", "half"), ("電池", "half")),
        *(("서울", "seoul"), ("서울은", "seoul"), ("한국어", "seoul"), ("회의", "seoul")),
        *(("กรุงเทพ", "thai"), ("วันศุกร์", "thai")),
        *(("深圳", "chinese"), ("模", "chinese"), ("gannet", "latin"), ("Ｇａｎｎｅｔ", "latin")),
        *(
            ("🚀", "rocket"),
            ("🇯🇵", "flag"),
            ("👍", "tone"),
            ("👍🏻", "tone"),
            ("❤", "heart"),
            ("❤️", "heart"),
        ),
    ],
)
def test_what_is_asked_finds_its_line(store: PassageStore, asked: str, line: str) -> None:
    assert ask(store, asked).hits[0].place.path == f"{line}.md"


def test_an_emoji_finds_the_heading_that_has_it(store: PassageStore) -> None:
    [hit] = ask(store, "🎂").hits
    assert (hit.place.headings, hit.coverage) == ("🎂 Birthdays", 1.0)


@pytest.mark.parametrize("asked", ["鮭", "🎉", "부산", "พัทยา", "🇩🇪"])
def test_what_is_nowhere_is_not_found(store: PassageStore, asked: str) -> None:
    assert not any(hit.coverage > 0.4 for hit in ask(store, asked).hits)


@pytest.mark.parametrize(
    ("word", "pairs"), [("東京都", ["東京", "京都"]), ("花", ["花"]), ("花火", ["花火"])]
)
def test_pairs_are_looked_for_rather_than_characters(word: str, pairs: list[str]) -> None:
    assert terms(word) == pairs
