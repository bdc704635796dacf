from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.text.plain_text import plain_text, shorten


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("Wants an **evening digest** at `18:30`", "Wants an evening digest at 18:30"),
        ("[the plan](http://x/y) and ![a chart](c.png)", "the plan and a chart"),
        ("see [[nordfjord]] or [[people/eirik|Eirik]]", "see nordfjord or Eirik"),
        ("~~heron~~ <b>gone</b> &amp; done \\*", "heron gone & done *"),
        ("ok ✅ 👩‍🔬 fine 🇩🇪.", "ok fine."),
        ("Deploys went out. [score=0.861 recalls=6]", "Deploys went out."),
        ("snake_case_name stays", "snake_case_name stays"),
        ("__init__.py and `a_b` stay", "__init__.py and a_b stay"),
        ("a\nb\tc", "a b c"),
    ],
)
def test_markdown_reads_as_text(markdown: str, plain: str) -> None:
    assert plain_text(markdown) == plain


def test_escape_sequences_and_direction_marks_do_not_survive() -> None:
    hostile = "a\x1b[31mred\x1b[0m \x9b2J \u202eevil\u202c \udcff end"
    assert plain_text(hostile).isprintable()


@pytest.mark.parametrize("text", ["[" * 5000, "**" * 3000, "![[" * 2000, "<" * 9000, "`" * 9000])
def test_hostile_nesting_gives_a_line(text: str) -> None:
    assert len(plain_text(text)) <= 600


@given(st.text(max_size=300))
def test_plain_text_is_one_printable_line(text: str) -> None:
    plain = plain_text(text)
    assert "\n" not in plain and plain == " ".join(plain.split())
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in plain)


def test_a_text_that_is_too_long_is_cut_at_a_word() -> None:
    assert shorten("as it is", 8) == "as it is"
    assert shorten("the quick brown fox jumps", 18) == "the quick brown…"


@given(st.text(max_size=200), st.integers(min_value=4, max_value=120))
def test_a_cut_text_keeps_the_limit(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit
