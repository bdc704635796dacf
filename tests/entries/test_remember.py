from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config, load
from hippocampus_cli.errors import FileUnreadable, FileUnwritable, OutsideWorkspace, UsageError
from hippocampus_cli.workspace.note import Note
from tests.support.command_line import Hippo
from tests.support.workspaces import NOW, acme, index_of, snapshot

LOG = "memory/2026-02-01.md"
PROGRAM = """
import sys
from hippocampus_cli import open_workspace
with open_workspace(sys.argv[1]) as ws:
    for number in range(5):
        ws.remember(f"memory {number} of {sys.argv[2]}", title="the same")
"""


def test_a_log_of_another_name(tmp_path: Path) -> None:
    config = load('[remember]\nlog = "diary\\\\{date}-log.md"\n', {})
    done = Workspace(tmp_path, config).at(NOW).remember("x")
    assert done.path == "diary/2026-02-01-log.md" and (tmp_path / done.path).exists()


def test_a_hundred_kilobytes_are_kept_word_for_word(tmp_path: Path) -> None:
    text = "".join(f"# line {n} é ```\n" for n in range(8_000))
    with acme(tmp_path) as ws:
        done = ws.at(NOW).remember(text)
        again = ws.at(NOW).entries.show(done.entry or "")
    note = Note(LOG, (tmp_path / "acme" / LOG).read_text(encoding="utf-8"))
    body = note.lines[done.start_line + 1 : done.end_line]
    assert "".join(line.removeprefix("> ") for line in body) == text
    assert len(index_of(ws)) < 3_000
    assert again.leads[0].status == "ok"


def test_what_would_make_a_log_too_large_to_be_searched_is_refused(
    tmp_path: Path, hippo: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPPO_SCAN_MAX_FILE_BYTES", "1000")
    hippo("remember", "The siren sounds at noon.", "-w", str(tmp_path))
    (log,) = (tmp_path / "memory").iterdir()
    before = log.read_bytes()
    told = hippo("remember", "word " * 300, "-w", str(tmp_path), code=2).err
    assert "a note of its own" in told and log.read_bytes() == before
    hippo("remember", "The tide is at six.", "-w", str(tmp_path))
    assert "tide" in log.read_text()


@pytest.mark.parametrize("place", ["folder", "link", "link outside", "folder outside", "binary"])
def test_what_stands_in_the_place_of_the_log_is_left_alone(tmp_path: Path, place: str) -> None:
    root, outside = tmp_path / "ws", tmp_path / "outside"
    (root / "memory").mkdir(parents=True)
    outside.mkdir()
    (outside / "x.md").write_text("theirs")
    log = root / LOG
    if place == "folder":
        log.mkdir()
    elif place == "link":
        (root / "other.md").write_text("mine")
        log.symlink_to(root / "other.md")
    elif place == "link outside":
        log.symlink_to(outside / "x.md")
    elif place == "folder outside":
        (root / "memory").rmdir()
        (root / "memory").symlink_to(outside)
    else:
        log.write_bytes(b"PNG\0\0")
    before = snapshot(tmp_path)
    with pytest.raises((FileUnreadable, FileUnwritable, OutsideWorkspace)) as caught:
        Workspace(root, Config()).at(NOW).remember("x")
    assert caught.value.path == LOG
    after = snapshot(tmp_path)
    assert {name: after[name] for name in before} == before
    assert all(".hippocampus" in name for name in set(after) - set(before))


@pytest.mark.usefixtures("permissions_bind")
def test_a_read_only_folder(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir(mode=0o500)
    with pytest.raises(FileUnwritable):
        Workspace(tmp_path, Config()).at(NOW).remember("x")


def test_a_full_disk_leaves_the_log_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with acme(tmp_path) as ws:
        ws.at(NOW).remember("first")
    before = snapshot(ws.root)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileUnwritable, match="No space left"):
        ws.at(NOW).remember("second")
    assert snapshot(ws.root) == before


@pytest.mark.parametrize("text, tag", [("x", " "), ("password: Kolibri4712x", "Kolibri4712x")])
def test_a_word_that_can_be_no_tag_writes_nothing(tmp_path: Path, text: str, tag: str) -> None:
    with acme(tmp_path) as ws:
        before = snapshot(ws.root)
        with pytest.raises(UsageError):
            ws.at(NOW).remember(text, tags=[tag])
        assert snapshot(ws.root) == before


def test_weekly_makes_room_where_memories_took_the_index_over_its_budget(tmp_path: Path) -> None:
    with Workspace(tmp_path, load("[index]\nmax_tokens = 600\n", {})).at(NOW) as ws:
        ws.bootstrap()
        for n in range(20):
            ws.remember(f"Kite {n} is at pier {n}.")
        assert ws.status().tokens > 600
        ws.upkeep.run("weekly")
        assert ws.status().tokens <= 600


def test_four_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    ws = acme(tmp_path)
    command = [sys.executable, "-c", PROGRAM, str(ws.root)]
    running = [subprocess.Popen([*command, str(one)]) for one in range(4)]
    assert [one.wait(timeout=120) for one in running] == [0] * 4
    logs = "".join(p.read_text() for p in (ws.root / "memory").glob("20*.md"))
    for process in range(4):
        for number in range(5):
            assert logs.count(f"\nmemory {number} of {process}\n") == 1
    ids = {one.id for one in ws.entries.list()}
    assert len(ids) == 5 + 20
    assert ws.check().errors == 1  # the one that the workspace begins with
