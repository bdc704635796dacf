"""The page in a real browser: what is drawn, what is asked of the network, what a phone shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hippocampus_cli.report.pages import html_page
from tests.report.browser import NAMES, Page, browser, installed
from tests.support.reports import lively, nothing

PROGRAM = installed()
pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason=f"no headless browser is installed ({', '.join(NAMES)})"
)
SCREENS = [(1280, 900), (768, 1024), (390, 844)]
_BOXES = """[...document.querySelectorAll('figure svg')].map(one => {
    const box = one.getBoundingClientRect(), place = one.parentElement.getBoundingClientRect();
    return [box.width, box.height, box.left >= place.left && box.right <= place.right + 1];
})"""
_TEXTS = """[...document.querySelectorAll('figure svg text')]
    .filter(one => one.getAttribute('opacity') !== '0')
    .map(one => one.getBoundingClientRect().height)"""
_RIGHT = """Math.max(...[...document.querySelectorAll('body *')]
    .filter(one => !one.closest('.scroll')).map(one => one.getBoundingClientRect().right))"""
_OPENED = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert PROGRAM
    with browser(PROGRAM, tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _saved(tmp_path_factory.mktemp("report"), html_page(lively(), "1.0"))


def _saved(folder: Path, text: str) -> str:
    file = folder / "report.html"
    file.write_text(text, encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_all_charts_are_seen_and_nothing_hangs_out(
    page: Page, address: str, width: int, height: int, scheme: str
) -> None:
    page.open(address, width=width, height=height, scheme=scheme)
    boxes = page.ask(_BOXES)
    assert len(boxes) == 4
    assert all(across > 250 and high > 150 and within for across, high, within in boxes)
    assert min(page.ask(_TEXTS)) > 9
    page.ask(_OPENED)
    assert page.ask("document.documentElement.scrollWidth") <= width
    assert page.ask(_RIGHT) <= width


def test_light_and_dark_differ_where_they_should(page: Page, address: str) -> None:
    seen = []
    for scheme in ("light", "dark"):
        page.open(address, width=1280, height=900, scheme=scheme)
        ground = page.ask("getComputedStyle(document.body).backgroundColor")
        bar = page.ask("getComputedStyle(document.querySelector('#strength path[fill^=var]')).fill")
        seen.append((ground, bar))
    assert seen == [
        ("rgb(246, 245, 241)", "rgb(23, 121, 74)"),
        ("rgb(20, 22, 26)", "rgb(69, 196, 134)"),
    ]


def test_nothing_is_asked_of_the_network_and_nothing_is_said_on_the_console(
    page: Page, address: str
) -> None:
    page.open(address, width=1280, height=900, scheme="light")
    page.ask("new Promise(done => requestAnimationFrame(() => done(1)))")
    requests = [event["request"]["url"] for event in page.seen("Network.requestWillBeSent")]
    assert requests == [address]
    for said in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
        assert page.seen(said) == []
    assert page.ask("document.title").startswith("Memory health of acme")
    assert page.ask("document.scripts.length") == 0


def test_the_browser_would_tell(page: Page, tmp_path: Path) -> None:
    """The same look at a page that does all that a report must not do."""
    bad = (
        "<script>console.error('x')</script><img src=http://127.0.0.1:1/x><p style='width:900px'>x"
    )
    page.open(_saved(tmp_path, bad), width=390, height=844, scheme="light")
    assert len(page.seen("Network.requestWillBeSent")) == 2
    assert page.seen("Runtime.consoleAPICalled")
    assert page.ask(_RIGHT) >= 900


def test_a_page_of_nothing(page: Page, tmp_path: Path) -> None:
    page.open(_saved(tmp_path, html_page(nothing(), "1.0")), width=390, height=844, scheme="dark")
    assert page.ask("document.documentElement.scrollWidth") <= 390
    assert len(page.ask(_BOXES)) == 1
