"""Which statements tell what came instead of another one, by their shape and by signs."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.query.changes import (
    WEIGHTS,
    Statement,
    changes_in,
    frame_of,
    is_instead,
    other_value,
    sentences_in,
    signs_of,
)
from hippocampus_cli.query.superseding import Superseding
from hippocampus_cli.text.tokenizer import stems

TODAY, MARCH, APRIL = date(2026, 8, 1), date(2026, 3, 2), date(2026, 4, 12)


def is_marked(
    old: str, new: str, asked: str, days: tuple[date | None, date | None] = (None, APRIL)
) -> bool:
    before = Statement("TOOLS.md", 3, "", old, days[0])
    after = Statement("memory/2026-04-12.md", 7, "", new, days[1])
    found = Superseding([before, after], frozenset(stems(asked)), TODAY).by([before])
    return found is not None


WORDS = [
    *(
        "now",
        "no longer",
        "set back",
        "as of",
        "correction",
        "jetzt",
        "nicht mehr",
        "Korrektur",
        "new",
        "raised",
    ),
    *(
        "lowered",
        "moved",
        "move",
        "moves",
        "remapped",
        "switched",
        "changed to",
        "changes from",
        "instead",
    ),
    *(
        "replaced",
        "becomes",
        "closed",
        "stopped",
        "nun",
        "statt",
        "neu",
        "neuer",
        "umgezogen",
        "gewechselt",
    ),
    *(
        "geändert",
        "erhöht",
        "verlegt",
        "umgestellt",
        "set to",
        "goes to",
        "back to",
        "since 5 May",
        "anymore",
    ),
    *(
        "from 1 April",
        "from Monday",
        "ab sofort",
        "ab 3.",
        "→",
        "改为",
        "现在",
        "不再",
        "换成",
        "调整",
        "搬到",
    ),
]
CHANGED = [
    ("- nightly restic, window starts 02:00", "- moved restic start 02:00 → 04:30", "restic start"),
    ("| immich | port 2283 |", "- immich port: 2283 clashed, so 8212 now", "immich port"),
    ("Port of the till: 5180", "The till now runs on port 5190, no longer 5180", "till port"),
    (
        "Freezer alarm: above 14 °C for 20 min",
        "Freezer alarm: above 12 °C for 15 min now",
        "freezer alarm",
    ),
    (
        "- Dienst der Kasse: Port 5180",
        "- Die Kasse läuft jetzt auf Port 5190 statt 5180",
        "Kasse Port",
    ),
    ("- 雨桐的休息日：周三", "雨桐的休息日从周三换成周一", "雨桐 休息日"),
    ("- 熟宣单价：五块六", "- 熟宣单价由五块六调整为六块一", "熟宣 单价"),
]


@pytest.mark.parametrize(("old", "new", "asked"), CHANGED)
def test_a_log_supersedes_what_is_kept_current(old: str, new: str, asked: str) -> None:
    assert is_marked(old, new, asked)
    assert is_marked(old, new, asked, (MARCH, APRIL))
    assert not is_marked(old, new, asked, (APRIL, MARCH))
    assert not is_marked(old, new, asked, (None, None))  # nobody knows which is later


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        # What is kept current knows it already.
        ("Restic starts 04:30", "moved restic start 02:00 → 04:30", "restic start"),
        # A later day that the text itself names.
        (
            "Restic starts 03:00 since 1 May 2026",
            "moved restic start 02:00 → 04:30",
            "restic start",
        ),
        ("Freezer: 20 min", "Fridge: the cable is 3 m now", "freezer alarm"),
        ("> somebody: restic starts 02:00", "moved restic start 02:00 → 04:30", "restic start"),
        ("Phase A sign-off was 30 April", "Lunch moved to 12 May", "phase sign-off"),
        ("Restic starts 02:00", "Restic started 02:00 and took 20 min", "restic start"),
    ],
)
def test_what_speaks_of_something_else_is_left_alone(old: str, new: str, asked: str) -> None:
    assert not is_marked(old, new, asked)


@given(st.text(), st.text(), st.frozensets(st.sampled_from(["port", "till", "start"]), min_size=1))
def test_any_two_texts(old: str, new: str, asked: frozenset[str]) -> None:
    for before in sentences_in(old):
        for after in sentences_in(new):
            signs = signs_of(before, before.stems, after, asked, True)
            assert signs is None or (len(signs) == len(WEIGHTS) and all(0 <= s <= 1 for s in signs))


@given(st.sampled_from(CHANGED))
def test_nothing_supersedes_itself(case: tuple[str, str, str]) -> None:
    old, _, asked = case
    (sentence,) = sentences_in(old)
    assert signs_of(sentence, sentence.stems, sentence, frozenset(stems(asked)), True) is None


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_what_has_a_word_of_change_is_looked_at(text: str) -> None:
    found = [one.text for one in sentences_in(text) if changes_in(one.text)]
    assert [one.text for one in changes_in(text)] == found


def test_every_word_of_change_is_found_in_a_text() -> None:
    for word in WORDS:
        assert changes_in(f"the port {word} 5190"), word


def test_more_signs_never_say_less() -> None:
    (old,) = sentences_in("Port of the till: 5180")
    (new,) = sentences_in("The till now runs on port 5190, no longer 5180")
    signs = signs_of(old, old.stems, new, frozenset(stems("till port")), True)
    assert signs is not None
    assert is_instead(signs)
    assert all(weight > 0 for weight in WEIGHTS)
    assert not is_instead(signs._make([0] * len(signs)))


@pytest.mark.parametrize(
    ("asked", "old", "new"),
    [
        (
            "what port does the database use",
            "The database port is 5432.",
            "The database port is 5433.",
        ),
        (
            "who is the chair of Fatah",
            "- The chair of Fatah is Ann Lee.",
            "* The chair of Fatah is Bo.",
        ),
        ("who wrote Emma", "Jane is the author of Emma", "Mary Ann is the author of Emma"),
        ("where does Ines live", "12. Ines lives in Porto", "88. Ines lives in Sankt Gallen"),
        ("rate for Acme", "Acme hourly rate: 95 EUR", "Acme hourly rate: 110 EUR"),
        ("wo wohnt Jana", "Jana Müller wohnt in Bonn", "Jana Müller wohnt in Köln"),
    ],
)
def test_another_value_of_the_same_thing(asked: str, old: str, new: str) -> None:
    assert other_value(frame_of(old), frame_of(new), frozenset(stems(asked)))


@pytest.mark.parametrize(
    ("asked", "old", "new"),
    [
        ("capital of France", "The capital of France is Paris", "The capital of Spain is Madrid"),
        ("capital of France", "The capital of France is big", "The capital of Spain is big"),
        ("is the database port 5432", "The database port is 5432", "The database port is 5433"),
        ("what did we buy", "Bought milk", "Bought bread"),
        ("garden", "The port is 5432", "The port is 5433"),
        ("port", "The database port is 5432", "The database port is 5432"),
        ("port", "The database port is", "The database port is 5433"),
        ("tap", "Fixed the kitchen tap quickly", "Fixed the kitchen tap again"),
        ("sign", "word " * 60 + "is one", "word " * 60 + "is two"),
    ],
)
def test_what_is_no_other_value(asked: str, old: str, new: str) -> None:
    assert not other_value(frame_of(old), frame_of(new), frozenset(stems(asked)))
