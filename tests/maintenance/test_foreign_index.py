"""An index of the specification's own shape (INDEX §5.3), made by another tool: it gets its generated lists, once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.index.views import SECTIONS
from hippocampus_cli.maintenance.actions import Kind
from tests.support.workspaces import NOW

INDEX = """# HIPPOCAMPUS.md — Memory Index
<!-- hippocampus.md v1.0 | entries: 2 | reindexed: 2026-01-31T02:30:00Z -->

## Quick Access
<!-- Most-accessed entries, sorted by hits. Pattern completion starts here. -->

## By Topic

### Projects

#### Acme API Deployment
Deploy command, Vercel setup, domain config.
→ TOOLS.md §Vercel
<!-- hx: id=acme-deploy | created=2026-01-10 | accessed=2026-01-31
| hits=23 | str=0.92 | tags=deploy,vercel,acme
| rel=railway-services,grace -->

### People

#### Grace
Pays the invoices; call before nine.
→ memory/2026-01-12.md §Grace
<!-- hx: id=grace | created=2026-01-12 | accessed=2026-01-20 | hits=2 | str=0.55 | tags=invoice -->

### Technical Knowledge

## By Time

### This Week

### This Month

### Older

## Associations
<!-- Cross-reference map: which entries relate to which -->

## Decay Queue
<!-- Entries below strength threshold, candidates for pruning -->

## Meta
<!-- Index statistics, last maintenance, health metrics -->
"""
LATER = NOW + timedelta(days=8)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "memory").mkdir()
    (tmp_path / "TOOLS.md").write_text("# Tools\n\n## Vercel\n\nnpx vercel --prod\n")
    (tmp_path / "memory/2026-01-12.md").write_text("# Day\n\n## Grace\n\nPays; before nine.\n")
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
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
