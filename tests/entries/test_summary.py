from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.draft import SUMMARY_CHARACTERS, contents, summary_of
from hippocampus_cli.entries.passages import says_nothing, statements
from hippocampus_cli.entries.telling import CODE, ITEM, PARAGRAPH, ROW
from hippocampus_cli.markdown.blocks import heading_of
from hippocampus_cli.markdown.lines import decode
from tests.support.passages import one


def summary(text: str, topic: str = "Deploy", path: str = "TOOLS.md") -> str:
    return summary_of(one(path, text), topic)


@pytest.mark.parametrize(
    ("text", "topic", "told"),
    [
        (
            "# Deploy\n\nDeploy.\n\nPushing to **production** runs `make ship`.\n",
            "Deploy",
            "Pushing to production runs make ship.",
        ),
        (
            "# Deploy\n\nIt is run as:\n\n```\nkelpctl release prod\n```\n",
            "Deploy",
            "It is run as: kelpctl release prod",
        ),
        (
            "| Name | Where | Rack |\n|---|---|---|\n| bittern | Helsinki | | 3 |\n",
            "Servers",
            "bittern: Helsinki, 3",
        ),
        ("The day rate is ~~480~~ 520 euros.\n", "Money", "The day rate is 520 euros."),
        ("- **Name:** Ines\n- **Lives in:** Bremen\n", "USER", "Lives in: Bremen"),
        ("- **Emoji:** 🐙\n- **Role:** keeper of keys\n", "Milo", "Role: keeper of keys"),
        ("React when it helps (🎉, 👍) and rarely.\n", "A", "React when it helps and rarely."),
        ("```\n{\n┌── ──┐\nkelpctl release prod\n```\n", "Deploy", "kelpctl release prod"),
    ],
)
def test_a_summary_is_the_most_telling_whole_sentences(text: str, topic: str, told: str) -> None:
    assert summary(text, topic) == told


def test_a_sentence_that_fits_comes_before_one_that_would_be_cut() -> None:
    long = f"The offer {'and the permit ' * 14}stand.\n\n"
    assert summary(f"{long}Halyard asks 9,850 euros.\n", "Solar") == "Halyard asks 9,850 euros."
    assert summary(long, "Solar").endswith("…")


def test_a_note_of_several_sections_says_which() -> None:
    text = "# Acme\n\nA shop for kites in Bremen.\n\n## Stack\nx\n\n## Kites by size\ny\n## Rolls of cloth\ny\n"
    told = "A shop for kites in Bremen. · Kites by size; Rolls of cloth"
    assert summary(text, "Acme") == told  # many workspaces have a heading Stack
    long = f"# Acme\n## AKIAIOSFODNN7ABCDEFG\nx\n## {'Quarterly kites ' * 2}\n## Boat\n## Up\n"
    assert contents(one("a.md", long), 20) == "Boat"


def test_what_templates_and_programs_write_everywhere_is_not_told() -> None:
    template = "_Learn about the person you're helping._\n\n- **Pronouns:** _(optional)_\n"
    assert (
        summary(f"{template}- **Name:** Ines Moen from Bremen\n") == "Name: Ines Moen from Bremen"
    )
    dump = "- **Session Key**: agent:main:discord:channel:1485\n\n## Conversation Summary\n\n"
    assert summary(f"{dump}We moved the kites to Emden.\n") == "We moved the kites to Emden."
    assert says_nothing(one("notes/a.md", template)) and not says_nothing(
        one("b.md", dump + "To Emden.")
    )


def test_data_has_no_sentence() -> None:
    text = '{"users": [{"name": "Ines", "role": "owner"}], "at": "12:30"}'
    assert summary(text, "Known users", path="memory/a.json") == ""


@pytest.mark.parametrize(
    "text", ["", "# Only\n", "<!-- comment -->\n", "---\na: b\n---\n", "---\n***\n"]
)
def test_nothing_to_say(text: str) -> None:
    assert summary(text, "Only") == ""


@given(st.text(max_size=400))
def test_a_summary_is_one_line_within_its_limit(text: str) -> None:
    found = summary(text, "Topic")
    assert "\n" not in found and len(found) <= 200 + SUMMARY_CHARACTERS
    assert heading_of(found) is None  # "#0" is none
    assert not found.startswith(("→", "->", "<!--", "- "))


def test_broken_utf8_and_escapes_leave_printable_text() -> None:
    text = decode(b"caf\xe9 \x1b[31mred alert\x1b[0m in the kitchen tonight\n")
    assert summary(text, "Other").isprintable()
    assert len(summary("漢字" * 5000, "Other")) <= 200


def test_paragraphs_items_quotes_rows_and_lines_of_code_in_order() -> None:
    text = (
        "# T\n\nOne thing. Another\nthing, by Dr. Wiarda.\n\n- [ ] a task\n1. a step\n\n> quoted words\n\n"
        "## U\n```sh\nmake ship\nmake more\n```\n---\n| a | b |\n|---|---|\n| c | d |\n"
    )
    assert list(statements(one("a.md", text))) == [
        ("One thing.", PARAGRAPH, 1),
        ("Another thing, by Dr. Wiarda.", PARAGRAPH, 1),
        ("a task", ITEM, 1),
        ("a step", ITEM, 1),
        ("quoted words", PARAGRAPH, 1),
        ("make ship", CODE, 2),
        ("make more", CODE, 2),
        ("c: d", ROW, 2),
    ]
