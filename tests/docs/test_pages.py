"""The documentation cannot lie: what it shows is run, what it links to is there.

``UPDATE_DOCS=1`` writes down what is printed now. Only durations may differ.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import pytest

from hippocampus_cli.cli.command_table import COMMANDS
from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.run_command import split
from hippocampus_cli.config.settings import settings
from tests.support.pages import (
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
    section,
    shell,
    without_durations,
)

PACKAGE = ROOT / "hippocampus_cli"
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
    return target.exists() and (not anchor or anchor in anchors(read(target)))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_row_stands_in_a_table(page: Path) -> None:
    """A row in the middle of a sentence is shown as text."""
    lines = [one for one in prose(read(page)).split("\n") if not one.startswith("<!--")]
    beginnings = [
        at for at, one in enumerate(lines) if one.startswith("|") and lines[at - 1][:1] != "|"
    ]
    assert [
        lines[at] for at in beginnings if lines[at - 1].strip() or "---" not in lines[at + 1]
    ] == []


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {(ROOT / link.partition("#")[0]).resolve() for link in _LINK.findall(read(README))}
    pages = {page for page in PAGES if page != README}
    assert {name(page) for page in pages - linked} == set()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_command_that_is_shown_exists_with_its_options(page: Path) -> None:
    shown = re.findall(r"^(?:[A-Z_]+=\S* )*hippo ([^-\n][^|<>\n]*)", shell(read(page)), re.M)
    wrong = [line for line in shown if not _is_known(shlex.split(line, comments=True))]
    assert not wrong


def _is_known(words: list[str]) -> bool:
    _, words = split(words)
    options = {word.partition("=")[0] for word in words if re.match("--?[a-z]", word)}
    if words[0] not in {command.name for command in COMMANDS}:
        return False
    text = _help(words[0])
    if "\nCommands\n" in text:
        text = _help(words[0], words[1])
    return options <= set(re.findall(r"--?[a-z-]+", text))


@cache
def _help(*words: str) -> str:
    screen = io.StringIO()
    with redirect_stdout(screen):
        assert main([*words, "--help"]) == 0
    return screen.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_setting_that_is_named_exists(page: Path) -> None:
    known = settings()
    tables = {key.partition(".")[0] for key in known}
    named = re.findall(r"`(([a-z]+)\.[a-z_]+)(?: = [^`]*)?`", prose(read(page)))
    words = {key for key, table in named if table in tables} - FIELDS
    assert words <= set(known)


FIELDS = {"decay.floor", "decay.last_access"}
"""Fields of JSON documents that look like settings."""


@pytest.mark.parametrize("page", [DOCS / "architecture.md", ROOT / "CONTRIBUTING.md"], ids=name)
def test_every_module_that_is_named_exists(page: Path) -> None:
    there = [
        path.as_posix() for part in ("hippocampus_cli", "tests", "docs") for path in _modules(part)
    ]
    named = set(re.findall(r"[\w/]+\.py\b", read(page)))
    assert {
        one for one in named if not any(f"/{path}".endswith(f"/{one}") for path in there)
    } == set()


def test_the_table_of_folders_has_every_folder_of_the_package() -> None:
    table = section(read("architecture"), "Folders")
    named = set(re.findall(r"`(\w+)/`", table))
    folders = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py")}
    assert {one for one in folders if not one.endswith(".py")} <= named


def _modules(part: str) -> Iterator[Path]:
    return (path.relative_to(ROOT) for path in (ROOT / part).rglob("*.py"))


def test_what_a_link_calls_a_heading() -> None:
    text = "# hippo\n## `hippo watch`, live\n```sh\n# no heading\n```\n## Two\n## Two\n"
    assert anchors(text) == {"hippo", "hippo-watch-live", "two", "two-1"}


def test_an_option_that_is_not_there_is_found() -> None:
    assert _is_known(["query", "deploy", "--tokens", "800"])
    assert not _is_known(["query", "deploy", "--budget", "800"])
    assert not _is_known(["ask", "deploy"])
    assert not _is_known(["context", "add", "--yaml"])
