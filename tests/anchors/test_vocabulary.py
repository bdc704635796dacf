"""Which words and phrases are anchors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors.vocabulary import MOST_WORDS, Vocabulary, phrases_of
from hippocampus_cli.text.terms import language_of, terms
from hippocampus_cli.text.tokenizer import words_of
from hippocampus_cli.workspace.note import Note
from tests.support.anchor_notes import NOTES


def anchors(notes: Mapping[str, str], most: int = 1_000, deny: Sequence[str] = ()) -> list[str]:
    vocabulary = Vocabulary()
    frequencies: Counter[str] = Counter()
    for path, text in notes.items():
        vocabulary.add_note(Note(path, text))
        frequencies.update(set(terms(text, language_of(text))))
    return list(vocabulary.anchors(frequencies, len(notes), most, deny))


@pytest.mark.parametrize(
    ("title", "phrases"),
    [
        ("Deploy", ["deploy"]),
        ("The label printer", ["label printer"]),
        ("2026-04-14 Releases through kelpctl", ["releases through kelpctl"]),
        ("🚀 Deploy", ["deploy"]),
        ("09:00 Office key", ["office key"]),
        ("Decision: EPDM instead of silicone", ["decision", "epdm instead of silicone"]),
        ("`restic` backups of every single disk and drive", []),
        ("[Runbook](docs/runbook.md)", ["runbook"]),
        ("部署流程", ["部署流程"]),
        ("12", []),
        ("", []),
        ("Ok, thanks", []),
    ],
)
def test_a_title_as_phrases(title: str, phrases: list[str]) -> None:
    assert list(phrases_of(title)) == phrases


@given(st.text(max_size=200))
def test_any_text_has_short_phrases_in_lower_case(text: str) -> None:
    for phrase in phrases_of(text):
        assert 0 < len(words_of(phrase)) <= 2 * MOST_WORDS
        assert phrase == phrase.lower()


def test_what_notes_name_is_their_vocabulary() -> None:
    found = anchors(NOTES)
    assert {"label printer", "papers", "kelpie", "gannet", "canary"} <= set(found)
    assert {"migration", "oxygen", "torunn"} & set(found) == {"migration", "oxygen"}
    assert not {"the", "hull is", "titanium"} & set(found)  # titanium stands in one note alone
    assert found == sorted(found)


def test_code_names_nothing() -> None:
    assert anchors({"a.md": "```\n**bold** name: Torunn\n# no heading\n```\n"}) == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("projects/kelpie/NOTES.md", "kelpie"),
        ("people/ada-lovelace.md", "ada lovelace"),
        ("memory/projects/gannet.md", "gannet"),
        ("docs/api.md", None),
        ("projects.md", None),
    ],
)
def test_folders_and_files_name_people_and_projects(path: str, name: str | None) -> None:
    assert anchors({path: ""}) == ([name] if name else [])


def test_bold_terms_labels_and_lists_name() -> None:
    text = (
        "The **blue canary** and 2 ** 3.\n\n- Anselm Pugh: neighbour\n\n| kelpie v2 | a probe |\n"
    )
    assert {"blue canary", "anselm pugh", "kelpie v2"} <= set(anchors({"a.md": text}))


def test_denied_words_are_no_anchors_however_they_are_inflected() -> None:
    assert not {"label printer", "migration"} & set(
        anchors(NOTES, deny=["Label Printers", "migrations"])
    )


def test_too_many_anchors_leave_room_for_words() -> None:
    found = anchors(NOTES, 10)
    assert len(found) == 10 and {"papers", "canary"} <= set(found)
    assert {"oxygen", "migration"} & set(found)


def test_one_anchor_for_all_spellings() -> None:
    notes = {"a.md": "# Follow-up\n\nA follow-up.\n\n## follow-ups\n\nFollow-Ups.\n"}
    assert sum("up" in text for text in anchors(notes)) == 1


def test_languages_without_spaces_have_anchors() -> None:
    found = anchors({"a.md": "# 部署流程\n\n先测试再部署。\n", "b.md": "# 笔记\n\n部署失败了。\n"})
    assert {"部署流程", "部署"} <= set(found)
