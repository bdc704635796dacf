"""Naming a section and finding it again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.note import Note, Section, fold, plain
from hippocampus_cli.workspace.sections import SectionNames, find_section, pointer_name


def sections(text: str) -> tuple[Section, ...]:
    return Note("a.md", text).sections


def names(text: str) -> list[str | None]:
    found = sections(text)
    return [pointer_name(found, section) for section in found]


def where(text: str, name: str) -> int | None:
    """The line of what ``name`` finds."""
    found = find_section(sections(text), name)
    return found.start if found else None


DAY = "intro\n# Mon\n## Notes\n## Done\n# Tue\n## Notes\n## Notes\n"


def test_the_shortest_name_that_means_one_section() -> None:
    assert names(DAY) == [*(None, "Mon", "Mon > Notes", "Done", "Tue", "Notes #2", "Notes #3")]


def test_names_are_found() -> None:
    assert where(DAY, "Done") == 4
    assert where(DAY, "Mon > Notes") == 3
    assert where(DAY, "Notes #3") == 7
    assert where(DAY, "Tue > Notes #2") == 7
    assert where(DAY, "Notes") == 3  # the first, where the writer did not say which
    assert where("# A\n## B\n### C\n# D\n### C\n", "a > b > c") == 3
    for missing in ("Notes #4", "Notes #0", "Wednesday", "", "  ", "#1", " > ", "§", "-->", "\0"):
        assert where(DAY, missing) is None


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Deploy Command", "deploy  COMMAND "),
        ("**Deploy** `command`", "Deploy command"),
        ("[Deploy](https://x.test/a) command", "Deploy command"),
        ("[[deploy-page|Deploy]] command", "Deploy command"),
        ("⚙️ Setup", "⚙ Setup"),
        ("_Deploy_ snake_case", "deploy snake_case"),
        ("C\\# notes", "C# notes"),
        ("Straße", "STRASSE"),
        ("a\u00a0b\u200b", "A B"),
    ],
)
def test_what_does_not_matter_in_a_heading(heading: str, name: str) -> None:
    assert where(f"text\n## {heading}\n", name) == 2
    found = sections(f"## {heading}\n")
    assert pointer_name(found, found[0]) == plain(heading)


def test_underscores_inside_words_matter() -> None:
    assert fold("snake_case") != fold("snakecase")


def test_a_heading_that_reads_like_a_name_keeps_its_own() -> None:
    text = "# A\n# A\n# A #2\n# P\n## A\n# P > A\n## A\n# A #02\n"
    found = sections(text)
    for section in found:
        name = pointer_name(found, section)
        again = find_section(found, name or "")
        assert again is not None and again == section, name
    assert where(text, "A #2") == 3
    assert where(text, "P > A") == 6
    assert names(text)[1] == "A #002"


@pytest.mark.parametrize("now", ["", "# Day\n", "# Day\n\n## Evening\n"])
def test_a_section_that_is_gone_has_its_title(now: str) -> None:
    """A note may be read anew, by another process too, after a section of it was found."""
    noon = Note("a.md", "# Day\n\n## Noon\n").sections[-1]
    assert pointer_name(Note("a.md", now).sections, noon) == "Noon"


def test_headings_without_text() -> None:
    text = "#\n##\n# **\n"
    assert names(text) == ["#1", "#2", "#3"]
    assert [where(text, f"#{n}") for n in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Deploy comand", 1),
        ("command deploy", 1),
        ("deploy-command", 1),
        ("Deploy", 1),
        ("## Deploy command", 1),
        ("Vercel", 2),
        ("🚀 Vercel set-up", 2),
        ("Sprint 12 revew", 3),
        ("Staging > Rollbak", 6),
        ("Rollback plan", None),  # two sections, equally likely
        ("Sprint 14 review", None),  # another number is another thing
        ("review", None),
        ("Completely different", None),
        ("x" * 5000, None),
    ],
)
def test_likeness(name: str, line: int | None) -> None:
    text = (
        "# Deploy command\n# Vercel setup\n# Sprint 12 review\n# Sprint 13 review\n"
        "# Staging\n## Rollback\n# Production\n## Rollback plan a\n## Rollback plan b\n"
    )
    assert where(text, name) == line
    assert SectionNames(sections(text)).find(name) is None


def test_many_duplicates_are_named_quickly() -> None:
    found = sections("# P\n" + "## Notes\n" * 2000)
    every = SectionNames(found)
    assert [every.pointer_name(section) for section in found[1:]] == [
        f"Notes #{n}" for n in range(1, 2001)
    ]


TITLES = st.one_of(
    st.sampled_from(["A", "a", "A #2", "A #02", "A #1", "P > A", "P", "*A*", "", "#2", "> A", "`"]),
    st.text("AP>#12 *_[]()|`\\§\ufe0f", max_size=8),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=10),
)
HEADINGS = st.lists(st.tuples(st.integers(1, 6), TITLES), max_size=14)


def note_of(headings: list[tuple[int, str]]) -> str:
    return "".join(f"{'#' * level} {title}\n" for level, title in headings)


@given(HEADINGS)
def test_a_name_finds_the_section_that_it_was_made_for(headings: list[tuple[int, str]]) -> None:
    found = sections(note_of(headings))
    every = SectionNames(found)
    given_out = set()
    for section in found:
        name = every.pointer_name(section)
        assert name is not None and name == name.strip() and name
        again = every.find(name)
        assert again is not None and again == section
        given_out.add(fold(name))
    assert len(given_out) == len(found)


@given(HEADINGS, st.lists(st.sampled_from(["text\n", "\n", "# Zz\n", "###### Yy\n", "- x\n"])))
def test_a_name_survives_lines_added_above(
    headings: list[tuple[int, str]], added: list[str]
) -> None:
    text, above = note_of(headings), "".join(added)
    before, after = sections(text), sections(above + text)
    moved = above.count("\n")
    for section in before:
        name = pointer_name(before, section)
        again = find_section(after, name or "")
        assert again is not None
        assert (again.start - moved, again.title) == (section.start, section.title)


@given(HEADINGS, st.text(max_size=30))
def test_any_name_is_answered(headings: list[tuple[int, str]], name: str) -> None:
    found = sections(note_of(headings))
    again = find_section(found, name)
    assert again is None or again in found


@given(st.text(max_size=40))
def test_folding_reads_any_title(title: str) -> None:
    assert fold(title) == fold(f"  {title}\t")
    assert plain(title) == plain(title).strip()
