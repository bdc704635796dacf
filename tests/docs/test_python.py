"""The page about Python: its example is run, and its table has every method there is."""

from __future__ import annotations

import io
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from hippocampus_cli import api
from hippocampus_cli.api import types
from hippocampus_cli.api.anchors import Anchors
from hippocampus_cli.api.context import Context
from hippocampus_cli.api.curation import Curation
from hippocampus_cli.api.entries import Entries
from hippocampus_cli.api.mind import Mind
from hippocampus_cli.api.packages import Packages
from hippocampus_cli.api.sessions import Sessions
from hippocampus_cli.api.upkeep import Upkeep
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.cli.command_table import COMMANDS
from tests.support.pages import ROOT, read, section

PAGE = read("python")
WITHOUT_WORKSPACE = {"install", "merge", "open", "schedule"}
OUTSIDE = {"hook"}  # an agent's call


PARTS = {
    "curation": Curation,
    "entries": Entries,
    "upkeep": Upkeep,
    "sessions": Sessions,
    "packages": Packages,
}


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
    methods = {one for row in rows for one in re.findall(r"`([\w.]+)[(`]", row[0])}
    of_parts = {f"{part}.{name}" for part, kind in PARTS.items() for name in public(kind)}
    assert methods == (public(Workspace) | {"root", "config", "progress"} | of_parts) - {"lock"}
    named = {one for row in rows for one in re.findall(r"`([\w-]+)`", row[3])}
    assert named | WITHOUT_WORKSPACE | OUTSIDE == {one.name for one in COMMANDS}
    returned = {one for row in rows for one in re.findall(r"[A-Z]\w+", row[2])}
    assert returned <= set(vars(types))


@pytest.mark.parametrize(
    ("kind", "before"),
    [(Context, "workspace.context"), (Anchors, "workspace.anchors"), (Mind, "workspace.mind")],
)
def test_the_groups_have_what_the_page_says(kind: type, before: str) -> None:
    told = re.search(rf"`{re.escape(before)}\S*` has (.*?):", PAGE, re.S)
    assert told
    assert set(re.findall(r"`(\w+)`", told[1])) == public(kind)


def test_every_type_is_at_the_door() -> None:
    for name in vars(types):
        if not name.startswith("__"):
            assert getattr(api, name) is getattr(types, name)
    with pytest.raises(AttributeError):
        _ = api.Nothing  # type: ignore[attr-defined]
