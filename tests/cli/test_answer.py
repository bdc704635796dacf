"""Answers for people and programs, and days in words."""

from __future__ import annotations

import io
import json
from datetime import date

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.answer import (
    as_document,
    as_lean_document,
    print_answer,
    spelled,
    taken_as,
)
from hippocampus_cli.cli.output import Output
from hippocampus_cli.dates.expressions import Reading
from hippocampus_cli.query.results import QueryResult, Result, SupersededBy, Suppressed, Written
from hippocampus_cli.query.snippets import Passage

PLAIN = Result(1, "a.md", None, 3, 9, "", 0, 1.0, "search", None, None, None, cut=True)


def test_passages_are_lines_with_a_score() -> None:
    shown = PLAIN._replace(passages=(Passage(9, 9, 7.123456), Passage(3, 4, -0.5)))
    answer = QueryResult("q", "search", "search", (shown, PLAIN), corrections={})
    document = as_document(answer, explain=False)
    first, second = json.loads(json.dumps(document))["results"]
    assert first["passages"] == [
        {"start_line": 9, "end_line": 9, "score": 7.12},
        {"start_line": 3, "end_line": 4, "score": -0.5},
    ]
    assert second["passages"] == []


OLD = PLAIN._replace(
    rank=2,
    path="MEMORY.md",
    section="Backups",
    text="## Backups\n- they run at 03:15",
    superseded_by=SupersededBy("a.md", 5, "they run at 01:40"),
)
NEW = PLAIN._replace(text="- backups run at 01:40 now", date=date(2026, 5, 18), stale=True)


def test_a_lean_document_has_the_answer_and_a_line_of_each_other_place() -> None:
    found = QueryResult("backups", "search", "search", (NEW, OLD), corrections={}, sure="sure")
    assert as_lean_document(found) == {
        "sure": "sure",
        "answer": {
            "at": "a.md:3",
            "text": "- backups run at 01:40 now",
            "remarks": ["since 2026-05-18; before, MEMORY.md:3: they run at 03:15", "stale"],
        },
        "also": ["MEMORY.md:3 § Backups (superseded by a.md:5): they run at 03:15"],
        "notices": [],
    }


def test_a_lean_document_of_nothing() -> None:
    nothing = QueryResult("x", "search", "none", (), corrections={}, notices=("a notice",))
    document = as_lean_document(nothing)
    assert document["answer"] is None
    assert document["also"] == []
    assert document["notices"] == ["a notice"]


def test_what_the_answer_supersedes_stands_below_it() -> None:
    found = QueryResult("backups", "search", "search", (NEW, OLD), corrections={}, sure="sure")
    assert "since 2026-05-18; before, MEMORY.md:3: they run at 03:15" in screen(found, 80)
    elsewhere = OLD._replace(superseded_by=SupersededBy("a.md", 50, "later"))
    assert not [
        line for line in screen(found._replace(results=(NEW, elsewhere)), 80) if "before" in line
    ]


def screen(result: QueryResult, width: int, *, terminal: bool = True) -> list[str]:
    out = io.StringIO()
    print_answer(Output(out, io.StringIO(), False, terminal, False, width), result, explain=False)
    return out.getvalue().splitlines()


def long_answer() -> QueryResult:
    where = PLAIN._replace(
        path="projects/kelpie/PROJECT.md",
        section="Publishing the 🚀 quarterly report to everybody who asked",
        text="Everybody who asked for the report gets it by post, on paper, in March.",
        entry="publishing",
        strength=0.5,
        band="moderate",
        stale=True,
        superseded_by=SupersededBy(
            "memory/2026-04-14.md", 7, "a longer reason than would fit here"
        ),
        also=("memory/2026-05-02.md:12", "memory/2026-05-03.md:4"),
    )
    return QueryResult(
        "report",
        "search",
        "search",
        (where, where._replace(rank=2), where._replace(rank=3, section=None, superseded_by=None)),
        suppressed=(Suppressed("an-old-one", 0.05, "silent"),),
        written=(Written("publishing", "hit", "2 hits, strength 0.50 → 0.60"),),
        tokens=365,
        full_scan_tokens=40_334,
        sure="sure",
    )


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_of_an_answer_is_wider_than_the_terminal(width: int) -> None:
    lines = screen(long_answer(), width)
    assert all(cell_len(line) <= width for line in lines)
    places = [line for line in lines if "PROJECT.md" in line]
    assert len(places) == 3
    assert all("projects/kelpie/PROJECT.md:3" in line and "stale" in line for line in places)
    words = " ".join(" ".join(lines).split())
    assert "the same in memory/2026-05-02.md:12, memory/2026-05-03.md:4" in words
    assert words.count("superseded by memory/2026-04-14.md:7") == 2
    assert "publishing: 2 hits, strength 0.50 → 0.60 · 1 faded entry not shown" in words


def test_in_a_pipe_nothing_of_a_place_is_cut() -> None:
    lines = screen(long_answer(), 40, terminal=False)
    assert "projects/kelpie/PROJECT.md:3  stale  § Publishing the 🚀 quarterly report" in lines[0]
    assert lines[1].endswith(
        "superseded by memory/2026-04-14.md:7  │ a longer reason than would fit here"
    )


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (date(2026, 5, 4), date(2026, 5, 4), "4 May 2026"),
        (date(2026, 5, 4), date(2026, 5, 10), "4 to 10 May 2026"),
        (date(2026, 6, 27), date(2026, 7, 3), "27 June to 3 July 2026"),
        (date(2025, 12, 27), date(2026, 1, 3), "27 December 2025 to 3 January 2026"),
        (date.min, date(2026, 1, 3), "until 3 January 2026"),
    ],
)
def test_what_the_ends_share_is_said_once(first: date, last: date, words: str) -> None:
    assert spelled(first, last) == words


def test_what_words_were_taken_for_and_why() -> None:
    read = Reading("two days ago", date(2026, 5, 4), date(2026, 5, 4), "audit: 2026-05-06, a.md:1")
    assert taken_as(read) == "interpreted 'two days ago' as 4 May 2026 (audit: 2026-05-06, a.md:1)"


def test_beside_the_answer_no_strength_takes_the_room_of_the_words() -> None:
    first, *others = (line for line in screen(long_answer(), 120) if "PROJECT.md" in line)
    assert "0.50" in first
    assert not [line for line in others if "0.50" in line]
