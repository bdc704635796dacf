"""Sections cut to the lines that answer: laws of what is shown, whatever the notes, the scores and the budget."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.snippets import GAP, Excerpt, Passage, Place, excerpts
from hippocampus_cli.search.hits import UnitHit
from hippocampus_cli.text.units import units
from hippocampus_cli.workspace.note import Note

KINDS = ("bullet", "bullet", "paragraph", "blank", "heading", "row")
LONG = 10_000

# Made once: a strategy that is made for each example takes longer to make than to draw from.
_LINES = st.lists(st.sampled_from(KINDS), max_size=25)
_WORDS, _ENDINGS = st.sampled_from((0, 1, 5, 40)), st.sampled_from(("\n", "\r\n"))
_LAST = st.sampled_from(("", "\n"))
_COUNTS = st.integers(1, 3)
_SCORES = st.lists(st.floats(-3, 12).map(lambda x: round(x, 1)), min_size=1)


@st.composite
def notes(draw: st.DrawFn, name: str = "n.md") -> Note:
    """A note whose lines, but for blank ones, are all different; the last may have no end."""
    lines = ["# Top"]
    for number, kind in enumerate(draw(_LINES)):
        words = f"line{number} of {name} " + "word " * draw(_WORDS)
        shape = {"bullet": "- {}", "paragraph": "{}", "heading": "## {}", "row": "| {} |"}
        lines.append(shape.get(kind, "").format(words.strip()))
    text = draw(_ENDINGS).join(lines)
    return Note(name, text + draw(_LAST))


_NOTES = [notes(f"{at}.md") for at in range(3)]


def hits_in(note: Note, start: int, end: int, scores: list[float]) -> tuple[UnitHit, ...]:
    found = units(note.lines, note.blocks.kinds, start, end)
    hits = [UnitHit(one.start, one.end, scores[at % len(scores)]) for at, one in enumerate(found)]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.start)))


@st.composite
def all_places(draw: st.DrawFn) -> list[Place]:
    """Sections of some notes with their units, best first, as ranking gives them: none twice."""
    found = []
    for at in range(draw(_COUNTS)):
        note = draw(_NOTES[at])
        for section in draw(st.lists(st.sampled_from(note.sections), unique=True, max_size=4)):
            scores = draw(_SCORES)
            hits = hits_in(note, section.start, section.end, scores)
            if hits:  # a heading without text stands for what is below it, which may be a place too
                found.append(Place(note, section, hits))
    return sorted(found, key=lambda place: -place.score)


BUDGETS = st.integers(0, 60) | st.integers(0, 1_000)


def runs(place: Place, excerpt: Excerpt) -> list[tuple[int, int]]:
    """The lines of the note that stand in the text, run by run; fails where they do not."""
    found, at = [], excerpt.start
    for part in excerpt.text.split(GAP):
        count = len(part.splitlines())
        while place.note.text_of(at, at + count - 1).rstrip("\r\n") != part.rstrip("\r\n"):
            at += 1
            assert at <= excerpt.end, (part, excerpt)
        found.append((at, at + count - 1))
        at += count
    return found


def shortened(excerpt: Excerpt) -> bool:
    """Whether not even a line of it fitted."""
    return "…" in excerpt.text.replace(GAP, "")


def asked(places: list[Place], budget: int, long: int = LONG) -> list[tuple[Place, Excerpt]]:
    found = excerpts(places, budget, long)
    assert len(found) == len(places)
    return [(place, one) for place, one in zip(places, found, strict=True) if one and one.text]


@given(all_places(), BUDGETS, st.sampled_from((20, 100, LONG)))
def test_never_over_the_budget(places: list[Place], budget: int, long: int) -> None:
    shown = asked(places, budget, long)
    assert sum(tokens(one.text) for _, one in shown) <= budget
    assert all(tokens(one.text) <= long * (1 + one.cut) for _, one in shown)  # pieces may be longer


@given(all_places(), BUDGETS)
def test_what_is_shown_stands_in_the_section(places: list[Place], budget: int) -> None:
    for place, one in asked(places, budget):
        first, last = place.whole
        assert first <= one.start <= one.end <= last
        if shortened(one):
            assert all(one.start <= p.start_line <= p.end_line <= one.end for p in one.passages)
            continue
        lines = [line for run in runs(place, one) for line in range(run[0], run[1] + 1)]
        assert (lines[0], lines[-1]) == (one.start, one.end)
        for passage in one.passages:
            assert set(range(passage.start_line, passage.end_line + 1)) <= set(lines)


@given(all_places(), BUDGETS)
def test_gaps_stand_where_lines_are_left_out_and_nowhere_else(
    places: list[Place], budget: int
) -> None:
    for place, one in asked(places, budget):
        if shortened(one):
            continue
        parts = runs(place, one)
        for (_, last), (first, _) in pairwise(parts):
            assert place.note.text_of(last + 1, first - 1).strip()
        assert one.cut or len(parts) == 1


@given(all_places(), BUDGETS)
def test_passages_are_units_best_first_and_none_twice(places: list[Place], budget: int) -> None:
    for place, one in asked(places, budget):
        if shortened(one):
            continue
        for (
            passage
        ) in one.passages:  # of a unit that does not fit there may be the first lines only
            start, end, score = passage
            assert any(u.start <= start <= end <= u.end and u.score == score for u in place.units)
        assert len(set(one.passages)) == len(one.passages)
        assert [p.score for p in one.passages] == sorted(
            (p.score for p in one.passages), reverse=True
        )


@given(all_places())
def test_what_fits_is_shown_whole(places: list[Place]) -> None:
    for place, one in asked(places, LONG * len(places)):
        assert (one.start, one.end) == place.whole
        assert one.text == place.note.text_of(*place.whole)
        assert one.passages == tuple(Passage(*unit) for unit in place.units)
        assert not one.cut


@given(all_places(), st.integers(1, 200))
def test_the_best_unit_is_shown_if_any(places: list[Place], budget: int) -> None:
    shown = asked(places, budget)
    if places:
        assert shown
        best = places[0].units[0]
        if tokens(places[0].note.text_of(best.start, best.end)) <= budget:
            assert Passage(*best) in [p for _, one in shown for p in one.passages]


def place_of(text: str, *scores: float, at: int = -1) -> Place:
    note = Note("n.md", text)
    section = note.sections[at]
    return Place(note, section, hits_in(note, section.start, section.end, list(scores)))


BULLETS = "# T\n\n" + "".join(f"- bullet {n} {'word ' * 12}\n" for n in range(6))


def test_a_long_section_is_cut_to_its_best_units() -> None:
    place = place_of(BULLETS, 9.0, 1.0, 1.0, 8.0, 1.0, 1.0)
    (one,) = excerpts([place], 45, LONG)
    assert one is not None
    assert one.cut
    assert [p[:2] for p in one.passages] == [(3, 3), (6, 6)]
    first, last = (place.note.text_of(line, line) for line in (3, 6))
    assert one.text == f"{first}\n{GAP}{last}"


def test_a_unit_much_worse_than_the_best_is_left_out() -> None:
    place = place_of(BULLETS, 9.0, 2.9, 3.1, 2.9, 2.9, 2.9)
    (one,) = excerpts([place], 95, LONG)  # room for five of the six
    assert one is not None
    assert [p.score for p in one.passages] == [9.0, 3.1]


def test_pieces_of_a_long_section_may_be_longer_than_what_is_shown_whole() -> None:
    place = place_of(BULLETS, 9.0)  # six bullets of 15 tokens
    (one,) = excerpts([place], LONG, 40)
    assert one is not None
    assert one.cut
    assert len(one.passages) == 5
    assert 40 < tokens(one.text) <= 80


def test_places_share_the_budget_by_what_their_units_are_worth() -> None:
    note = BULLETS.replace("bullet", "other")
    first, second = place_of(BULLETS, 9.0, 8.0, 6.0), place_of(note, 8.5, 6.1)
    shown = excerpts([first, second], 55, LONG)
    assert [[p.score for p in one.passages] for one in shown if one] == [[9.0, 9.0], [8.5]]


@pytest.mark.parametrize("budget", [3, 8, 20])
def test_a_line_too_long_is_shortened_around_the_word(budget: int) -> None:
    place = place_of("# T\n\n- " + "before " * 100 + "kiln " + "after " * 100, 5.0)
    (one,) = excerpts([place], budget, LONG, frozenset(("kiln",)))
    assert one is not None
    assert "kiln" in one.text
    assert tokens(one.text) <= budget
    assert one.cut
    assert one.passages == (Passage(3, 3, 5.0),)


def test_nothing_is_shown_for_nothing() -> None:
    assert excerpts([], 100, LONG) == []
    (one,) = excerpts([place_of(BULLETS, 1.0)], 0, LONG)
    assert one is None or one.text == ""
