from __future__ import annotations

from hippocampus_cli.entries.summary import sentences
from tests.entries.notes import one


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
