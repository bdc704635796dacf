"""Words of a query that are conditions."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.query_parser import Conditions, conditions_in, odd_ones

TODAY = date(2026, 5, 13)
KINDS = frozenset({"daily", "project"})


def read(text: str) -> tuple[Conditions, str, tuple[str, ...]]:
    return conditions_in(text, TODAY, KINDS)


@pytest.mark.parametrize(
    ("written", "condition"),
    [
        ("tag:Ship", Conditions(tags=frozenset({"ship"}))),
        ("tag:#ship", Conditions(tags=frozenset({"ship"}))),
        ('tag:"two words"', Conditions(tags=frozenset({"two words"}))),
        ("path:memory/*.md", Conditions(paths=("memory/*.md",))),
        ("path:/memory/", Conditions(paths=("/memory/",))),
        ('path:"my notes/"', Conditions(paths=("my notes/",))),
        ("kind:daily", Conditions(kinds=frozenset({"daily"}))),
        ("TYPE:project", Conditions(kinds=frozenset({"project"}))),
        ("since:2026-05-01", Conditions(since=date(2026, 5, 1))),
        ("since:30d", Conditions(since=date(2026, 4, 13))),
        ("after:april", Conditions(since=date(2026, 5, 1))),
        ("until:2026-04", Conditions(until=date(2026, 4, 30))),
        ("until:9999-12-31", Conditions(until=date.max)),
        ("after:9999-12-31", Conditions(since=date.max)),
        ("before:0001-01-01", Conditions(until=date.min)),
        ("before:2026-05-01", Conditions(until=date(2026, 4, 30))),
        ('since:"last week"', Conditions(since=date(2026, 5, 4))),
    ],
)
def test_a_word_is_a_condition(written: str, condition: Conditions) -> None:
    for text in (f"{written} release", f"release {written}"):
        assert read(text) == (condition, "release", (written,))


def test_several_conditions_add_up() -> None:
    found, rest, written = read("tag:a who path:x since:2026-05-01 is tag:b since:2026-05-03 it")
    assert (found.tags, found.paths, found.since) == ({"a", "b"}, ("x",), date(2026, 5, 3))
    assert rest.split() == ["who", "is", "it"]
    assert len(written) == 5


@pytest.mark.parametrize(
    "text",
    [
        *(
            "path: what is it?",
            "what is a tag: a label",
            "tag:",
            "http://example.org/path:x",
            "path://x",
        ),
        *(
            'the words "tag:ship" quoted',
            "“path:x”",
            "kind:of like this",
            "since:forever",
            "time:09:15",
        ),
        *(
            "before:we leave",
            "std::path::join",
            "xtag:ship",
            "a/tag:ship",
            "note:tag:ship",
            'tag:""',
        ),
        *("until:2026-02-31", "path:", "C:path:x"),
    ],
)
def test_what_is_no_condition_is_left_alone(text: str) -> None:
    assert read(text) == (Conditions(), text, ())


def test_a_sign_after_a_tag_is_not_part_of_it() -> None:
    assert read("what is under tag:ship?")[0].tags == {"ship"}


@given(st.text(), st.dates())
def test_any_text_has_conditions_or_not(text: str, today: date) -> None:
    found, rest, written = conditions_in(text, today, KINDS)
    assert bool(found) == bool(written)
    assert len(rest) <= len(text)


@given(
    st.sampled_from(["tag", "path", "kind", "since", "until", "before", "after"]),
    st.text(),
    st.dates(),
)
def test_any_value(name: str, value: str, today: date) -> None:
    conditions_in(f"{name}:{value}", today, KINDS)
    conditions_in(f'{name}:"{value}"', today, KINDS)


def test_conditions_that_make_no_sense_are_told() -> None:
    text = 'since:2026-02-30 kind:foo until:launch tag:x "since:nothing" since:april before:31.02.2026? x:y'
    odd = list(odd_ones(text, TODAY, KINDS))
    assert [(one.name, one.value, one.is_day) for one in odd] == [
        ("since", "2026-02-30", True),
        ("kind", "foo", False),
        ("until", "launch", False),
        ("before", "31.02.2026", True),
    ]
