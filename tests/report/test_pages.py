"""The report as a markdown page and as an HTML page, and writing one to a file."""

from __future__ import annotations

import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import FileUnwritable, UsageError
from hippocampus_cli.report import pages
from hippocampus_cli.report.health import Health
from hippocampus_cli.report.pages import PAGE_MARK, escaped, html_page, markdown
from tests.support.reports import HOSTILE, lively, nothing

render = mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "url"])
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def write_own(path: Path, text: str) -> None:
    pages.write_over_own(path, text, [PAGE_MARK.encode()], "report")


def test_the_page_has_everything() -> None:
    page = markdown(lively())
    assert page.startswith("# Memory health of ")
    titles = re.findall(r"^## (.*)$", page, re.M)
    assert titles == [
        "Strength",
        "Queries",
        "Growth",
        "Size of the index",
        "What recall gave",
        "Broken pointers",
        "Silent",
        "Orphans",
    ]
    assert "| index tokens | **15,400** (of 15,000, 103%) |" in page
    assert "… and 20 others" in page


def test_of_nothing_there_are_no_empty_tables() -> None:
    page = markdown(nothing())
    assert re.findall(r"^## (.*)$", page, re.M) == []


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
    health: Health = lively()._replace(workspace=HOSTILE)
    assert markdown(health) == markdown(health)


pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
pytest.importorskip("jinja2", reason="the extra `report` is not installed")

_VOID = {"meta", "link", "br", "img", "hr"}


class Reader(HTMLParser):
    """Tags, attributes and text of a page; fails where tags are not nested."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> str:
    return html_page(lively(), "1.0")


def test_the_page_is_whole_and_holds_nothing_that_runs_or_loads(page: str) -> None:
    read = Reader(page)
    assert PAGE_MARK in page
    assert not {"script", "img", "iframe", "object", "link", "form", "a", "image", "use"} & set(
        read.tags
    )
    for name, value in read.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "href", "xlink:href", "action")
        assert "url(" not in (value or "") or (value or "").startswith("url(#")
    assert "@import" not in page and "@font-face" not in page


def test_every_chart_has_a_title_and_a_description(page: str) -> None:
    read = Reader(page)
    assert read.tags.count("svg") == 4
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for name, value in read.attributes:
        if name == "aria-labelledby":
            assert set((value or "").split()) <= set(ids)
    assert read.tags.count("details") == 4


def test_texts_of_the_workspace_are_only_text_page(page: str) -> None:
    assert "<script" not in page
    assert "alert(1)" in Reader(page).text
    assert "{{ 7*7 }}" in Reader(page).text
    assert not {"\x1b", "\x00", "\u202e"} & set(page)
    page.encode()
    assert "x" * 200 not in page


def test_a_page_of_nothing() -> None:
    read = Reader(html_page(nothing(), "1.0"))
    assert "No queries in the journal yet" in read.text
    assert read.tags.count("svg") == 1


def test_only_a_report_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "report"
    write_own(path, f"{PAGE_MARK} first")
    write_own(path, f"{PAGE_MARK} second")
    assert path.read_text() == f"{PAGE_MARK} second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_note_is_not(tmp_path: Path) -> None:
    note = tmp_path / "MEMORY.md"
    note.write_text("# Memory\n")
    with pytest.raises(UsageError, match="is not a report written by hippo"):
        write_own(note, PAGE_MARK)
    assert note.read_text() == "# Memory\n"


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no folder/report.html"):
        with pytest.raises(FileUnwritable):
            write_own(path, PAGE_MARK)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes need a privilege on Windows")
def test_links_stay_and_pipes_are_written_into(tmp_path: Path) -> None:
    target, link, pipe = tmp_path / "target.md", tmp_path / "link.md", tmp_path / "pipe"
    target.write_text(PAGE_MARK)
    link.symlink_to(target)
    write_own(link, f"{PAGE_MARK} new")
    assert link.is_symlink() and target.read_text() == f"{PAGE_MARK} new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_own(pipe, "text")
        assert os.read(reader, 100) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
