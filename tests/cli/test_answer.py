"""Answers for people and programs, and days in words."""

from __future__ import annotations

from datetime import date

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.answer import as_document, as_lean_document, print_answer
from hippocampus_cli.cli.output import plain
from hippocampus_cli.query.results import Earlier, QueryResult, Result, Suppressed, Written
from hippocampus_cli.text.dates import Reading
from tests.support import command_line

DAY = date(2026, 5, 18)
PLAIN = Result(1, "a.md", None, 3, 9, "- backups run at 01:40 now", 9, 1.0, "search")
PLACE = PLAIN._replace(
    date=DAY,
    dated_by="name",
    copies=("b.md:3", "c.md:4"),
    earlier=(Earlier("d.md:7", date(2026, 3, 1), "- backups run at 03:15 now"),),
)
STRUCK = PLAIN._replace(
    rank=2, section="Backups", superseded="struck through", date=DAY, dated_by="changed"
)


def answer(*places: Result, **more: object) -> QueryResult:
    told: dict[str, object] = {
        "sure": "sure",
        "confidence": 0.9,
        "today": date(2026, 6, 1),
        "newest": DAY,
    }
    return QueryResult("backups", "search", "search", places, **(told | more))  # type: ignore[arg-type]


def test_a_document_leaves_out_what_is_empty() -> None:
    document = plain(as_document(answer(PLAIN, STRUCK), explain=False))
    assert (document["today"], document["newest"]) == ("2026-06-01", "2026-05-18")
    first, second = document["results"]
    assert first.keys() == {"path", "start_line", "end_line", "text", "score"}
    assert (second["superseded"], second["date"], second["dated_by"]) == (
        "struck through",
        "2026-05-18",
        "changed",
    )
    assert {"beliefs", "missing", "corrections"}.isdisjoint(document)


def test_a_lean_document_has_the_places_with_their_days() -> None:
    assert as_lean_document(answer(PLACE, STRUCK)) == {
        "sure": "sure",
        "confidence": 0.9,
        "places": [
            {
                "at": "a.md:3",
                "date": "2026-05-18",
                "text": "- backups run at 01:40 now",
                "remarks": [
                    "+2 copies: b.md:3",
                    "also 2026-03-01 d.md:7: - backups run at 03:15 now",
                ],
            },
            {
                "at": "a.md:3",
                "date": "changed 2026-05-18",
                "text": "- backups run at 01:40 now",
                "remarks": ["superseded: struck through"],
            },
        ],
    }


def test_a_lean_document_of_nothing() -> None:
    document = as_lean_document(answer(sure="none", closest="a.md:1: near", notices=("a notice",)))
    assert document["places"] == []
    assert (document["closest"], document["notices"]) == ("a.md:1: near", ["a notice"])


def test_what_no_note_has_is_said_before_the_closest() -> None:
    lines = screen(answer(PLACE, sure="unsure", missing=("LOOM_URL", "8080")), 80)
    assert lines[0] == "nothing on LOOM_URL, 8080; closest:"
    assert lines[1].startswith("a.md:3  2026-05-18")
    assert not [line for line in lines if line.startswith("not sure")]


def test_a_series_and_copies_stand_below_their_place() -> None:
    lines = screen(answer(PLACE), 80)
    assert lines[:5] == [
        "a.md:3  2026-05-18",
        "│ - backups run at 01:40 now",
        "also 2026-03-01 d.md:7",
        "│ - backups run at 03:15 now",
        "+2 copies: b.md:3",
    ]
    assert lines[-1].startswith("today 2026-06-01, newest note 2026-05-18 · 0 of 0 tokens")


def screen(result: QueryResult, width: int, *, terminal: bool = True) -> list[str]:
    output, out = command_line.screen(width, terminal=terminal)
    print_answer(output, result, explain=False)
    return out.getvalue().splitlines()


def long_answer() -> QueryResult:
    where = PLACE._replace(
        path="projects/kelpie/PROJECT.md",
        section="Publishing the 🚀 quarterly report to everybody who asked",
        text="Everybody who asked for the report gets it by post, on paper, in March.",
        entry="publishing",
        strength=0.5,
        band="moderate",
        stale=True,
    )
    return answer(
        *(where._replace(rank=rank) for rank in (1, 2, 3)),
        suppressed=(Suppressed("an-old-one", 0.05, "faded", "silent"),),
        written=(Written("publishing", "hit", "2 hits, strength 0.50 → 0.60"),),
        tokens=365,
        full_scan_tokens=40_334,
    )


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_a_place_is_whole_and_its_section_as_much_as_fits(width: int) -> None:
    lines = screen(long_answer(), width)
    places = [line for line in lines if "PROJECT.md:3  2026" in line]
    assert len(places) == 3
    assert all(cell_len(line) <= max(width, 60) for line in places)
    words = " ".join(" ".join(lines).split())
    assert "publishing: 2 hits, strength 0.50 → 0.60 · 1 faded entry not shown" in words


def test_in_a_pipe_nothing_of_a_place_is_cut() -> None:
    lines = screen(long_answer(), 40, terminal=False)
    head = "projects/kelpie/PROJECT.md:3  2026-05-18  § Publishing the 🚀 quarterly report"
    assert lines[0].startswith(head)


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (date(2026, 5, 4), date(2026, 5, 4), "2026-05-04"),
        (date(2026, 5, 4), date(2026, 5, 10), "2026-05-04 to 2026-05-10"),
    ],
)
def test_what_words_were_taken_for(first: date, last: date, words: str) -> None:
    shown = screen(answer(PLACE, days=(Reading("last week", first, last),), tokens=14), 80)
    assert shown[0] == f"interpreted 'last week' as {words}" and "14 of 14 tokens" in shown[-1]


def test_beside_the_answer_no_strength_takes_the_room_of_the_words() -> None:
    first, *others = (line for line in screen(long_answer(), 120) if "PROJECT.md" in line)
    assert "0.50" in first
    assert not [line for line in others if "0.50" in line]
