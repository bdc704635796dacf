from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors.extract import BOLD, ENTITY, HEADING, NAME, phrases_of, terms_of
from hippocampus_cli.workspace.note import Note


def texts(text: str, kind: str, path: str = "a.md") -> list[str]:
    return [one.text for one in terms_of(Note(path, text)) if one.kind == kind]


@pytest.mark.parametrize(
    ("title", "phrases"),
    [
        ("Deploy", ["deploy"]),
        ("The label printer", ["label printer"]),
        ("2026-04-14 Releases through kelpctl", ["releases through kelpctl"]),
        ("🚀 Deploy", ["deploy"]),
        ("09:00 Office key", ["office key"]),
        ("Decision: EPDM instead of silicone", ["decision", "epdm instead of silicone"]),
        ("`restic` backups every single night and day", ["restic backups every single", "day"]),
        ("[Runbook](docs/runbook.md)", ["runbook"]),
        ("部署流程", ["部署流程"]),
        ("12", []),
        ("", []),
    ],
)
def test_a_title_as_phrases(title: str, phrases: list[str]) -> None:
    assert list(phrases_of(title))[: len(phrases) or 1] == phrases


def test_headings_and_bold_terms() -> None:
    text = "# Tools\n\n## Label printer\n\nThe **canary** and __the blue one__; 2 ** 3 ** 4.\n"
    assert texts(text, HEADING) == ["tools", "label printer"]
    assert texts(text, BOLD) == ["canary", "blue one"]


def test_code_names_nothing() -> None:
    text = "```\n**bold** Torunn Hagen\n# no heading\n```\n"
    assert list(terms_of(Note("a.md", text))) == []


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("projects/kelpie/NOTES.md", ["kelpie"]),
        ("people/ada-lovelace.md", ["ada lovelace"]),
        ("memory/projects/gannet.md", ["gannet"]),
        ("docs/api.md", []),
        ("projects.md", []),
    ],
)
def test_folders_and_files_name_people_and_projects(path: str, names: list[str]) -> None:
    assert texts("", ENTITY, path) == names


def test_capitalised_names_and_names_of_products() -> None:
    found = texts("Yesterday we met Torunn Hagen. She likes our ESP32, and LoRa on iPhone.\n", NAME)
    assert {"torunn hagen", "esp32", "lora", "iphone"} <= set(found)


def test_the_first_word_of_a_sentence_is_not_sure_to_be_a_name() -> None:
    terms = [one for one in terms_of(Note("a.md", "Yesterday. Perhaps it rains.\n")) if one.sure]
    assert terms == []


@given(st.text(max_size=200))
def test_any_text_has_terms_of_at_most_sixty_characters(text: str) -> None:
    for term in terms_of(Note("people/x.md", text)):
        assert 1 < len(term.text) <= 60
        assert term.text == term.text.lower() or not term.text.isascii()


LISTED = "# Projects\n\n- kelpie — the dashboard\n- plumbline v2: a probe\n"
TABLED = "# Memory\n\n## People\n\n| who | what |\n|---|---|\n| anselm pugh | neighbour |\n"


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("projects-master.md", LISTED, {"kelpie", "plumbline v2"}),
        ("MEMORY.md", TABLED, {"anselm pugh"}),
        ("MEMORY.md", "# Memory\n\n## Rules\n\n- kelpie goes first\n", set()),
        (
            "people.md",
            "# People\n\n- who said that the whole thing was too long for a name\n",
            set(),
        ),
    ],
)
def test_what_a_list_of_projects_or_people_begins_its_lines_with_is_a_name(
    path: str, text: str, names: set[str]
) -> None:
    found = {one.text for one in terms_of(Note(path, text)) if one.kind == ENTITY}
    assert names <= found and bool(names) == bool(found & {"kelpie", "plumbline v2", "anselm pugh"})
