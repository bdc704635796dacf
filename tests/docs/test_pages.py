"""The documentation cannot lie: what it shows is run, what it links to is there.

``UPDATE_DOCS=1`` writes down what is printed now. Only durations may differ.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from hippocampus_cli.cli.table import COMMANDS
from tests.docs.pages import (
    DOCS,
    PAGES,
    README,
    ROOT,
    anchors,
    has_session,
    name,
    prose,
    read,
    replayed,
    shell,
    without_durations,
)

UPDATE = bool(os.environ.get("UPDATE_DOCS"))
_LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", list(filter(has_session, PAGES)), ids=name)
def test_every_shown_command_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read(page)
    printed = replayed(page, tmp_path, monkeypatch, update=UPDATE)
    if UPDATE:
        page.write_text(printed, encoding="utf-8", newline="\n")
    assert without_durations(printed) == without_durations(text)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = [link for link in _LINK.findall(prose(read(page))) if not _leads(page, link)]
    assert not broken


def _leads(page: Path, link: str) -> bool:
    if re.match(r"[a-z]+:", link):
        return True
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return not (DOCS / "reference").exists() and target.parent == DOCS / "reference"
    return not anchor or anchor in anchors(read(target))


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in _LINK.findall(read(README))}
    pages = {page for page in PAGES if page != README and not page.name.startswith("_")}
    assert {name(page) for page in pages - linked} == set()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    shown = re.findall(r"^(?:[A-Z_]+=\S* )*hippo ([a-z]\S*)", shell(read(page)), re.M)
    assert set(shown) <= {command.name for command in COMMANDS}


def test_what_a_link_calls_a_heading() -> None:
    text = "# hippo\n## `hippo watch`, live\n```sh\n# no heading\n```\n## Two\n## Two\n"
    assert anchors(text) == {"hippo", "hippo-watch-live", "two", "two-1"}
