"""What each line of a markdown text is."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.markdown.blocks import Blocks, Kind, heading_of, scan
from hippocampus_cli.markdown.lines import split_lines
from tests.support.markdown import TEXTS

LETTERS = {".": Kind.TEXT, "H": Kind.HEADING, "C": Kind.CODE, "!": Kind.COMMENT, "Y": 4}


def kinds(text: str, *, setext: bool = True) -> str:
    """One letter a line: text ``.``, heading ``H``, code ``C``, comment ``!``, front matter ``Y``."""
    letters = {int(kind): letter for letter, kind in LETTERS.items()}
    return "".join(letters[kind] for kind in scan(split_lines(text), setext=setext).kinds)


def titles(text: str) -> list[tuple[int, str]]:
    found = scan(split_lines(text), setext=True)
    return [(heading.level, heading.title) for heading in found.headings]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# A\n", (1, "A")),
        ("###### A", (6, "A")),
        ("   ## A ##  \r\n", (2, "A")),
        ("#\tA", (1, "A")),
        ("## C#", (2, "C#")),
        ("#", (1, "")),
        ("## ##", (2, "")),
        ("\ufeff# A", (1, "A")),
        ("####### A", None),
        ("#tag", None),
        ("    # A", None),
        ("\t# A", None),
        ("- # A", None),
        ("", None),
    ],
)
def test_heading_lines(line: str, expected: tuple[int, str] | None) -> None:
    assert heading_of(line) == expected


def test_headings_inside_fences_and_comments_are_text() -> None:
    assert kinds("# A\n```sh\n# no\n```\n<!--\n# no\n-->\n# B\n") == "HCCC!!!H"
    assert kinds("~~~\n```\n# no\n~~~\n# B\n") == "CCCCH"
    assert kinds("````\n```\n# no\n````\n# B\n") == "CCCCH"
    assert kinds("```\r\n# no\r\n```\r\n# B\r\n") == "CCCH"
    assert kinds("```\r# no\r```\r# B\r") == "CCCH"


def test_inline_code_is_no_fence() -> None:
    assert kinds("```not a fence``` here\n# A\n") == ".H"
    assert kinds("~~~ with ` inside\n# no\n~~~\n") == "CCC"


def test_fences_in_lists() -> None:
    assert kinds("- step\n  ```sh\n  # no\n  ```\n# A\n") == ".CCCH"
    assert kinds("- ```sh\n  # no\n  ```\n\n## A\n\n```\n# no\n```\n") == "CCC.H.CCC"
    assert kinds("1. - ~~~\n# no\n   ~~~\n# A\n") == "CCCH"
    assert kinds("- use ``` to fence\n# A\n```\n# no\n```\n") == ".HCCC"


def test_what_is_never_closed_hides_nothing() -> None:
    for opening in ("```", "~~~~", "<!--", "<!-- hx: id=a"):
        found = scan(split_lines(f"# A\n{opening}\n# B\n"))
        assert [heading.title for heading in found.headings] == ["A", "B"]
        assert found.unclosed == [1]
    assert kinds("````\n# A\n```\n# B\n```\n# C\n") == ".HCCCH"
    assert kinds("```\n# no\n```\n```\n# A\n") == "CCC.H"


def test_comments_end_where_the_next_begins() -> None:
    assert kinds("<!-- a\n<!-- b -->\n# A\n") == ".!H"
    assert kinds("<!-- a -->\n# A\n") == "!H"
    assert kinds("<!-->\n# A\n-->\n") == "!!!"
    assert kinds("<!-- hx: id=a\n# A\n-->\n") == ".H."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: A\ntags: [a]\n---\n# A\n", "YYYYH"),
        ("---\ntitle: A\n...\n# A\n", "YYYH"),
        ("\ufeff---\r\ntitle: A\r\n---\r\n# A\r\n", "YYYH"),
        ("---\ntitle: A\n\ntags:\n  - b\n\n- c\n# said\n---\n# A\n", "YYYYYYYYYH"),
        ("---\n# said\ntitle: A\n---\n# A\n", "YYYYH"),
        ("---\ntitle: A\nbroken yaml\n---\n# A\n", "YYYYH"),
        ("---\n---\n# A\n", "YYH"),
        ("---\ntitle: A\n\n# Heading\n\ntext\n\n---\n", "...H...."),
        ("---\ntitle: A\n\nProse goes on.\n\n---\n# A\n", "......H"),
        ("---\n# A\n\ntext\n\n---\n", ".H...."),
        ("---\ntitle: never closed\n# A\n", "..H"),
        ("\n---\ntitle: A\n---\n", "...."),
    ],
)
def test_front_matter(text: str, expected: str) -> None:
    assert kinds(text) == expected


def test_setext_headings() -> None:
    assert titles("Title\n=====\n\nSub\r\n---\r\n") == [(1, "Title"), (2, "Sub")]
    assert titles("\ufeffTitle\n===\n") == [(1, "Title")]
    assert kinds("Title\n===\n", setext=False) == ".."


@pytest.mark.parametrize(
    "text",
    [
        "- item\n---\n",
        "| a |\n|---|\n",
        "> quote\n---\n",
        "two lines\nof prose\n---\n",
        "\n---\n",
        "text\n-\n",
        "text\n- - -\n",
        "    code\n---\n",
        f"{'long prose ' * 30}\n---\n",
        "# A\n---\n",
        "```\n---\n",
        "<!-- lost\n---\n",
        "```\n```\n---\n",
    ],
)
def test_a_rule_is_no_setext_heading(text: str) -> None:
    assert [title for _, title in titles(text)] in ([], ["A"])


@given(TEXTS, st.booleans())
def test_any_text_is_classified(text: str, setext: bool) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    found = scan(lines, setext=setext)
    assert len(found.kinds) == len(lines)
    marked = [at for at, kind in enumerate(found.kinds) if kind == Kind.HEADING]
    covered = [at for head in found.headings for at in range(head.line, head.line + head.span)]
    assert covered == marked
    assert all(1 <= head.level <= 6 for head in found.headings)
    assert all(found.kinds[at] == Kind.TEXT for at in found.unclosed)


@given(TEXTS, st.sampled_from(["``` x", "~~~ x", "- ```", "<!--", "<!-- hx:"]))
def test_a_lost_opening_at_the_end_changes_nothing_before(text: str, opening: str) -> None:
    before = [*split_lines(text + "\n"), "\n"]
    assert scan([*before, opening]).kinds[:-1] == scan([*before, "x"]).kinds[:-1]


def _calls(lines: list[str]) -> int:
    """How many calls classifying takes: a measure of work that does not depend on the machine."""
    count = 0

    def counting(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counting)
    try:
        scan(lines, setext=True)
    finally:
        sys.setprofile(None)
    return count


def _repeated(line: str) -> list[str]:
    return [line] * 1000


def _growing(char: str) -> list[str]:
    """Fences of falling length, none of which any other closes."""
    lines = []
    for length in range(150, 2, -1):
        lines += [f"{char * length} x\n", "text\n", "text\n", "text\n", "text\n", "text\n"]
    return lines


@pytest.mark.parametrize(
    "lines",
    [
        *(
            _repeated(f"{line}\n")
            for line in ("``` x", "~~~ x", "- ``` x", "<!--", "<!-- hx:", "# A")
        ),
        _growing("`"),
        [*_growing("~"), *_repeated("text\n")],
        ["---\n", *_repeated("a: b\n\n")],
    ],
)
def test_the_work_grows_with_the_text_only(lines: list[str]) -> None:
    assert _calls(lines) < 40 * len(lines) + 500


def test_empty() -> None:
    assert scan([]) == Blocks(bytearray(), [], [])


def test_after_the_most_headings_the_others_are_text() -> None:
    lines = ["# a\n", "b\n", "===\n", "# c\n", "```\n", "# d\n", "```\n", "- ```\n", "x\n", "```\n"]
    blocks = scan(lines, setext=True, most=1)
    assert [one.title for one in blocks.headings] == ["a"]
    assert [Kind(kind).name for kind in blocks.kinds] == ["HEADING", *["TEXT"] * 3, *["CODE"] * 6]
