"""The knowledge graph: what ties entries, and what ways lead to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries.graph import Edge, related
from hippocampus_cli.errors import EntryNotFound, UsageError
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.journal import Answered, record
from tests.support.workspaces import NOW, snapshot

HEAD = "<!-- hippocampus.md v1.0 | entries: 5 | reindexed: 2026-01-30T09:00:00+00:00 -->\n\n"


def entry(key: str, path: str, more: str = "") -> str:
    return f"## {key.title()}\n→ {path}\n<!-- hx: id={key} | str=0.50{more} -->\n\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    notes = {
        "site.md": "# Site\n\nThe pipeline is in [the runbook](ops/run.md).\n",
        "ops/run.md": "# Run\n\nHow to restart it.\n",
        "bill.md": "# Bill\n\nPaid by card.\n",
        "tea.md": "# Tea\n\nGreen, mostly.\n",
    }
    for path, text in notes.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    rows = entry("site", "site.md", " | rel=bill"), entry("run", "ops/run.md")
    rows += entry("bill", "bill.md", " | rel=tea"), entry("tea", "tea.md")
    (tmp_path / "HIPPOCAMPUS.md").write_text(HEAD + "".join(rows))
    return Workspace(tmp_path, Config())


def ways(workspace: Workspace, about: str, depth: int = 2) -> dict[str, tuple[str, int, str, str]]:
    found = workspace.entries.related(about, depth=depth, now=NOW).related
    return {one.entry: (one.kind, one.depth, one.via, one.why) for one in found}


def test_every_kind_of_edge_and_two_steps(workspace: Workspace) -> None:
    before = snapshot(workspace.root)
    assert ways(workspace, "site") == {
        "bill": ("relation", 1, "site", ""),
        "run": ("link", 1, "site", ""),
        "tea": ("relation", 2, "bill", ""),
    }
    assert "tea" not in ways(workspace, "site", depth=1)
    assert ways(workspace, "bill", depth=1)["site"][0] == "relation"  # the other way round too
    assert snapshot(workspace.root) == before


def test_what_was_used_together(workspace: Workspace) -> None:
    for key in ("tea", "run"):
        results = [list(Answered(f"{key}.md", None, key))]
        event = {"query": key, "route": "index", "results": results, "used": [key]}
        record(workspace.root, NOW, event)
    assert ways(workspace, "tea", depth=1)["run"] == ("answered", 1, "tea", "1×")


def test_a_note_and_words_stand_for_their_entries(workspace: Workspace) -> None:
    assert workspace.entries.related("ops/run.md", now=NOW).about == ("run",)
    assert workspace.entries.related("green tea", now=NOW).about == ("tea",)
    with pytest.raises(EntryNotFound):
        workspace.entries.related("qwertz", now=NOW)
    with pytest.raises(UsageError):
        workspace.entries.related("site", depth=9, now=NOW)


KEYS = tuple("abcdef")
INDEX = Hierarchy(parse(HEAD + "".join(entry(key, f"{key}.md") for key in KEYS)))
edges = st.builds(
    Edge,
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.just("link"),
    st.floats(0.1, 1).map(lambda strength: round(strength, 2)),
)


@given(st.lists(edges, max_size=12), st.sampled_from(KEYS), st.integers(1, 2))
def test_a_step_more_only_adds_and_nothing_leads_to_itself(
    ties: list[Edge], start: str, depth: int
) -> None:
    near = {way.entry: way.strength for way in related(INDEX, ties, [start], depth)}
    far = {way.entry: way.strength for way in related(INDEX, ties, [start], depth + 1)}
    assert start not in far
    assert all(far[key] >= strength for key, strength in near.items())
    assert all(0 < strength <= 1 for strength in far.values())
