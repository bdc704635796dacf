from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors.chunks import Size, chunks_of, spans
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.note import Note

SIZE = Size(512, 50)
LONG = "word " * 80  # 75 tokens, as they are estimated


def lines_of(text: str, size: Size = SIZE) -> list[tuple[int, int]]:
    return [tuple(one) for one in spans(Note("a.md", text), size)]  # type: ignore[misc]


def test_a_section_of_level_two_is_a_chunk_with_what_stands_below_it() -> None:
    text = f"# Title\n\n{LONG}\n\n## One\n\n{LONG}\n\n### Deeper\n\n{LONG}\n\n## Two\n\n{LONG}\n"
    assert lines_of(text) == [(1, 3), (5, 11), (13, 15)]


def test_a_short_section_is_joined_with_its_shorter_neighbour() -> None:
    text = f"## One\n\n{LONG}{LONG}\n\n## Two\n\nshort\n\n## Three\n\n{LONG}\n"
    assert lines_of(text) == [(1, 3), (5, 11)]


def test_a_short_note_is_one_chunk() -> None:
    assert lines_of("# Title\n\n## One\n\nshort\n") == [(1, 5)]


def test_nothing_has_no_chunk() -> None:
    assert lines_of("") == lines_of("\n \n\t\n") == []


def test_a_long_section_is_cut_between_paragraphs() -> None:
    text = "## One\n\n" + f"{LONG}\n\n" * 10
    cut = lines_of(text)
    assert cut == [(1, 13), (15, 21)]


def test_a_long_list_without_paragraphs_is_cut_between_items() -> None:
    text = "## One\n\n" + "".join(f"- item {n} {LONG}\n" for n in range(20))
    cut = lines_of(text)
    assert len(cut) == 4
    assert [start for start, _ in cut[1:]] == [end + 1 for _, end in cut[:-1]]


def test_code_is_never_cut() -> None:
    code = "```\n" + f"{LONG}\n\n" * 20 + "```\n"
    text = f"## One\n\n{LONG}\n\n{code}\n{LONG}\n"
    cut = lines_of(text)
    assert (5, 46) in cut


def test_a_heading_stays_with_its_text() -> None:
    text = "## One\n\n" + f"{LONG}\n\n" * 6 + "### Deeper\n" + f"{LONG}\n"
    assert lines_of(text)[-1] == (15, 16)


def test_a_chunk_knows_its_source_and_its_place() -> None:
    note = Note("projects/kelpie/NOTES.md", f"# Kelpie\n\n{LONG}\n\n## Sensors\n\n{LONG}\n")
    first, second = chunks_of(note, SIZE)
    assert (first.source, first.place) == ("project", "projects/kelpie/NOTES\nKelpie")
    assert second.place == "projects/kelpie/NOTES\nKelpie\nSensors"
    assert second.text == f"## Sensors\n\n{LONG}"
    assert second.preview.startswith("## Sensors word word") and len(second.preview) == 100


def test_the_rest_of_a_split_section_still_knows_its_heading() -> None:
    note = Note("a.md", "# Top\n## One\n\n" + f"{LONG}\n\n" * 10)
    assert [one.place for one in chunks_of(note, SIZE)] == ["a\nTop\nOne", "a\nTop\nOne"]


LINES = st.sampled_from(
    [
        "",
        "# A",
        "## B",
        "### C",
        "text",
        LONG.strip(),
        "- item",
        "```",
        "<!-- x",
        "-->",
        "Setext",
        "---",
        "\u30c6" * 99,
    ]
)
TEXTS = st.lists(LINES, max_size=60).map("\n".join)


@given(TEXTS, st.integers(50, 200), st.integers(0, 60))
def test_every_line_of_every_section_stands_in_one_chunk(text: str, most: int, least: int) -> None:
    note = Note("a.md", text)
    cut = spans(note, Size(most, least))
    held = [line for start, end in cut for line in range(start, end + 1)]
    assert held == sorted(set(held))
    said = {
        line
        for section in note.sections
        for line in range(section.start, section.end + 1)
        if note.lines[line - 1].strip()
    }
    assert said <= set(held)


@given(TEXTS, st.integers(50, 200), st.integers(0, 60))
def test_chunks_are_neither_long_nor_short_without_need(text: str, most: int, least: int) -> None:
    note = Note("a.md", text)
    cut = spans(note, Size(most, least))
    sizes = [tokens(note.text_of(*one)) for one in cut]
    assert len(cut) == 1 or all(size >= least for size in sizes)
    if "```" not in text and "<!--" not in text:
        line = max((tokens(one) for one in note.lines), default=0)
        assert all(size <= most + 2 * least + 2 * line for size in sizes)
