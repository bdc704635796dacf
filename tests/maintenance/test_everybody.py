"""Cron, a watcher, three agents and a person with an editor at once: no lost hit, no lost edit, no deadlock."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from tests.maintenance import handwork
from tests.maintenance.law_seven import Ledger, prose_of
from tests.maintenance.notebook import BODIES, PATHS, TITLES, Notebook
from tests.support import editor
from tests.support.upkept import NOW

ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds after which what does not end has to be called a deadlock."""
pytestmark = pytest.mark.skipif(not editor.EXISTS, reason="no two files can change places here")


def start(*args: str, now: str = NOW.isoformat()) -> subprocess.Popen[str]:
    """A process that works until it is told to stop."""
    return subprocess.Popen(
        [sys.executable, "-m", *args],
        cwd=ROOT,
        env={**os.environ, "HIPPO_NOW": now, "HIPPO_LOCK_TIMEOUT_SECONDS": "60"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Everybody:
    """All of them at work on one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.enough = threading.Event()
        self.ran: list[int] = []
        self.tags: dict[str, set[str]] = {}
        self.saves = 0

    def cron(self) -> None:
        """One run after the other, a day apart for those who look at the clock."""
        while not self.enough.is_set():
            now = (NOW + timedelta(days=len(self.ran) + 1)).isoformat()
            run = start("hippocampus_cli", "maintain", "--due", "-w", str(self.root), now=now)
            _, complaints = run.communicate(timeout=PATIENCE)
            assert run.returncode in (0, 13), complaints  # 13: it would move too much at once
            self.ran.append(run.returncode)

    def person(self) -> None:
        """Writes a line of prose or tags an entry, and a note now and then; half of it in place."""
        index, notes = self.root / "HIPPOCAMPUS.md", Notebook(self.root)
        while not self.enough.wait(0.15):
            self.saves += 1
            number = self.saves
            if number % 3 == 0:
                self._tag(index, number)
            else:
                line = f"Said by hand, {number}."
                change = partial(_with_prose, line=line, place=number)
                if number % 2:
                    editor.save(index, change)
                else:
                    editor.save_in_place(index, change, 0.05)
            if number % 4 == 0:
                title, body = TITLES[number % len(TITLES)], BODIES[number % len(BODIES)]
                notes.begin(f"notes/new-{number}.md", [(f"{title} {number}", body)], NOW)

    def _tag(self, index: Path, number: int) -> None:
        tag, tagged = f"by-hand-{number}", [""]

        def change(text: str) -> str:
            tagged[0], changed = handwork.with_tag(text, number, tag)
            return changed or text

        editor.save(index, change)
        self.tags.setdefault(tagged[0], set()).add(tag)

    def work(self, seconds: float) -> tuple[Counter[str], list[str]]:
        """Let them work for so long; what the agents wrote, and what they were told."""
        agents = [start("tests.maintenance.asking", str(self.root), str(n)) for n in range(3)]
        watcher = start("hippocampus_cli", "watch", "--json", "-w", str(self.root))
        for one in (*agents, watcher):
            assert one.stdout is not None and one.stdout.readline()  # it is at work
        with ThreadPoolExecutor() as pool:
            others = [pool.submit(one) for one in (self.cron, self.person)]
            wait(others, seconds, FIRST_EXCEPTION)
            self.enough.set()
            for other in others:
                other.result(PATIENCE)
        hits, notices = Counter[str](), []
        for one in agents:
            said, complaints = one.communicate(timeout=PATIENCE)
            assert one.returncode == 0, complaints
            hits.update(json.loads(said)["hits"])
            notices += json.loads(said)["notices"]
        watcher.terminate()
        _, complaints = watcher.communicate(timeout=PATIENCE)
        assert watcher.returncode == 0, complaints
        return hits, notices


def _with_prose(text: str, line: str, place: int) -> str:
    changed = handwork.with_prose(text, line, place)
    assert changed is not None
    return changed


def everybody_works(root: Path, seconds: float) -> None:
    notes, ledger = Notebook(root), Ledger()
    for path in PATHS:
        notes.begin(path, list(zip(TITLES[:3], BODIES[len(path) % 4 :], strict=False)), NOW)
    with Workspace(root, Config()) as ws:
        ws.at(NOW).bootstrap()
    everybody = Everybody(root)
    hits, notices = everybody.work(seconds)
    assert notices == []
    assert everybody.ran and everybody.saves and hits
    written = prose_of(root)
    wanted = [f"Said by hand, {number}." for number in range(1, everybody.saves + 1) if number % 3]
    assert sorted(written) == sorted(wanted)
    ledger.prose, ledger.tags = written, everybody.tags | ledger.tags
    with Workspace(root, Config()) as ws:
        ledger.check(ws, NOW + timedelta(days=len(everybody.ran)))
        assert hits_of(ws) == sum(hits.values())
    assert not list(root.rglob("*.swp"))


def hits_of(ws: Workspace) -> int:
    """The hits of all entries; what was merged counts in what it was merged into."""
    index = ws.store.read(archive=True)
    own = [one for one in index.archived if one.entry.values["why"] != "merged"]
    return sum(one.entry.hits for one in (*index.entries, *own))


def test_everybody_at_once(tmp_path: Path) -> None:
    everybody_works(tmp_path, 5)


@pytest.mark.long
def test_everybody_at_once_for_a_minute(tmp_path: Path) -> None:
    everybody_works(tmp_path, 60)
