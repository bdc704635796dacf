"""Writing without spaces, and emoji: what is asked finds the line that has it."""

from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.text.terms import terms
from tests.support.passage_store import ask, store_of

TODAY = date(2026, 5, 13)
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


@pytest.mark.parametrize("text", ['"則処"', '"花"', '"모"', '"月曜"', '"Okabe 岡部"'])
def test_a_quoted_part_of_a_run_is_found_where_it_stands(store: PassageStore, text: str) -> None:
    hits = ask(store, text).hits
    assert bool(hits) == any(text.strip('"').replace(" ", " (") in line for line in LINES.values())


@pytest.mark.parametrize("asked", ["鮭", "🎉", "부산", "พัทยา", "🇩🇪"])
def test_what_is_nowhere_is_not_found(store: PassageStore, asked: str) -> None:
    assert not any(hit.coverage > 0.4 for hit in ask(store, asked).hits)


@pytest.mark.parametrize(
    ("word", "pairs"), [("東京都", ["東京", "京都"]), ("花", ["花"]), ("花火", ["花火"])]
)
def test_pairs_are_looked_for_rather_than_characters(word: str, pairs: list[str]) -> None:
    assert terms(word) == pairs
