from __future__ import annotations

from collections import Counter
from datetime import date

from hippocampus_cli.entries.worth import form_of, worth_of

TODAY = date(2026, 1, 31)


def ranked(*paths: str, more: tuple[str, ...] = ()) -> list[str]:
    series = Counter(map(form_of, (*paths, *more)))
    return sorted(paths, key=lambda path: -worth_of(path, TODAY, TODAY, series))


def test_core_files_come_first_and_data_last() -> None:
    assert ranked("a.json", "docs/a.md", "AGENTS.md", "docs/decisions.md") == [
        "AGENTS.md",
        "docs/decisions.md",
        "docs/a.md",
        "a.json",
    ]


def test_what_lies_deeper_or_is_older_is_worth_less() -> None:
    assert ranked("a/b/c.md", "a/b.md", "c.md") == ["c.md", "a/b.md", "a/b/c.md"]
    series: Counter[str] = Counter()
    old, new = (worth_of("a.md", day, TODAY, series) for day in (date(2025, 1, 1), TODAY))
    assert old < new


def test_files_that_a_program_made_are_worth_less_and_logs_are_not() -> None:
    made = tuple(f"data/run-{day}.md" for day in range(40))
    dreams = tuple(f"memory/dreaming/light/2026-01-{day:02}.md" for day in range(1, 30))
    assert len({*map(form_of, dreams)}) == 1
    logs = tuple(f"memory/2026-01-{day:02}.md" for day in range(1, 30))
    assert Counter(map(form_of, (*made, *logs))) == {"data/run-0.md": 40, **dict.fromkeys(logs, 1)}
    assert ranked(made[0], "data/notes.md", more=made[1:]) == ["data/notes.md", made[0]]
