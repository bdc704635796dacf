from __future__ import annotations

import sys
from html.parser import HTMLParser

import pytest

from hippocampus_cli.errors import ExtraMissing
from hippocampus_cli.report.assess import assess
from hippocampus_cli.report.pages import PAGE_MARK, html_page
from tests.report.samples import HOSTILE, entry, known, lively, nothing

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
    assert read.tags.count("svg") == 6
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    for name, value in read.attributes:
        if name == "aria-labelledby":
            assert set((value or "").split()) <= set(ids)
    assert read.tags.count("details") == 6


def test_texts_of_the_workspace_are_only_text(page: str) -> None:
    assert "<script" not in page
    assert "alert(1)" in Reader(page).text
    assert "{{ 7*7 }}" in Reader(page).text
    assert not {"\x1b", "\x00", "\u202e"} & set(page)
    page.encode()
    assert "x" * 200 not in page


def test_a_page_of_nothing() -> None:
    read = Reader(html_page(nothing(), "1.0"))
    assert "there are no entries yet" in read.text
    assert "No queries in the journal yet" in read.text
    assert read.tags.count("svg") == 1


def test_one_entry_and_nothing_to_do() -> None:
    cycles = dict.fromkeys(("daily", "weekly", "monthly"), lively().at)
    text = entry("a", rel="b", pri="amygdala") + entry("b", pri="amygdala")
    read = Reader(html_page(assess(known(text, cycles=cycles, workspace=HOSTILE)), "1.0"))
    assert "Nothing to do." in read.text


@pytest.mark.parametrize("module", ["vl_convert", "jinja2"])
def test_without_the_extra_it_says_what_to_install(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "hippocampus_cli.report.charts", raising=False)
    with pytest.raises(ExtraMissing) as raised:
        html_page(nothing(), "1.0")
    assert "pip install '.[report]' in a clone" in raised.value.advice
    assert raised.value.exit_code == 16
