"""What is shown of places: their lines within the room, copies and series once; nothing is old for its age."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.places import Place
from hippocampus_cli.query.selection import EACH, Excerpt, excerpt, fold_series, is_struck
from hippocampus_cli.workspace.note import Note, Section

_LINES = st.lists(
    st.sampled_from(("- a bullet", "a sentence of some words", "", "| a | row |", "word " * 60)),
    min_size=1,
    max_size=20,
)


def shown(
    text: str, start: int, end: int, room: int = 400, each: int = EACH, *stems: str
) -> Excerpt | None:
    note = Note("n.md", text)
    section = next(one for one in note.sections if one.start <= start <= one.end)
    return excerpt(note, Place("n.md", section, start, end), room, each, frozenset(stems))


@given(_LINES, st.data(), st.integers(5, 500), st.sampled_from(["\n", "\r\n"]))
def test_it_is_lines_of_the_section_within_the_room(
    lines: list[str], data: st.DataObject, room: int, newline: str
) -> None:
    text = newline.join(["# Top", *lines, "# Next", "other"])
    start = data.draw(st.integers(2, len(lines) + 1))
    note = Note("n.md", text)
    section = note.sections[0]
    found = excerpt(note, Place("n.md", section, start, start), room, EACH, frozenset())
    if found is None:
        assert not lines[start - 2].strip()
        return
    assert tokens(found.text) <= room
    assert section.start < found.start <= start <= found.end <= section.end
    if not found.text.endswith("…"):
        assert found.text == note.text_of(found.start, found.end)


def test_a_small_section_is_shown_whole_without_its_heading() -> None:
    found = shown("# T\n\n- one\n- two\n\n- three\n", 4, 4)
    assert found == Excerpt(3, 6, "- one\n- two\n\n- three", cut=False)


def test_of_a_long_section_the_lines_that_answer() -> None:
    text = "# T\n\n" + "".join(f"- bullet {n} {'word ' * 12}\n" for n in range(20))
    found = shown(text, 12, 13)
    assert found and found.cut and (found.start, found.end) == (12, 13)
    longer = shown(text, 4, 18)
    assert longer and longer.start == 4 and tokens(longer.text) <= EACH


def test_code_may_be_longer_than_a_place() -> None:
    code = "```\n" + "".join(f"command --number {n} --and more\n" for n in range(18)) + "```\n"
    found = shown(f"# T\n\n{code}\n", 4, 21)
    assert found and EACH < tokens(found.text) <= 2 * EACH


@pytest.mark.parametrize("room", [5, 8, 20])
def test_a_line_too_long_is_shortened_around_the_word(room: int) -> None:
    text = "# T\n\n- " + "before " * 100 + "kiln " + "after " * 100
    found = shown(text, 3, 3, room, EACH, "kiln")
    assert found and "kiln" in found.text and found.cut
    assert tokens(found.text) <= room


def test_a_heading_alone_is_no_place() -> None:
    note = Note("n.md", "# T\n\n## U\n\ntext\n")
    assert excerpt(note, Place("n.md", note.sections[0], 1, 1), 400, EACH, frozenset()) is None


LONG = "The gasket of the buoy swells in diesel, so we use EPDM from the second batch on."
Told = tuple[str, str | None]


def fold(*told: Told) -> list[Place]:
    """What is shown of places with these texts and days."""
    places = [
        Place(f"{number}.md", Section(0, 1, "T", (), 1, 3, 3), 3, 3, score=1.0 - number / 10)
        for number in range(len(told))
    ]
    days = {
        place.path: day and date.fromisoformat(day)
        for place, (_, day) in zip(places, told, strict=True)
    }
    texts = {place.path: text for place, (text, _) in zip(places, told, strict=True)}
    return fold_series(
        places, lambda place: texts[place.path], lambda place: days[place.path] or None
    )


def paths(places: tuple[Place, ...] | list[Place]) -> list[str]:
    return [place.path for place in places]


@pytest.mark.parametrize(
    "other", [LONG, LONG.upper(), f"- **{LONG}**\n", LONG.replace(" we ", "  we ")]
)
def test_the_same_text_is_one_place_the_newest(other: str) -> None:
    (place,) = fold((LONG, "2026-05-01"), (other, "2026-05-03"))
    assert (place.path, paths(place.copies), place.score) == ("1.md", ["0.md"], 1.0)


def test_values_that_change_are_a_series_newest_first() -> None:
    (place,) = fold(
        ("Backups run at 03:15 every night.", "2026-03-01"),
        ("Backups run at 01:40 every night.", "2026-05-01"),
        ("Backups run at 02:20 every night.", "2026-04-01"),
    )
    assert place.path == "1.md" and not place.superseded
    assert paths(place.earlier) == ["2.md", "0.md"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("- port of A: 8080", "2026-05-01"), ("- port of B: 8081", "2026-05-01")),  # of one day
        (("Backups run at 03:15.", None), ("Backups run at 01:40.", "2026-05-01")),
        (("Nothing happened.", "2026-05-01"), ("Nothing much.", "2026-05-02")),
        ((LONG, "2026-05-01"), ("The gasket of the buoy was bought in Bremen.", "2026-05-02")),
        (("", "2026-05-01"), ("", "2026-05-02")),
    ],
)
def test_what_differs_is_shown(first: Told, second: Told) -> None:
    assert paths(fold(first, second)) == ["0.md", "1.md"]


def test_what_is_struck_through_comes_last() -> None:
    first, second = fold(
        ("~~The port is 280.~~", "2026-05-01"), ("We chose 400 then.", "2026-04-01")
    )
    assert (first.path, first.superseded) == ("1.md", "")
    assert (second.path, second.superseded) == ("0.md", "struck through")


@pytest.mark.parametrize(
    ("text", "struck"),
    [
        ("~~gone~~", True),
        ("- ~~gone~~\n- ~~too~~.\n", True),
        ("~~280~~ 400", False),  # what holds now stands beside it
        ("~~gone~~\nhere", False),
        ("", False),
    ],
)
def test_only_what_is_struck_through_whole_is(text: str, struck: bool) -> None:
    assert is_struck(text) is struck
