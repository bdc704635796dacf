"""What upkeep takes for changed since the last time, on a real folder."""

from __future__ import annotations

import os
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.config.settings import Config
from hippocampus_cli.maintenance.snapshot import Progress, Snapshot, take_snapshot
from hippocampus_cli.workspace.fingerprints import KeptFingerprints
from hippocampus_cli.workspace.journal import record
from tests.support.upkept import NOW, write

NOTES = {
    "TOOLS.md": "# Tools\n\n## Deploy\n\nmake deploy TARGET=prod\n",
    "MEMORY.md": "# Memory\n\n## Ines\n\nInes runs the workshop in Porto.\n",
}
no_ctime = pytest.mark.skipif(
    os.name == "nt", reason="Windows has no time of the last change of a file's facts"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, NOTES)
    seen(tmp_path, NOW, save=True)
    return tmp_path


def taken(root: Path, read: list[str] | None = None) -> Snapshot:
    """The snapshot of this moment; the paths of what is read for it go to ``read``."""
    return seen(root, NOW, lambda at, of: read is not None and read.append(f"{at}/{of}"))


def seen(
    root: Path, now: datetime, progress: Progress | None = None, *, save: bool = False
) -> Snapshot:
    """The snapshot of a moment, and with ``save`` what a cycle does in the end."""
    with closing(KeptFingerprints(root)) as known:
        snapshot = take_snapshot(root, Config(), now, progress, known=known)
        if save:
            known.save(snapshot.changed)
    return snapshot


def fresh(snapshot: Snapshot) -> list[str]:
    return [one.note.path for one in snapshot.fresh]


def test_what_was_asked_long_ago_says_nothing(root: Path) -> None:
    for days in (92, 91, 89, 0):
        record(root, NOW - timedelta(days=days), {"route": "index"})
    assert [(NOW - event.at).days for event in taken(root).events] == [89, 0]


def test_a_note_that_was_read_as_soon_as_it_was_written_is_read_again(root: Path) -> None:
    moment = int(NOW.timestamp() * 1e9)
    os.utime(root / "TOOLS.md", ns=(moment, moment))
    seen(root, NOW, save=True)
    read: list[str] = []
    later = NOW + timedelta(seconds=3)
    again = seen(root, later, lambda *at: read.append("TOOLS.md"), save=True)
    assert (fresh(again), read) == ([], ["TOOLS.md"])
    read.clear()
    seen(root, later, lambda *at: read.append("TOOLS.md"))
    assert read == []


@no_ctime
def test_an_edit_whose_time_was_set_back_is_seen(root: Path) -> None:
    path = root / "TOOLS.md"
    stat = path.stat()
    path.write_text(NOTES["TOOLS.md"].replace("prod", "test"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (stat.st_size, stat.st_mtime_ns)
    assert fresh(taken(root)) == ["TOOLS.md"]
    seen(root, NOW, save=True)
    read: list[str] = []
    assert fresh(taken(root, read)) == [] == read


@no_ctime
def test_a_file_of_other_facts_and_the_same_text_is_no_change(root: Path) -> None:
    (root / "TOOLS.md").chmod(0o600)
    os.link(root / "MEMORY.md", root / "copy.bin")
    read: list[str] = []
    assert (fresh(taken(root, read)), read) == ([], ["1/2", "2/2"])
    seen(root, NOW, save=True)
    again: list[str] = []
    assert fresh(taken(root, again)) == [] == again
