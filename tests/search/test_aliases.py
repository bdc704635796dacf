"""Short forms that the notes explain."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.aliases import Aliases, aliases_in
from hippocampus_cli.search.query_parser import parse
from tests.support.text_cache import cache_of, refresh

TODAY = date(2026, 5, 13)


@pytest.mark.parametrize(
    ("line", "short", "full"),
    [
        ("## Priyanka Raman (Pri)", "pri", "priyanka"),
        ("## Priyanka Raman (Pri)", "pri", "priyanka raman"),
        ("- **Tobias Wehrle** (Tobi), hardware", "tobi", "tobia"),
        ('Four people: Priyanka "Pri" Raman and Ines', "pri", "priyanka"),
        ("Tobias 'Tobi' Wehrle", "tobi", "tobia wehrl"),
        ("Robert “Bob” Miller", "bob", "robert"),
        ("over the VPN (virtual private network)", "vpn", "virtual privat network"),
        ("the virtual private network (VPN) is slow", "vpn", "virtual privat network"),
        ("Board of Trade (BOT)", "bot", "board of trade"),
        ("Hana Okabe (岡部 花)", "岡 岡部 部 花", "hana okab"),
        ("Plumbline Two aka Duckling", "duckl", "plumblin two"),
    ],
)
def test_an_explanation_is_understood_both_ways(line: str, short: str, full: str) -> None:
    found = aliases_in([line])
    assert (short, full) in found
    assert (full, short) in found


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Ines Aldana (Bremen)",
            "Arne Behrens (EMC)",
            "Nordfjord Laks (Sigrid)",
            "the plan (see below)",
        ),
        *("Batea (mussel raft)", "Jette and Okan (students)", "Kelpie (4.10)", "Tobi (Tobias)"),
        *(
            "Niamh Brophy (Friday)",
            "Eirik Moen (From May)",
            "She said 'Yes' Twice",
            "heat pump (A)",
        ),
        *("Mateo 'the potter' Aldana", "IT (is that)", "NASA (new access)", "Lin (Xiulan, Yongda)"),
        *(
            "f(x) = foo(bar)",
            "Status = open",
            "Aldana (Aldana)",
            "price in EUR (net)",
            "see TODO (later)",
        ),
    ],
)
def test_what_only_looks_like_one_is_none(line: str) -> None:
    assert aliases_in([line]) == []


def test_a_short_form_finds_the_full_one_and_the_other_way() -> None:
    notes = {
        "people.md": "# People\n\n## Priyanka Raman (Pri)\n\nBackend.\n",
        "a.md": "# Monday\n\nPri is ill, the wheel is broken.\n",
        "b.md": "# Tuesday\n\nThe virtual private network was down.\n",
        "c.md": "# Terms\n\n- VPN (virtual private network): a tunnel.\n",
    }
    cache = cache_of(notes)
    found = {hit.path: hit.coverage for hit in cache.search(parse("is Priyanka ill", TODAY)).hits}
    assert found["a.md"] > found["people.md"]
    assert "b.md" in {hit.path for hit in cache.search(parse("vpn", TODAY)).hits}


def test_a_file_takes_its_explanations_with_it() -> None:
    notes: dict[str, str | None] = {"a.md": "Priyanka Raman (Pri)\n", "b.md": "Pri\n"}
    cache = cache_of(notes)
    assert cache.healing(lambda db: Aliases(db).related("pri"))
    del notes["a.md"]
    refresh(cache, notes)
    assert not cache.healing(lambda db: Aliases(db).related("pri"))


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("The workspace is full.", "work space"),
        ("The work space is full.", "workspace"),
        ("A web socket drops.", "websockets"),
        ("Websockets drop.", "web socket"),
        ("A back up of the disk.", "backup"),
        ("The login fails.", "log in"),
    ],
)
def test_a_word_is_found_written_apart_or_together(written: str, asked: str) -> None:
    cache = cache_of({"a.md": f"# A\n\n{written}\n", "b.md": "# B\n\nSomething else.\n"})
    hits = cache.search(parse(asked, TODAY)).hits
    assert [hit.path for hit in hits] == ["a.md"]


@given(st.text())
def test_any_line(text: str) -> None:
    for name, other in aliases_in(text.split("\n")):
        assert name and other and name != other
