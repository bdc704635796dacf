from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.topic import sentences, summary_of
from hippocampus_cli.markdown.blocks import heading_of
from hippocampus_cli.markdown.lines import decode
from tests.entries.notes import one


def summary(text: str, topic: str = "Deploy", limit: int = 110, path: str = "TOOLS.md") -> str:
    return summary_of(one(path, text), topic, limit)


def test_the_first_sentence_that_says_more_than_the_topic() -> None:
    text = "# Deploy\n\nDeploy.\n\nPushing to **production** runs `make ship` on main.\n"
    assert summary(text) == "Pushing to production runs make ship on main."


def test_a_code_section_is_its_first_command() -> None:
    assert summary("# Rollback\n\n```bash\n# undo\n$ kelpctl rollback prod\n```\n", "Rollback") == (
        "kelpctl rollback prod"
    )


def test_what_a_sentence_announces_follows_it() -> None:
    text = "# Deploy\n\nSince April the command is:\n\n```\nkelpctl release prod\n```\n"
    assert summary(text, limit=30) == "Since April the command is: kelpctl release prod"


def test_short_bullets_are_joined() -> None:
    assert summary("- [x] staging on sandpiper\n- production on bittern\n", "Servers") == (
        "staging on sandpiper; production on bittern"
    )


def test_a_table_is_its_first_column_of_words() -> None:
    table = "| # | Name | Where |\n|---|---|---|\n| 1 | bittern | Helsinki |\n| 2 | ~~heron~~ | gone |\n"
    assert summary(table, "Servers") == "bittern, heron (#, Name, Where)"


def test_data_is_its_keys() -> None:
    text = '{"users": [{"name": "Ines", "role": "owner"}], "at": "12:30"}'
    assert (
        summary(text, "Known users", path="memory/known-users.json")
        == "Data: users, name, role, at"
    )


def test_a_labelled_form_is_passed_over() -> None:
    text = "- **Session ID**: 8f2a\n- **Source**: telegram\n\nInes asked for the climbing hall.\n"
    assert summary(text, "Session") == "Ines asked for the climbing hall."


@pytest.mark.parametrize(
    "text", ["", "# Only\n", "<!-- comment -->\n", "---\na: b\n---\n", "---\n***\n"]
)
def test_nothing_to_say(text: str) -> None:
    assert summary(text, "Only") == ""


def test_a_long_line_is_cut_at_a_word() -> None:
    found = summary("word " * 1000, "Other")
    assert len(found) <= 110 and found.endswith("word…")


def test_a_single_line_without_spaces_is_cut() -> None:
    assert len(summary("漢字" * 5000, "Other")) <= 110


def test_broken_utf8_and_escapes_leave_printable_text() -> None:
    text = decode(b"caf\xe9 \x1b[31mred alert\x1b[0m in the kitchen tonight\n")
    assert summary(text, "Other").isprintable()


@given(st.text(max_size=400), st.integers(min_value=20, max_value=110))
def test_a_summary_is_one_line_within_its_limit(text: str, limit: int) -> None:
    found = summary(text, "Topic", limit)
    assert "\n" not in found and len(found) <= max(limit, 100)
    assert heading_of(found) is None  # "#0" is none
    assert not found.startswith(("→", "->", "<!--", "- "))


def said(text: str) -> list[str]:
    return list(sentences(one("a.md", text)))


def test_paragraphs_bullets_quotes_and_commands_in_order() -> None:
    text = (
        "# T\n\nOne thing. Another\nthing.\n\n- [ ] a task\n1. a step\n\n> quoted words\n\n"
        "```sh\n# remark\n$ make ship\nmake more\n```\n"
    )
    assert said(text) == [
        "One thing.",
        "Another thing.",
        "a task",
        "a step",
        "quoted words",
        "make ship",
    ]


def test_abbreviations_and_numbers_do_not_end_a_sentence() -> None:
    assert said("Version 4.12 comes e.g. in May. Then rest.\n") == [
        "Version 4.12 comes e.g. in May.",
        "Then rest.",
    ]


def test_japanese_sentences_end_without_a_blank() -> None:
    assert said("水温は二十七度。価格を聞いた。\n") == ["水温は二十七度。", "価格を聞いた。"]


def test_rules_and_empty_lines_say_nothing() -> None:
    assert said("---\n***\n\n| a |\n|---|\n") == ["a"]


def test_a_drawing_in_a_code_block_says_nothing() -> None:
    assert said("```\n┌────┐\n{\n  left → right\n```\n") == ["left → right"]


def test_a_huge_note_is_read_from_its_start_only() -> None:
    assert len(said("- item\n" * 100_000)) <= 401
