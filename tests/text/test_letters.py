from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.terms import terms
from hippocampus_cli.text.tokenizer import folded
from tests.support.passage_store import ask, store_of


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        *(("Łódź", "Lodz"), ("Ærø", "Aero"), ("œuvre", "oeuvre"), ("Þórður", "Thordur")),
        *(
            ("Grüße", "Grusse"),
            ("ISTANBUL", "ıstanbul"),
            ("İzmir", "Izmir"),
            ("Đà Nẵng", "Da Nang"),
        ),
        *(
            ("Ħamrun", "Hamrun"),
            ("Sáŋgo", "Sango"),
            ("Ǿ", "o"),
            ("ǼRØ", "aero"),
            ("Hawaiʻi", "Hawaii"),
        ),
        *(
            ("كُتَّابْ", "كتاب"),
            ("كتــاب", "كتاب"),
            ("أحمد", "احمد"),
            ("إيمان", "ايمان"),
            ("آمن", "امن"),
        ),
        *(("ٱلكتاب", "الكتاب"), ("القرية", "القريه"), ("مستشفى", "مستشفي"), ("شؤون", "شوون")),
        *(
            ("שָׁלוֹם", "שלום"),
            ("ёлка", "елка"),
            ("Αθήνα", "Αθηνα"),
            ("Ｇａｎｎｅｔ", "gannet"),
            ("ﬁsh", "fish"),
        ),
    ],
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
