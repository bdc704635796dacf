"""The knowledge graph: what ties entries, and what ways lead to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries.graph import Edge, Graph
from hippocampus_cli.errors import EntryNotFound, UsageError
from hippocampus_cli.index.document import Located
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
        "site.md": "# Site\n\nThe pipeline is in [the runbook](ops/run.md). Ask Okan.\n",
        "ops/run.md": "# Run\n\nHow to restart it.\n",
        "bill.md": "# Bill\n\nPaid by card; okay.\n",
        "crew.md": "# Crew\n\n## Okan\n\nWrites the backend.\n",
        "tea.md": "# Tea\n\nGreen, mostly.\n",
    }
    for path, text in notes.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    rows = entry("site", "site.md", " | rel=bill | tags=web"), entry("run", "ops/run.md")
    rows += entry("bill", "bill.md", " | tags=card"), entry("tea", "tea.md", " | tags=Card")
    people = f"## By Topic\n\n### People\n\n#{entry('crew', 'crew.md')}"
    (tmp_path / "HIPPOCAMPUS.md").write_text(
        HEAD + "".join(rows) + people.replace("### C", "#### C")
    )
    return Workspace(tmp_path, Config())


def ways(workspace: Workspace, about: str, depth: int = 2) -> dict[str, tuple[str, int, str, str]]:
    found = workspace.entries.related(about, depth=depth, now=NOW).related
    return {one.entry: (one.kind, one.depth, one.via, one.why) for one in found}


def test_every_kind_of_edge_and_two_steps(workspace: Workspace) -> None:
    before = snapshot(workspace.root)
    assert ways(workspace, "site") == {
        "bill": ("relation", 1, "site", ""),
        "run": ("link", 1, "site", ""),
        "crew": ("person", 1, "site", "okan"),
        "tea": ("tag", 2, "bill", "card"),
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


def test_ids_that_differ_in_a_byte_that_is_no_text_are_two() -> None:
    keys = ("gannet-\udc80", "gannet-\udc81")
    found = Hierarchy(parse(HEAD + "".join(entry(key, "a.md") for key in keys))).entries
    graph = Graph(found, [Edge(*keys, "relation", 0.9)])
    assert [one.entry for one in graph.related(keys[:1])] == ["gannet-\\udc81"]


KEYS = tuple("abcdef")


def nodes() -> tuple[Located, ...]:
    return Hierarchy(parse(HEAD + "".join(entry(key, f"{key}.md") for key in KEYS))).entries


edges = st.builds(
    Edge,
    st.sampled_from(KEYS),
    st.sampled_from(KEYS),
    st.just("tag"),
    st.floats(0.1, 1).map(lambda one: round(one, 2)),
)


@given(st.lists(edges, max_size=12), st.sampled_from(KEYS), st.integers(1, 2))
def test_a_step_more_only_adds_and_nothing_leads_to_itself(
    ties: list[Edge], start: str, depth: int
) -> None:
    graph = Graph(nodes(), ties)
    near = {one.entry: one.strength for one in graph.related([start], depth)}
    far = {one.entry: one.strength for one in graph.related([start], depth + 1)}
    assert start not in far
    assert all(far[key] >= strength for key, strength in near.items())
    assert all(0 < strength <= 1 for strength in far.values())
