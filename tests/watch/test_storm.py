"""Whatever people and programs do to a folder, the watch ends up knowing what is there."""

from __future__ import annotations

import random
import shutil
import sys
import time
from pathlib import Path

import pytest

from hippocampus_cli.workspace.scan import scan
from tests.watch.notebook import INDEX
from tests.watch.running import Running

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning:watchdog")
NAMES = ("a", "b", "c", "node_modules", ".hidden")


class Storm:
    """Random changes below ``root``."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.dice = random.Random(seed)

    def blow(self, times: int) -> None:
        for _ in range(times):
            change = self.dice.choice((self.write, self.write, self.write, self.move, self.remove))
            try:
                change()
            except OSError:  # onto itself, into itself, a file where a folder must be
                continue

    def write(self) -> None:
        note = self.folder() / f"{self.dice.randrange(5)}.md"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("x" * self.dice.randrange(1, 50))

    def move(self) -> None:
        source, target = self.something(), self.folder()
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)

    def remove(self) -> None:
        gone = self.something()
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()

    def folder(self) -> Path:
        depth = self.dice.randrange(1, 4)
        return self.root.joinpath(*(self.dice.choice(NAMES) for _ in range(depth)))

    def something(self) -> Path:
        inside = [p for name in NAMES for p in (self.root / name, *(self.root / name).rglob("*"))]
        return self.dice.choice(inside)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hippocampus_cli.watch.pace.QUIET", 0.04)
    monkeypatch.setattr("hippocampus_cli.watch.pace.SETTLE", 0.04)


def weather(root: Path, seed: int, times: int) -> None:
    (root / "HIPPOCAMPUS.md").write_text(INDEX)
    running = Running(root).start()
    try:
        Storm(root, seed).blow(times)
        while running.notebook.known != (there := scan(root)).files:
            running.synced()
        for folder in there.folders:  # each alone: a sync for one would find the others
            time.sleep(0.12)  # until the look that follows a sync is over
            (root / folder / "after.md").write_text("calm")
            running.until(lambda event, path=f"{folder}after.md": event.path == path)
    finally:
        running.end()


@pytest.mark.parametrize("seed", range(3))
def test_after_a_storm_every_note_is_known_and_every_folder_observed(
    tmp_path: Path, seed: int
) -> None:
    weather(tmp_path, seed, 60)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="of inotify")
@pytest.mark.parametrize("seed", range(100, 160))
def test_after_many_storms(tmp_path: Path, seed: int) -> None:
    weather(tmp_path, seed, 600)
