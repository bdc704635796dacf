"""The page about Python: its example is run, and its table has every method there is."""

from __future__ import annotations

import ast
import io
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import get_args

import pytest

from hippocampus_cli import api
from hippocampus_cli.api import Anchors, Context, Mind, Workspace
from hippocampus_cli.cli.command_table import COMMANDS
from tests.docs.pages import ROOT, read, section

PAGE = read("python")
WITHOUT_WORKSPACE = {"merge", "open"}
OUTSIDE = {"hook"}  # an agent's call


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_the_example_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example, printed = re.findall(r"^```(?:python|text)\n(.*?)^```$", PAGE, re.M | re.S)
    shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "fixtures/workspace")
    monkeypatch.chdir(tmp_path)
    screen = io.StringIO()
    with redirect_stdout(screen):
        exec(compile(example, "docs/python.md", "exec"), {})
    dated = re.compile(r"\(\d{4}-\d\d-\d\d\)")
    assert dated.sub("", screen.getvalue()) == dated.sub("", printed)


def test_the_table_has_every_method_and_every_command() -> None:
    table = section(PAGE, "What a workspace does")
    rows = [line.split("|")[1:] for line in table.splitlines() if line.startswith("| `")]
    methods = {one for row in rows for one in re.findall(r"`(\w+)[(`]", row[0])}
    assert methods == public(Workspace) - {"lock", "embedder"}
    named = {one for row in rows for one in re.findall(r"`([\w-]+)`", row[3])}
    assert named | WITHOUT_WORKSPACE | OUTSIDE == {one.name for one in COMMANDS}
    returned = {one for row in rows for one in re.findall(r"[A-Z]\w+", row[2])}
    assert returned <= set(api.__all__)


@pytest.mark.parametrize(
    ("kind", "before"), [(Context, "ws.context"), (Anchors, "ws.anchors"), (Mind, "ws.mind")]
)
def test_the_groups_have_what_the_page_says(kind: type, before: str) -> None:
    told = re.search(rf"`{re.escape(before)}\S*` has (.*?):", PAGE, re.S)
    assert told
    assert set(re.findall(r"`(\w+)`", told[1])) == public(kind) - {"lock", "workspace"}


def test_every_name_of_the_door_is_there_and_is_told_to_type_checkers() -> None:
    tree = ast.parse((ROOT / "hippocampus_cli/api/__init__.py").read_bytes())
    places = {
        one.asname or one.name: f"{node.module}{f':{one.name}' if one.asname else ''}"
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    places = {name: place.removeprefix("hippocampus_cli.") for name, place in places.items()}
    assert places == api._PLACES
    for one in api.__all__:
        assert getattr(api, one) is not None
    with pytest.raises(AttributeError):
        _ = api.Nothing  # type: ignore[attr-defined]


def test_words_that_are_checked_are_those_there_are() -> None:
    from hippocampus_cli.api import argument_checks

    assert set(argument_checks._FORMATS) == set(get_args(api.Format))
    assert set(argument_checks._ENTRY_TYPES) == set(get_args(api.EntryType))
    assert set(argument_checks._CONTEXT_PRIORITIES) == set(get_args(api.ContextPriority))
