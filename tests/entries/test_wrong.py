"""Hits that are taken back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.journal import record
from tests.support.command_line import Hippo
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


def test_upkeep_does_not_bring_back_what_was_taken_back_in_the_second_of_the_header(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.md").write_text("# Deploy\n\nThe deploy command is kelpctl release prod.\n")
    moments = (NOW + timedelta(milliseconds=number) for number in range(100, 1_000, 100))
    ws = Workspace(tmp_path, Config())
    ws.at(NOW).bootstrap()
    ws.at(next(moments)).query("deploy command kelpctl")
    assert ws.at(next(moments)).entries.wrong()[0].hits == 0
    for moment in moments:
        ws.at(moment).upkeep.run("daily")
    assert ws.entries.show("deploy").entry.hits == 0


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


def test_without_a_place_the_last_question_alone_is_meant(
    tmp_path: Path, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    with acme(tmp_path) as ws:
        monkeypatch.chdir(ws.root)
        monkeypatch.setenv("HIPPO_NOW", NOW.isoformat())
        used(ws, "grace", query="who is grace")
        used(ws, query="who is nobody")
        before = index_of(ws)
        error = hippo("wrong", code=2).err
        assert "the last question used nothing" in error and "hippo list --sort hits" in error
        assert index_of(ws) == before
        used(ws, "acme-deploy")
        hits = ws.entries.show("acme-deploy").entry.hits
        out = hippo("wrong").out
        said = 'took back a hit of acme-deploy for "deploy siren"; it has'
        assert out.splitlines()[0] == f"{said} {hits - 1} now"
        assert "the last question used nothing" in hippo("wrong", code=2).err
