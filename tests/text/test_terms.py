"""Text as terms, in any script, the same for notes and questions."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.terms import asked_words, language_of, terms
from hippocampus_cli.text.tokenizer import folded
from tests.support.passage_store import ask, store_of


@given(st.text())
def test_any_text_has_terms_without_blanks(text: str) -> None:
    for term in terms(text):
        assert term and term.split() == [term]
    asked_words(text)


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("deploying", "deployed", "english"),
        ("Rechnungen", "Rechnung", "german"),
        ("Büro", "buro", "german"),
        ("модели", "модель", "english"),
        ("caf\u0065\u0301", "café", "english"),
        ("ｆｕｌｌ", "full", "english"),
    ],
)
def test_forms_of_a_word_meet(one: str, other: str, language: str) -> None:
    assert terms(one, language) == terms(other, language)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("fooBar", ["foobar", "foo", "bar"]),
        ("foo_bar", ["foobar", "foo", "bar"]),
        ("node.js", ["nodej", "node", "js"]),
        ("C++", ["c++"]),
        ("服务器", ["服务", "务器"]),
        ("税", ["税"]),
        ("ประเทศ", ["ปร", "ระ", "ะเ", "เท", "ทศ"]),
    ],
)
def test_compounds_and_writing_without_spaces(word: str, found: list[str]) -> None:
    assert terms(word) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("How do I deploy the dashboard?", ["deploy", "dashboard"]),
        ("Wie hoch ist die Miete für das Büro?", ["hoch", "Miete", "Büro"]),
        ("服务器的端口是多少", ["服务器", "端口"]),
        ("what is it?", ["what", "is", "it"]),
        ("", []),
    ],
)
def test_a_question_is_asked_by_the_words_that_tell(text: str, words: list[str]) -> None:
    assert asked_words(text) == words


def test_the_language_of_a_text_is_told_by_its_function_words() -> None:
    assert language_of("Die Miete ist nicht hoch und wir haben sie bezahlt") == "german"
    assert language_of("Die Another Day is a film we saw") == "english"


SPELLINGS = """
Łódź=Lodz, Ærø=Aero, œuvre=oeuvre, Þórður=Thordur, Grüße=Grusse, ISTANBUL=ıstanbul,
İzmir=Izmir, Đà Nẵng=Da Nang, Ħamrun=Hamrun, Sáŋgo=Sango, Ǿ=o, ǼRØ=aero, Hawaiʻi=Hawaii,
كُتَّابْ=كتاب, كتــاب=كتاب, أحمد=احمد, إيمان=ايمان, آمن=امن, ٱلكتاب=الكتاب, القرية=القريه,
مستشفى=مستشفي, شؤون=شوون, שָׁלוֹם=שלום, ёлка=елка, Αθήνα=Αθηνα, Ｇａｎｎｅｔ=gannet, ﬁsh=fish
"""


@pytest.mark.parametrize(
    ("written", "typed"), [pair.strip().split("=") for pair in SPELLINGS.split(",")]
)
def test_both_spellings_are_one_word(written: str, typed: str) -> None:
    assert folded(written) == folded(typed)
    assert terms(written) == terms(typed)
    assert terms(unicodedata.normalize("NFD", written)) == terms(typed)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("कल", "काल"), ("दिन", "दीन"), ("কল", "কাল"), ("கல்", "கால்"), ("కల", "కాల"), ("ಕಲ", "ಕಾಲ")),
        *(("ក", "កា"), ("ปา", "ปี"), ("မ", "မာ"), ("ਕਲ", "ਕਾਲ"), ("કલ", "કાલ"), ("കല", "കാല")),
        *(("قلم", "قلب"), ("שלום", "שלמה"), ("łoś", "oś"), ("ø", "å")),
    ],
)
def test_other_words_stay_other_words(one: str, other: str) -> None:
    assert terms(one) != terms(other)


@given(st.text(max_size=40))
def test_what_is_folded_stays_as_it_is(text: str) -> None:
    assert folded(folded(text)) == folded(text)


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("Aero", "Ærø ferry"),
        ("Lodz", "Łódź mill"),
        ("كتاب", "كُتَّابْ"),
        ("שלום", "שָׁלוֹם"),
        ("Thorudr", "Þórður"),
    ],
)
def test_a_note_is_found_and_shown_as_it_is_written(asked: str, line: str) -> None:
    store = store_of({"a.md": f"{line} here.\n", "b.md": "Something else.\n"})
    [hit, *_] = ask(store, asked).hits
    assert (hit.place.start, hit.place.path) == (1, "a.md")
