"""What a query is taken for, from the words typed to the answer."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli import open_workspace
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import UsageError
from hippocampus_cli.query.request import Query, Request, days_of, parse, read_request
from hippocampus_cli.query.results import QueryResult
from hippocampus_cli.text.terms import asked_words

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
NOTES = {
    "TOOLS.md": "# Tools\n\n## Release\n\nRun `kelpctl release prod` from the main branch.\n",
    "projects/buoy.md": "# Buoy\n\n## Launch\n\n**14 July 2026**, done. It was to be 19 June.\n",
    "memory/2026-06-30.md": "# 2026-06-30\n\n## Paint\n\nThe buoys get orange paint, decided by Tobi.\n",
    "memory/2026-05-02.md": "# 2026-05-02\n\n## Paint\n\nGreen paint was decided for the fence.\n",
}
INDEX = """\
# HIPPOCAMPUS.md

## Release
→ TOOLS.md §Release
<!-- hx: id=release | hits=0 | str=0.90 | base=0.90 | tags=ship -->
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for path, text in NOTES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    return open_workspace(tmp_path)


def ask(workspace: Workspace, text: str, **conditions: object) -> QueryResult:
    return workspace.at(NOW).query(text, write=False, **conditions)  # type: ignore[arg-type]


def test_names_of_conditions_are_words_like_any_other(workspace: Workspace) -> None:
    for text in ("tag:fence paint", "path:memory/ paint", "kind:foo paint", "until:launch paint"):
        paths = {one.path for one in ask(workspace, text).results}
        assert paths >= {"memory/2026-06-30.md", "memory/2026-05-02.md"}, text


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("30d", date(2026, 7, 2), date(2026, 7, 2)),
        ("2026-04", date(2026, 4, 1), date(2026, 4, 30)),
        ("april", date(2026, 4, 1), date(2026, 4, 30)),
        ("last week", date(2026, 7, 20), date(2026, 7, 26)),
    ],
)
def test_an_option_names_days(value: str, first: date, last: date) -> None:
    assert days_of("--since", value, NOW.date()) == (first, last)


@pytest.mark.parametrize("value", ["2026-02-30", "launch", "", "in may or so"])
def test_a_day_that_makes_no_sense_is_a_mistake(value: str) -> None:
    with pytest.raises(UsageError, match="is not a valid date"):
        days_of("--until", value, NOW.date())


def test_no_wording_is_empty_and_each_is_asked_once() -> None:
    read = read_request(Request("a", ("", " ", "b", "a", "b ")))
    assert (read.text, read.phrasings) == ("a", ("b",))


@pytest.mark.parametrize("asked", ["서울", "ガス", "ｶﾞｽ", "花", "🚀"])
def test_the_index_is_asked_in_any_script(tmp_path: Path, asked: str) -> None:
    (tmp_path / "TOOLS.md").write_text("# Tools\n\n## Release\n\nRun it.\n")
    index = INDEX.replace("## Release\n", "## 서울 ガス 岡部花 🚀\n")
    (tmp_path / "HIPPOCAMPUS.md").write_text(index)
    [result] = ask(open_workspace(tmp_path), asked, mode="index").results
    assert result.entry == "release"


def test_what_is_no_day_is_never_answered_for_sure(workspace: Workspace) -> None:
    (workspace.root / "log.md").write_text("# Log 2026\n\n13 sacks, 45 kilos.\n")
    for text in ("2026-13-45", "log 2026/13/45"):
        result = ask(workspace, text, mode="search")
        assert [one.path for one in result.results][:1] == ["log.md"]
        assert result.sure == "unsure"
        assert result.missing == (text.split()[-1],)
    assert not ask(workspace, "13 sacks 45 kilos", mode="search").missing


def test_notes_without_a_date_pass_no_condition_on_days(workspace: Workspace) -> None:
    assert {one.path for one in ask(workspace, "launch or release").results} & {"TOOLS.md"}
    for days in ({"until": date.max}, {"since": date.min}):
        assert not ask(workspace, "launch or release", **days).results
        assert ask(workspace, "orange paint", **days).results[0].path == "memory/2026-06-30.md"


def test_an_identifier_alone_is_sure_where_a_note_has_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Env\n\nSet LOOM_PUSH_URL to the mill, port 4711.\n")
    workspace = open_workspace(tmp_path)
    assert ask(workspace, "LOOM_PUSH_URL").sure == "sure"
    assert ask(workspace, "LOOM_PULL_URL").sure != "sure"


AUGUST = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
MARCH = {
    "a.md": "# The harbour in March\n\nOn 12 March it froze over.\n",
    "b.md": "# The garden in March\n\nOn 14 March the beans went in.\n",
    "c.md": "# The invoice of March\n\nPaid on 30 March.\n",
    "d.md": "# The boat in March\n\nPainted, of which March is too early.\n",
}


@pytest.mark.parametrize("mode", ["search", "hybrid"])
@pytest.mark.parametrize("text", ["March", "12 March", "12 March 2026", "what froze over in March"])
def test_what_stands_everywhere_is_found_nevertheless(tmp_path: Path, text: str, mode: str) -> None:
    for path, note in MARCH.items():
        (tmp_path / path).write_text(note)
    (tmp_path / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    result = open_workspace(tmp_path).at(AUGUST).query(text, mode=mode, write=False)
    assert result.results
    assert text == "March" or result.results[0].path == "a.md"


TODAY = date(2026, 5, 13)


def test_words_that_tell_nothing_are_left_out() -> None:
    assert asked_words("what is the deploy command") == ["deploy", "command"]
    assert asked_words("Wie starte ich die Kasse neu?") == ["starte", "Kasse", "neu"]
    assert asked_words("卡纸的时候怎么办？")[0] == "卡纸"


@pytest.mark.parametrize("text", ["who are the who", "怎么"])
def test_they_are_asked_for_where_they_are_all_there_is(text: str) -> None:
    query = parse(text, TODAY)
    assert asked_words(text)
    assert not query.telling
    assert not query.readings


def test_a_spoken_day_finds_the_note_of_that_day(tmp_path: Path) -> None:
    for day in range(1, 29):
        text = f"# Log\n\nIn March the {day} boats were painted and it happened to rain.\n"
        (tmp_path / f"2026-03-{day:02}.md").write_text(text)
    with open_workspace(tmp_path) as opened:
        for asked in ("what happened on March 12", "was geschah am 12. März", "12 March 2026"):
            answer = opened.at(datetime(2026, 5, 1, tzinfo=UTC)).query(asked, write=False)
            assert answer.results[0].path == "2026-03-12.md", asked


def test_the_words_of_a_date_need_not_stand_in_a_note() -> None:
    query = parse("what did we do yesterday", TODAY)
    assert query.dated == {"yesterday"}
    assert query.telling == []
    assert query.days == ((date(2026, 5, 12), date(2026, 5, 12)),)
    assert query.readings


@pytest.mark.parametrize("text", ["", "  ", "?!", "***", "\x00\x1b[31m", "\udcff", "-"])
def test_a_query_of_nothing_tells_nothing(text: str) -> None:
    assert not parse(text, TODAY).days
    assert not [word for word in asked_words(text) if len(word) > 3]


def test_an_endless_query_is_bounded() -> None:
    assert len(asked_words(" ".join(f"word{number}" for number in range(50_000)))) <= 40


@given(st.text(), st.dates())
def test_any_text_is_a_query(text: str, today: date) -> None:
    query = parse(text, today)
    assert isinstance(query, Query)
    assert query.text == text
