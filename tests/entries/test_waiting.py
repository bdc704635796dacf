"""A log or an index that another program has open: what was to be remembered is not lost, nor what was said of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries import remember
from hippocampus_cli.errors import MemoryKept
from hippocampus_cli.workspace import store
from tests.support.workspaces import NOW, acme

LOG = "memory/2026-02-01.md"
WAITING = ".hippocampus/waiting.jsonl"
WORDS = ("Backups run at night. ", "Alice likes tea. ", "Invoices go out. ", "Roses need sun. ")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no file leases here")


def waiting(root: Path) -> list[str]:
    """The texts that are not in their logs yet, or whose entries have not what was asked."""
    rows = map(json.loads, (root / WAITING).read_text().splitlines())
    return [one["text"] for one in rows if not (one["written"] and one["indexed"])]


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """One that does not wait long."""
    monkeypatch.setattr(store, "_GLANCE", 0.05)
    with acme(tmp_path) as copied:
        root = copied.root
    (root / LOG).parent.mkdir(exist_ok=True)
    (root / LOG).write_text("# 2026-02-01\n")
    return Workspace(root, Config(lock=Config().lock._replace(timeout_seconds=0.2)))


def test_a_log_that_is_open_elsewhere_is_left_alone_and_the_memory_waits(ws: Workspace) -> None:
    with (ws.root / LOG).open("r+"), pytest.raises(MemoryKept, match="kept in"):
        ws.at(NOW).remember("The port is 5433.", tags=["database"])
    told = [ws.at(NOW).query(asked, write=False).waiting for asked in ("the port", "a zebra")]
    assert told == [(f"{LOG} § 09:00 The port is 5433: The port is 5433.",)] * 2
    assert (ws.root / LOG).read_text() == "# 2026-02-01\n"
    kept = json.loads((ws.root / WAITING).read_text())
    assert (kept["text"], kept["tags"]) == ("The port is 5433.", ["database"])
    assert (ws.root / WAITING).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("how", ["remember", "daily", "again"])
def test_what_waits_is_written_once_by_whoever_comes_next(ws: Workspace, how: str) -> None:
    with (ws.root / LOG).open("r+"), pytest.raises(MemoryKept):
        ws.at(NOW).remember("The port is 5433.", tags=["database"], pri="amygdala")
    if how == "daily":
        ws.at(NOW).upkeep.run("daily")
    elif how == "again":
        ws.at(NOW).remember("The port is 5433.", tags=["database"], pri="amygdala")
    else:
        ws.at(NOW).remember("More.", pri="low")
    assert (ws.root / LOG).read_text().count("The port is 5433.\n") == 1
    assert not waiting(ws.root)
    (entry,) = [one for one in ws.index().entries if "5433" in one.entry.topic]
    assert (entry.entry.pri, "database" in entry.entry.tags) == ("amygdala", True)


def test_what_is_said_of_an_entry_waits_for_the_index(ws: Workspace) -> None:
    with (ws.root / "HIPPOCAMPUS.md").open("r+"):
        done = ws.at(NOW).remember("The port is 5433.", tags=["database"], pri="amygdala")
    assert done.entry is None and "not indexed" in done.notices[0]
    ws.at(NOW).upkeep.run("daily")
    (entry,) = [one.entry for one in ws.index().entries if "5433" in one.entry.topic]
    assert (entry.pri, "database" in entry.tags) == ("amygdala", True)
    assert (ws.root / LOG).read_text().count("## ") == 1


def test_it_waits_on_where_the_index_is_in_use_a_second_time(ws: Workspace) -> None:
    with (ws.root / LOG).open("a"), pytest.raises(MemoryKept):
        ws.at(NOW).remember("The port is 5433.", tags=["database"], pri="high")
    with (ws.root / "HIPPOCAMPUS.md").open("r+"):
        ws.at(NOW).remember("Lunch is at one.")
    ws.at(NOW).upkeep.run("daily")
    (entry,) = [one.entry for one in ws.index().entries if "5433" in one.entry.topic]
    assert (entry.pri, "database" in entry.tags) == ("high", True)
    assert not waiting(ws.root)


def test_a_cycle_that_indexes_a_memory_first_takes_nothing_from_it(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is long enough that a cycle gives each of its sections an entry."""
    text = "".join(f"\n## 0{n}:00 Topic {n}\n\n{WORDS[n] * 40}\n" for n in range(4))
    (ws.root / LOG).write_text(f"# 2026-02-01\n{text}")
    index_memory = remember.index_memory

    def slow(*given: object) -> object:
        with Workspace(ws.root, ws.config) as other:
            other.at(NOW).upkeep.run("daily")
        return index_memory(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(remember, "index_memory", slow)
    done = ws.at(NOW).remember("The port is 5433.", tags=["staging db"], pri="amygdala")
    name = "09:00 The port is 5433"
    (entry,) = [one.entry for one in ws.index().entries if one.entry.pointers[0].section == name]
    assert (entry.id, entry.pri, entry.src) == (done.entry, "amygdala", "manual")
    assert "staging db" in entry.tags


def test_what_is_asked_of_an_entry_waits_until_there_is_an_index(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n\n## Ines\n\nInes runs the workshop.\n")
    with Workspace(tmp_path, Config()) as ws:
        assert (
            ws.at(NOW).remember("Never deploy on a Friday.", pri="amygdala", tags=["calm"]).entry
            is None
        )
        assert ws.at(NOW).remember("Lunch is at one.").entry is None
        ws.at(NOW).bootstrap(dry_run=True)
        ws.at(NOW).bootstrap()
        (there,) = [
            one.entry
            for one in ws.index().entries
            if "Friday" in one.entry.topic and one.entry.pointers[0].section
        ]
        assert (there.pri, "calm" in there.tags) == ("amygdala", True)
        assert not waiting(tmp_path)
        log = next((tmp_path / "memory").glob("*.md")).read_text(encoding="utf-8")
        assert log.count("Never deploy on a Friday.") == 1
