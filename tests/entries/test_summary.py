from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.sentences import sentences
from hippocampus_cli.entries.summary import summary_of
from hippocampus_cli.entries.vocabulary import learn
from hippocampus_cli.markdown.blocks import heading_of
from hippocampus_cli.markdown.lines import decode
from tests.support.passages import one


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


def test_a_table_is_what_its_columns_are_and_two_cells_of_its_rows() -> None:
    table = (
        "| # | Name | Where |\n|---|---|---|\n| 1 | bittern | Helsinki |\n| 2 | heron | Oslo |\n"
    )
    assert summary(table, "Servers") == "Name, Where: bittern Helsinki; heron Oslo"


def test_what_is_struck_through_is_not_told() -> None:
    table = "| Name | Where |\n|---|---|\n| ~~heron~~ | Oslo |\n| coot | Rome |\n| teal | Ulm |\n"
    assert summary(table, "Servers") == "Name, Where: coot Rome; teal Ulm"
    text = "The day rate is ~~480~~ 520 euros.\n~~Ask Wilson about the van first.~~\n"
    assert summary(text, "Money") == "The day rate is 520 euros."


def test_the_head_of_a_mail_is_not_told() -> None:
    text = (
        "From: wilson@van.example\nTo: ines@home.example\nThe van is ready on Monday after ten.\n"
    )
    assert summary(text, "Mail") == "The van is ready on Monday after ten."


def test_a_table_tells_what_was_and_not_only_when() -> None:
    table = "| Version | Date | What |\n|---|---|---|\n| 4.2 | 12 Feb | map |\n| 4.3 | 24 Feb | tides |\n"
    assert summary(table, "Releases") == "Version, Date, What: 4.2 map; 4.3 tides"


def test_a_column_that_is_the_same_in_every_row_tells_nothing() -> None:
    table = "| What | Per | Price |\n|---|---|---|\n| Hall | hour | 40 |\n| Boat | hour | 25 |\n"
    assert summary(table, "Money") == "What, Price: Hall 40; Boat 25"


def test_a_line_ends_with_a_whole_fact_where_it_is_long_enough() -> None:
    text = "The offer of Brightbarn is 11,400 with the permit; Halyard asks 9,850 (without scaffolding)\n"
    assert summary(text, "Solar", 84) == (
        "The offer of Brightbarn is 11,400 with the permit; Halyard asks 9,850"
    )
    spare = "Spare parts cost nine euros for the whip and the battery pack incl. postage is forty euros\n"
    assert summary(spare, "Parts", 80).endswith("incl. postage is…")


DAYS = {
    f"memory/2026-04-{day:02}.md": f"- Till closed, {day} euros missing\n- Parcel from Wilson late, {day} boxes\n"
    for day in range(1, 12)
}
TOLD = "- From May the day rate is 560, agreed with everyone\n"


def test_what_logs_say_every_day_is_said_only_where_there_is_nothing_else() -> None:
    days = {**DAYS, "memory/2026-04-07.md": f"{DAYS['memory/2026-04-07.md']}{TOLD}"}
    vocabulary = learn([one(path, text) for path, text in days.items()])
    told = one("memory/2026-04-07.md", days["memory/2026-04-07.md"])
    assert summary_of(told, "April", 110, vocabulary) == (
        "From May the day rate is 560, agreed with everyone"
    )
    usual = one("memory/2026-04-08.md", days["memory/2026-04-08.md"])
    assert "Till closed" in summary_of(usual, "April", 110, vocabulary)


@given(st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6).map(" ".join))
def test_what_many_logs_say_word_for_word_is_routine(line: str) -> None:
    sentence = f"Parcel {line} again"
    vocabulary = learn(
        one(f"memory/2026-04-{day:02}.md", f"{sentence} {day}\n") for day in range(1, 9)
    )
    assert vocabulary.is_routine(sentence)
    assert not vocabulary.is_routine("Something wholly different was decided")


def test_chinese_logs_have_a_routine_too() -> None:
    vocabulary = learn(
        one(f"memory/2026-04-{day:02}.md", f"- 译稿第{day}页有个词拿不准\n") for day in range(1, 9)
    )
    assert vocabulary.is_routine("译稿第40页有个词拿不准")
    assert not vocabulary.is_routine("老板搬家了，新地址是磨坊街十九号")


def test_a_sentence_that_the_topic_begins_is_ended() -> None:
    text = "- Till closed\n- Delivery of the catalogue moved: no longer 30 April but 28 May\n"
    vocabulary = learn([one(*day) for day in DAYS.items()])
    told = one("memory/2026-04-20.md", text)
    said = summary_of(told, "2026-04-20: Delivery of the catalogue moved", 110, vocabulary)
    assert said.startswith("no longer 30 April but 28 May")


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


def test_titles_and_ordinal_numbers_do_not_end_a_sentence() -> None:
    assert said("Seit heute macht Frau Dr. Wiarda die Steuer. Ab dem 1. Juli auch den Rest.\n") == [
        "Seit heute macht Frau Dr. Wiarda die Steuer.",
        "Ab dem 1. Juli auch den Rest.",
    ]


def test_lines_that_their_author_ended_are_not_joined() -> None:
    assert said("- estimate sent\nPhoto session moved\n09:43 guest wifi on\n10:10 off again\n") == [
        "estimate sent",
        "Photo session moved",
        "09:43 guest wifi on",
        "10:10 off again",
    ]


def test_japanese_sentences_end_without_a_blank() -> None:
    assert said("水温は二十七度。価格を聞いた。\n") == ["水温は二十七度。", "価格を聞いた。"]


def test_rules_and_empty_lines_say_nothing() -> None:
    assert said("---\n***\n\n| a |\n|---|\n") == ["a"]


def test_a_drawing_in_a_code_block_says_nothing() -> None:
    assert said("```\n┌────┐\n{\n  left → right\n```\n") == ["left → right"]


def test_a_huge_note_is_read_from_its_start_only() -> None:
    assert len(said("- item\n" * 100_000)) <= 401


def test_a_line_that_several_notes_have_is_said_last() -> None:
    saved = "(saved in 2026 from some forum, other people's setups)"
    notes = {
        f"clippings/{name}.md": f"# {name}\n\n{saved}\n\n{told}\n"
        for name, told in {
            "caddy": "Headers are set once for all hosts behind the proxy.",
            "tuning": "A larger record size halves the reads of video files.",
            "switches": "Eight ports draw sixty watts at most in winter.",
        }.items()
    }
    vocabulary = learn([one(path, text) for path, text in notes.items()])
    passage = one("clippings/tuning.md", notes["clippings/tuning.md"])
    assert summary_of(passage, "tuning", 70, vocabulary).startswith("A larger record size")
    assert summary_of(passage, "tuning", 70).startswith("(saved")
