"""An index of the specification's own shape (INDEX §5.3), made by another tool: it gets its generated lists, once."""

from __future__ import annotations

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.index.views import SECTIONS
from hippocampus_cli.maintenance.actions import Kind
from tests.support.workspaces import NOW, WORKSPACES

INDEX = (WORKSPACES / "foreign/HIPPOCAMPUS.md").read_text("utf-8")
LATER = NOW + timedelta(days=8)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    shutil.copytree(WORKSPACES / "foreign", tmp_path, dirs_exist_ok=True)
    return Workspace(tmp_path, Config())


def master(workspace: Workspace) -> str:
    return (workspace.root / "HIPPOCAMPUS.md").read_text()


def test_empty_sections_get_their_lists_and_the_preview_says_so(workspace: Workspace) -> None:
    preview = workspace.at(NOW).upkeep.run("daily", dry_run=True)
    said = {one.key: one.reason for one in preview.actions if one.kind is Kind.LIST}
    assert said.keys() == SECTIONS.keys()
    assert all("between markers" in reason for reason in said.values())
    assert master(workspace) == INDEX
    workspace.at(NOW).upkeep.run("daily")
    text = master(workspace)
    assert "- Acme API Deployment → TOOLS.md §Vercel" in text
    assert "- Acme API Deployment ↔ Grace" in text
    # what stood empty is part of the list
    assert text.count("### Older") + text.count("### This Month") == 1
    kept = [line for line in INDEX.splitlines() if line.startswith("<!--") and "hx:" not in line]
    assert [line for line in kept[1:] if line not in text] == []
    assert not workspace.at(NOW).upkeep.run("daily").plan.changes


@pytest.mark.parametrize("undone", [True, False])
def test_once_also_where_somebody_removed_the_markers(workspace: Workspace, undone: bool) -> None:
    workspace.at(NOW).upkeep.run("daily")
    if undone:
        workspace.at(NOW).upkeep.undo()
        assert master(workspace) == INDEX
    (workspace.root / "HIPPOCAMPUS.md").write_text(INDEX)
    workspace.at(LATER).upkeep.run("weekly")
    assert "hippo:begin" not in master(workspace)


@pytest.mark.parametrize(
    "own", ["Mine.", "- Acme API Deployment (23)", "- Acme → TOOLS.md", "### Mine"]
)
def test_a_section_with_somebodys_own_words_gets_none(workspace: Workspace, own: str) -> None:
    mine = INDEX.replace("## By Topic", f"{own}\n\n## By Topic", 1)
    (workspace.root / "HIPPOCAMPUS.md").write_text(mine)
    workspace.at(NOW).upkeep.run("daily")
    views = set(workspace.index().master.views)
    assert views == SECTIONS.keys() - {"quick-access"}


def test_an_index_without_such_sections_gets_none(workspace: Workspace) -> None:
    rest = INDEX[INDEX.index("## By Topic") : INDEX.index("## By Time")]
    (workspace.root / "HIPPOCAMPUS.md").write_text(rest)
    workspace.at(NOW).upkeep.run("weekly")
    assert "hippo:begin" not in master(workspace)
