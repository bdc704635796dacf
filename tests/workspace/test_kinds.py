"""What sort of note a file is."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.kinds import NoteKind, date_of, kind_of, period_in_name, period_of

EXAMPLES = {
    NoteKind.CONFIG: ["MEMORY.md", "AGENTS.md", "SOUL.md", "memory.md", "CLAUDE.md", "DEFRAG.md"],
    NoteKind.DAILY: [
        "memory/2026-01-31.md",
        "memory/2026-04-25-0530.md",
        "memory/archive/2025-12.md",
        "memory/daily/monday.md",
        "projects/alpha/2026-01-31-kickoff.md",
        "2026/05/31.md",
        "memory/20260618_2215.md",
    ],
    NoteKind.STATE: [
        "memory/heartbeat-state.json",
        "memory/2026-01-31.json",
        "known-users.YAML",
        "agent-dna.toml",
        "memory/defrag-history.jsonl",
    ],
    NoteKind.PROJECT: [
        "projects/alpha/PROJECT.md",
        "memory/projects/alpha.md",
        "alpha/PROJECT.md",
        "projects/alpha/docs/api.md",
        "projects/2026-01-31-launch/readme.md",
    ],
    NoteKind.DOC: ["docs/api.md", "README.md", "memory/long-term/people.md", "a.txt", ""],
    NoteKind.RESEARCH: ["research/llm.md", "memory/research/x.md", "vector-db-research.md"],
    NoteKind.SKILL: ["skills/deploy/SKILL.md", "skills/deploy/docs/usage.md", "x/SKILL.md"],
    NoteKind.AGENT: ["agents/scout/AGENTS.md", "subagents/x/notes.md", ".claude/agents/a.md"],
    NoteKind.TEMP: ["tmp/x.md", "temp-migration-guide.md", "scratch.md", "memory/tmp/a.md"],
}


@pytest.mark.parametrize(("kind", "path"), [(k, path) for k, ps in EXAMPLES.items() for path in ps])
def test_examples(kind: NoteKind, path: str) -> None:
    assert kind_of(path) == kind


@pytest.mark.parametrize("path", ["template.md", "contemporary.md", "tempo/x.md", "agentic.md"])
def test_a_word_is_not_found_inside_another(path: str) -> None:
    assert kind_of(path) == NoteKind.DOC


def test_there_is_an_example_of_every_kind() -> None:
    assert set(EXAMPLES) == set(NoteKind)


@given(st.text(max_size=40))
def test_any_path_has_a_kind(path: str) -> None:
    assert kind_of(path) in NoteKind


D = date(2026, 1, 31)


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-01-31.md",
        "2026-01-31-slug.md",
        "2026-01-31_UPPER.md",
        "topic-2026-01-31.md",
        "topic_2026_01_31.md",
        "2026.01.31.md",
        "20260131.md",
        "notes-20260131.md",
        "2026-01-31",
        "2026-01-31 Meeting with Ana.md",
        "2026/01/31.md",
        "memory/2026-01/31.md",
        "2026/01-31.md",
        "2026-01-31/notes.md",
        "1999/2026-01-31.md",
        "2026-02-30-not-2026-01-31.md",
        "2026-01-31-to-2026-02-06.md",
    ],
)
def test_days(path: str) -> None:
    assert date_of(path) == D
    period = period_of(path)
    assert period is not None and period[0] == D


@pytest.mark.parametrize(
    "path",
    [
        "",
        "MEMORY.md",
        "2026-02-31.md",
        "2026-13-01.md",
        "2026-00-10.md",
        "20260231.md",
        "ticket-20261345.md",
        "build20260131.md",
        "120260131.md",
        "12026-01-31.md",
        "2026-01-311.md",
        "2026-01_31.md",
        "1026-01-31.md",
        "2026/13/01.md",
        "٢٠٢٦-٠١-٣١.md",
    ],
)
def test_no_day(path: str) -> None:
    assert date_of(path) is None


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("2026-02.md", date(2026, 2, 1), date(2026, 2, 28)),
        ("archive/2024-02.md", date(2024, 2, 1), date(2024, 2, 29)),
        ("2025-12-summary.md", date(2025, 12, 1), date(2025, 12, 31)),
        ("2026-W05.md", date(2026, 1, 26), date(2026, 2, 1)),
        ("2026-01-01_2026-01-07.md", date(2026, 1, 1), date(2026, 1, 7)),
        ("2026-01-07-after-2026-01-01.md", date(2026, 1, 7), date(2026, 1, 7)),
        ("2026/2025-12.md", date(2025, 12, 1), date(2025, 12, 31)),
    ],
)
def test_periods(path: str, first: date, last: date) -> None:
    assert period_of(path) == (first, last)


@pytest.mark.parametrize(
    "path",
    ["2026-02-31.md", "2026-02-30/notes.md", "2025-W53.md", "2026-13.md", "2026/05/x.md", "x"],
)
def test_no_period(path: str) -> None:
    assert period_of(path) is None


def test_a_month_in_a_dated_folder_is_no_day() -> None:
    assert date_of("2026-05-31/2026-05.md") is None


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["{}.md", "a-{}-b.md"]))
def test_every_date_is_read_back(day: date, name: str) -> None:
    for text in (day.isoformat(), day.strftime("%Y%m%d"), day.strftime("%Y_%m_%d")):
        path = name.format(text)
        assert date_of(path) == day
        assert period_in_name(path) == (day, day)
    assert date_of(day.strftime("notes/%Y/%m/%d.md")) == day


@given(st.text("0129-_./TWZa", max_size=30))
def test_any_path_is_answered(path: str) -> None:
    day, period = date_of(path), period_of(path)
    assert period is None or period[0] <= period[1]
    if day:
        assert period is not None and period[0] <= day <= period[1]
