"""Real processes, killed in the middle of upkeep: the next run completes it, as if nothing had happened."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.index.document import FOLDER
from tests.maintenance import deeds
from tests.maintenance.law_seven import Ledger, entry_bytes
from tests.maintenance.notebook import BODIES, TITLES, Notebook

ROOT = Path(__file__).parents[2]
LONGEST = 0.25
"""Seconds that a process may work until it is killed: some deeds, the last of them cut short."""
PATIENCE = 60
"""Seconds in which a process comes to change several files."""
MIDDLE = 0.004
"""Seconds that it takes to replace the files of one change, about."""


def killed(root: Path, number: int, dice: random.Random) -> int:
    """Let a process do deeds from ``number`` on, and kill it; the deed it was at.

    Half of the kills come at any moment, half while the files of a change are being replaced.
    """
    args = [sys.executable, "-m", "tests.maintenance.deeds", str(root), str(number)]
    with subprocess.Popen(args, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        begun = [process.stdout.readline()]
        time.sleep(dice.random() * LONGEST)  # the moment of the kill is the point
        if dice.random() < 0.5:
            pending = root / FOLDER / "pending.zip"
            end = time.monotonic() + PATIENCE
            while not pending.exists():
                assert process.poll() is None and time.monotonic() < end
            time.sleep(dice.random() * MIDDLE)
        process.kill()
        begun += process.stdout.readlines()
    return max(int(line) for line in begun if line.endswith("\n"))


def state(root: Path) -> dict[str, bytes]:
    """What upkeep keeps: the index, and which records there are."""
    records = {path.name: b"" for path in (root / FOLDER / "history").glob("*.json")}
    return {**entry_bytes(root), **records}


def live_on(books: list[Notebook], number: int, dice: random.Random) -> None:
    """The same news in every folder."""
    now = deeds.moment(number)
    title, body = dice.choice(TITLES), dice.choice(BODIES)
    path = dice.choice(books[0].paths())
    what = dice.choice(("begin", "grow", "move", "defrag", "rename"))
    for book in books:
        if what == "begin":
            sections = [(f"{title} {number}", f"{body} It is number {number}.")]
            book.begin(f"memory/{now:%Y-%m-%d}.md", sections, now)
        elif what == "grow":
            book.grow(path, f"{title} {number}", body, now)
        elif what == "move":
            book.move(path, f"moved/{number}-{path.rpartition('/')[2]}")
        elif what == "rename":
            book.rename_section(path, number, f"{title} {number}", now)
        else:
            book.defrag(now)


def kill_and_complete(folder: Path, kills: int, seed: int) -> None:
    dice = random.Random(seed)
    root, spared = folder / "killed", folder / "spared"
    for at in range(20):
        sections = [(f"{title} {at}", f"{BODIES[at % 6]} Number {at}.") for title in TITLES[:3]]
        Notebook(root).begin(f"notes/n{at}.md", sections, deeds.NOW)
    with Workspace(root, deeds.CONFIG) as ws:
        ws.at(deeds.NOW).bootstrap()
    shutil.copytree(root, spared)
    ledger, number, half_way = Ledger(), 0, 0
    for _ in range(kills):
        live_on([Notebook(root), Notebook(spared)], number, dice)
        last = killed(root, number, dice)
        for one in range(number, last):
            deeds.do(spared, one)
        before = state(spared)
        deeds.do(spared, last)
        after = state(spared)
        half_way += (root / FOLDER / "pending.zip").exists()
        with Workspace(root, deeds.CONFIG) as ws:
            ws.index()  # the next who looks finishes what took hold
        assert state(root) in (before, after), f"after deed {last}"
        if state(root) == before or deeds.is_cycle(last):  # a second run of a cycle does nothing
            deeds.do(root, last)
        assert state(root) == after
        number = last + 1
        ledger.forget_hits()
        with Workspace(root, deeds.CONFIG) as ws:
            ledger.check(ws, deeds.moment(number))
    assert half_way > kills / 20, "hardly any kill came in the middle"


def test_a_dozen_kills() -> None:
    # On a disk: in memory a write is over before it can be killed.
    with tempfile.TemporaryDirectory(dir="/tmp" if Path("/tmp").is_dir() else None) as folder:
        kill_and_complete(Path(folder), kills=12, seed=1)


@pytest.mark.long
def test_two_hundred_kills(tmp_path: Path) -> None:
    kill_and_complete(tmp_path, kills=200, seed=2)
