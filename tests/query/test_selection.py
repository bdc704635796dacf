"""A place as it is shown: laws that hold whatever the note, the place and the room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.places import Place
from hippocampus_cli.query.selection import EACH, Excerpt, excerpt
from hippocampus_cli.text.terms import terms
from hippocampus_cli.workspace.note import Note

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
    return excerpt(note, Place("n.md", section, start, end), room, each, {*stems})


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
    assert tokens(found.text) <= max(room, 1)
    assert section.start < found.start <= start <= found.end <= section.end
    if not found.text.endswith("…"):
        assert found.text == note.text_of(found.start, found.end)


def test_a_place_is_shown_with_its_heading_and_not_what_is_around_it() -> None:
    text = "# T\n\n- one\n- two\n\n- three\n"
    assert shown(text, 1, 4) == Excerpt(1, 4, "# T\n\n- one\n- two", True, 2)
    assert shown(text, 4, 4) == Excerpt(4, 4, "- two", cut=True)
    assert shown("T\n=\n- one\n", 1, 3) == Excerpt(1, 3, "T\n=\n- one", False, 2)
    # where there is no room for both, it is the heading that goes, whatever it has of the question
    assert shown(text, 1, 3, 3, EACH, *terms("T")) == Excerpt(3, 3, "- one", cut=True)
    assert shown(text, 1, 2) is None


def test_of_a_long_section_as_much_as_a_place_may_have() -> None:
    text = "# T\n\n" + "".join(f"- bullet {n} {'word ' * 12}\n" for n in range(20))
    for each in (EACH, 2000):  # a large budget shows more places, not longer ones
        found = shown(text, 12, 12, 20_000, each)
        assert found and found.cut and found.start <= 12 <= found.end
        assert tokens(found.text) <= EACH


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


@pytest.mark.parametrize(
    ("before", "answer", "question"),
    [
        ("Allerlei über Rosen, Läuse und das Wetter. ", "Der Gärtner heißt Mühlbauer.", "Gärtner"),
        ("Unrelated matters are stated here. ", "The late ferry leaves.", "late"),
    ],
)
def test_it_is_shortened_around_the_word_itself(before: str, answer: str, question: str) -> None:
    text = "# T\n\n- " + before * 20 + answer + " " + "and so on, " * 100
    found = shown(text, 3, 3, 25, EACH, *terms(question))
    assert found and answer[:12].strip() in found.text
    assert tokens(found.text) <= 25


def test_a_heading_alone_is_no_place() -> None:
    note = Note("n.md", "# T\n\n## U\n\ntext\n")
    assert excerpt(note, Place("n.md", note.sections[0], 1, 1), 400, EACH, frozenset()) is None
