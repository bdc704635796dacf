"""What a unit is like: its label, and whether it asks, names a time or counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.unit_features import (
    COUNTED,
    DATED,
    LABEL_SHIFT,
    LASTING,
    NAMED,
    QUESTION,
    REASONED,
    RULED,
    TIMED,
    TITLED,
    TOLD,
    told_in_chats,
    traits_of,
    without_familiar,
)
from hippocampus_cli.text.tokenizer import stem_text

LONGEST = 255  # characters of a label's stems that the traits have room for


def label_of(text: str) -> str:
    """The stems of the unit ``text`` that are its label."""
    stems = stem_text(text)
    return stems[: traits_of(text, stems) >> LABEL_SHIFT]


def flags_of(text: str) -> set[str]:
    names = {"question": QUESTION, "dated": DATED, "timed": TIMED, "counted": COUNTED}
    traits = traits_of(text, stem_text(text))
    return {name for name, flag in names.items() if traits & flag}


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
    ("text", "flags"),
    [
        ("who is on call?", {"question"}),
        ("who is on call?  \n", {"question"}),
        ("look at this? [shares a photo: a kiln]", {"question"}),
        ("is it? yes", set()),
        ("a [b]", set()),
        ("]", set()),
        ("on 12 March", {"dated", "timed", "counted"}),
        ("2026-03-12", {"dated", "timed", "counted"}),
        ("since 1987", {"dated", "timed", "counted"}),
        ("see March", {"dated", "timed"}),
        ("next Friday", {"dated", "timed"}),
        ("yesterday", {"dated", "timed"}),
        ("last week", {"dated", "timed"}),
        ("a week later", {"timed"}),
        ("recently", {"timed"}),
        ("this may be it", set()),
        ("port 1883", {"counted"}),
        ("two dogs", {"counted"}),
        ("once", {"counted"}),
        ("10:30 standup", {"counted"}),
        ("nothing of it", set()),
        ("東京 晴れ", set()),
        ("", set()),
    ],
)
def test_flags(text: str, flags: set[str]) -> None:
    assert flags_of(text) == flags


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        *(
            (text, LASTING)
            for text in ("for 20 minutes", "half an hour", "a couple of years", "in 5min")
        ),
        *((text, LASTING) for text in ("since 1987", "seven weeks in bed")),
        *(
            (text, NAMED)
            for text in ("we asked Ada", "it is in Nordfjord", "- Ben: ask Ada", "in São Paulo")
        ),
        *((text, NAMED) for text in ("über Ålesund", "so, Ada it is")),
        *(
            (text, TITLED)
            for text in ('she read "Dune" twice', "„Momo“", "«Dune»", "we saw *Stalker* there")
        ),
        *(
            (text, REASONED)
            for text in ("because it rains", "so that it fits", "the reason is wear", "due to rain")
        ),
        *((text, REASONED) for text in ("weil es regnet", "in order to sleep")),
        *((text, RULED) for text in ("Always include version numbers.", "I really prefer tea")),
        *((text, RULED) for text in ("niemals freitags ausliefern", "总是先备份")),
    ],
)
def test_what_may_be_asked_for(text: str, flag: int) -> None:
    assert traits_of(text, stem_text(text)) & flag


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        *((text, LASTING) for text in ("port 1883", "the day off", "the week before", "20 dogs")),
        *(
            (text, NAMED)
            for text in ("Ada went", "It rains. Ada went", "- Ben: Ada went", "on Monday in May")
        ),
        *((text, NAMED) for text in ("I see I am", "use HTTP", "it's OK", "東京")),
        *(
            (text, TITLED)
            for text in ('5" by 6"', "* one\n* two", "**bold** it", "a * b * c", "it's")
        ),
        *((text, REASONED) for text in ("it rains", "so it fits", "a season", "")),
        *((text, RULED) for text in ("the allways bar", "he prefers tea", "")),
    ],
)
def test_what_may_not(text: str, flag: int) -> None:
    assert not traits_of(text, stem_text(text)) & flag


def test_who_speaks_again_and_again_is_no_name_there() -> None:
    log = ["- Ada: thanks, Ben", "- Ben: thanks, Ada", "- Ada: I asked Ben", "- Ben: and Ines?"]
    log += ["- Ada: not yet, Ben", "- Ben: well, Ada"]
    stems = [stem_text(text) for text in log]
    traits = [traits_of(*unit) for unit in zip(log, stems, strict=True)]
    assert [bool(one & NAMED) for one in traits] == [True] * 6
    left = without_familiar(log, stems, traits)
    assert [bool(one & NAMED) for one in left] == [False, False, False, True, False, False]
    assert [one & ~NAMED for one in left] == [one & ~NAMED for one in traits]
    few = slice(0, 4)  # each of them labels two units only
    assert without_familiar(log[few], stems[few], traits[few]) == traits[few]


@given(st.text() | st.text(alphabet="ab1 -*:：|_.?[]()\n東é\t", max_size=80))
def test_of_any_text(text: str) -> None:
    stems = stem_text(text)
    traits = traits_of(text, stems)
    label = traits >> LABEL_SHIFT
    assert 0 <= label <= min(LONGEST, len(stems))
    assert f"{stems} "[label] == " " or not label  # it ends with a whole stem
    assert traits == traits_of(text, stems)
    assert traits & TIMED or not traits & DATED


def test_a_long_label_is_none_rather_than_a_wrong_one() -> None:
    wide = "東" * 60
    assert label_of(f"| {wide} | 1 |") in ("", stem_text(wide))
    traits = traits_of(f"| {wide} | 1 |", stem_text(f"| {wide} | 1 |"))
    assert traits < 1 << 32  # four bytes hold it


def test_an_endless_line_is_read_in_no_time() -> None:
    for text in ("a" * 200_000, "a " * 100_000, "- **" * 50_000, "|" * 200_000, " " * 200_000):
        assert traits_of(text, "a") >> LABEL_SHIFT <= LONGEST


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["**user**: I prefer tea.", "**assistant**: Noted."], [True, False]),
        (["- Human: tea?", "- AI: yes", "用户：茶", "助手: 好"], [True, False, True, False]),
        (["User: root", "Host: heron"], [False, False]),
        (["users: three", "agent: none"], [False, False]),
    ],
)
def test_what_the_user_said_in_a_chat_is_known(texts: list[str], told: list[bool]) -> None:
    traits = [traits_of(text, stem_text(text)) for text in texts]
    assert [bool(trait & TOLD) for trait in told_in_chats(texts, traits)] == told
