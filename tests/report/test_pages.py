from __future__ import annotations

import re
from dataclasses import replace

import mistune
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.report.health import Health
from hippocampus_cli.report.pages import MARK, escaped, markdown
from tests.report.samples import HOSTILE, lively, nothing

render = mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "url"])
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def test_the_page_has_everything() -> None:
    page = markdown(lively())
    assert page.startswith(f"{MARK}\n# Memory health of ")
    titles = re.findall(r"^## (.*)$", page, re.M)
    assert titles == [
        "To do",
        "Strength, now and later",
        "Queries by route",
        "Growth",
        "Size of the index",
        "Broken pointers",
        "Most used",
        "Silent",
        "Never used",
        "Orphans",
    ]
    assert "| index tokens | **15,400** (of 15,000, 103%) |" in page
    assert "`hippo check`" in page
    assert "… and 20 others" in page


def test_of_nothing_there_are_no_empty_tables() -> None:
    page = markdown(nothing())
    assert re.findall(r"^## (.*)$", page, re.M) == ["To do"]


def test_texts_of_the_workspace_are_only_text() -> None:
    page = markdown(lively())
    page.encode()
    assert not {"\x1b", "\x00", "\u202e"} & set(page)
    html = str(render(page))
    assert "<script" not in html
    assert "<a " not in html
    assert max(map(len, page.splitlines())) < 1_000


@given(st.text(st.characters(codec=None)))
def test_any_text_stays_within_its_cell(text: str) -> None:
    html = str(render(f"| a | b |\n|---|---|\n| {escaped(text)} | end |\n"))
    assert html.count("<td") == 2
    assert "end" in html
    cells = _CELL.findall(html)
    assert not re.search(r"<(?!U\+)", cells[0])


def test_the_same_twice() -> None:
    health: Health = replace(lively(), workspace=HOSTILE)
    assert markdown(health) == markdown(health)
