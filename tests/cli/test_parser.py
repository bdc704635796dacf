from __future__ import annotations

import inspect
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.cli.options import argument, option, parse, takes
from hippocampus_cli.errors import UsageError
from tests.support.command_line import Hippo
from tests.support.commands import DECLARED


@takes(
    argument("words", "WORD", "Words."),
    option("--limit -n", "So many.", low=1),
    option("--share", "A part."),
    option("--mode -m", "How.", choices=("index", "search")),
    option("--tag -t", "Tags."),
    option("--folder -f", "Where."),
    option("--dry -d", "Only show."),
    option("--keep/--drop", "Either, or neither."),
    shared=(),
)
def example(
    session: object,
    *,
    words: list[str],
    limit: int = 5,
    share: float | None,
    mode: str = "index",
    tag: list[str],
    folder: Path | None,
    dry: bool,
    keep: bool | None,
) -> None:
    """Take what is declared."""


DEFAULTS = {
    "words": ["a"],
    "limit": 5,
    "share": None,
    "mode": "index",
    "tag": [],
    "folder": None,
    "dry": False,
    "keep": None,
}


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("a", {}),
        ("a b\udcff", {"words": ["a", "b\udcff"]}),
        ("a --limit 9 --share .25", {"limit": 9, "share": 0.25}),
        ("--mode=search -tx -t y a", {"mode": "search", "tag": ["x", "y"]}),
        ("-dn3 a -f q", {"limit": 3, "folder": Path("q"), "dry": True}),
        ("a --keep", {"keep": True}),
        ("a --drop", {"keep": False}),
        ("a -n 3 -n 4", {"limit": 4}),
        ("-- a -n", {"words": ["a", "-n"]}),
        ("- --tag -x", {"words": ["-"], "tag": ["-x"]}),
    ],
)
def test_words_become_values_of_the_declared_types(line: str, changes: dict[str, Any]) -> None:
    assert parse(line.split(), example.parameters) == DEFAULTS | changes


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "WORD is missing"),
        ("a --limit", "--limit needs a value: N"),
        ("a --limit x", "--limit: 'x' is not a whole number"),
        ("a --limit 0", "--limit must be 1 to 1,000,000,000, not 0"),
        ("a --limit 9999999999", "--limit must be 1 to 1,000,000,000, not 9999999999"),
        ("a --limit 1.5", "--limit: '1.5' is not a whole number"),
        ("a --share half", "--share: 'half' is not a number"),
        ("a --mode vector", "--mode: 'vector' is not one of index, search"),
        ("a --dry=1", "--dry takes no value"),
        ("a --limt 3", "there is no option --limt"),
        ("a --folder", "--folder needs a value: path"),
        ("a -x", "there is no option -x"),
    ],
)
def test_a_wrong_word_is_a_usage_error(line: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(line.split(), example.parameters)
    assert raised.value.message == message


@pytest.mark.parametrize("name", DECLARED)
def test_a_function_takes_what_is_declared_before_it(name: str) -> None:
    command = DECLARED[name]
    _, *taken = inspect.signature(command.run).parameters
    passed = {one.name for one in command.parameters} - {"workspace", "as_json"}
    assert set(taken) - {"given"} <= passed  # what is given is passed on
    assert "given" in taken or set(taken) == passed
    for parameter in command.parameters:
        default = parameter.default
        assert not parameter.choices or set(parameter.choices) >= {default} - {None, ""}


VALUES = (
    *("--", "-", "--no-such", "-x", "--lim", "", " ", "-5", "--limit=3", "-nw", "--json=1", "-n3"),
    *("deploy", "3", "07", "+3", "1_0", "٣", "index", "a=b", "café", "2026-05-01", "no\udcffutf8"),
    *("/tmp", "0", "1.5", "1e3", "nan", "notes/*.md", "pi", "critical", "9999999999", ".5", "200"),
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(DECLARED)), st.data())
def test_any_words_are_values_or_a_usage_error(name: str, data: Any) -> None:
    parameters = DECLARED[name].parameters
    spellings = [part for one in parameters for s in one.spellings for part in s.split("/")]
    choices = [word for one in parameters for word in one.choices]
    word = st.sampled_from([*spellings, *choices, *VALUES])
    try:
        given = parse(data.draw(st.lists(word, max_size=6)), parameters)
    except UsageError:
        return
    assert set(given) == {one.name for one in parameters}
    assert all(isinstance(given[one.name], list) for one in parameters if one.several)


@pytest.mark.parametrize("line", [["-"], ["--", "-"], ["--limit", "+3", "-"]])
def test_a_dash_is_what_stands_on_standard_input(
    line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Deploy\n\nmake ship\n")
    said = io.TextIOWrapper(io.BytesIO("\ufeffmake\nship\n".encode()))
    monkeypatch.setattr(sys, "stdin", said)
    found = hippo("query", "-w", str(tmp_path), "--mode", "search", "--json", *line).json
    assert (found["query"], found["results"][0]["path"]) == ("make\nship", "MEMORY.md")


def test_a_list_takes_no_empty_word_but_where_it_may_be_blank() -> None:
    tag = option("--tag", "Tags.", several=True)
    wording = option("--or", "Other words.", name="phrasings", several=True, blank=True)
    assert parse(["--or", "", "--or", "b"], [wording]) == {"phrasings": ["", "b"]}
    with pytest.raises(UsageError, match="no value"):
        parse(["--tag", " "], [tag])
