"""Hits that are taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.journal import record
from tests.support.workspaces import NOW, acme, index_of


def used(ws: Workspace, *keys: str, query: str = "deploy siren") -> None:
    record(ws.root, NOW, {"query": query, "route": "both", "results": [], "used": list(keys)})


def test_a_hit_its_strength_and_its_tags_are_taken_back_once(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        ws.entries.tag("acme-deploy", add=["siren"])
        path = ws.root / "HIPPOCAMPUS.md"
        path.write_text(
            path.read_text().replace("id=acme-deploy", "id=acme-deploy | also=siren deploy;x")
        )
        before = ws.at(NOW).entries.show("acme-deploy").entry
        used(ws, "acme-deploy")
        (done,) = ws.at(NOW).entries.wrong()
        after = ws.at(NOW).entries.show("acme-deploy").entry
        assert (done.id, done.hits, done.forgot) == (
            "acme-deploy",
            before.hits - 1,
            ("siren", "siren deploy"),
        )
        assert after.hits == before.hits - 1 and after.strength <= before.strength
        assert "siren" not in after.tags and "also=x |" in index_of(ws)
        with pytest.raises(UsageError):
            ws.at(NOW).entries.wrong()
        ws.at(NOW).upkeep.run("daily")
        assert ws.at(NOW).entries.show("acme-deploy").entry.hits == after.hits


def test_an_entry_and_a_place_are_meant(tmp_path: Path) -> None:
    with acme(tmp_path) as ws:
        used(ws, "grace")
        used(ws, "acme-deploy")
        before = index_of(ws)
        with pytest.raises(UsageError, match="nothing of 'standup'"):
            ws.at(NOW).entries.wrong("standup")
        assert index_of(ws) == before
        assert ws.at(NOW).entries.wrong("grace")[0].id == "grace"
        assert ws.at(NOW).entries.wrong("TOOLS.md:3")[0].id == "acme-deploy"
