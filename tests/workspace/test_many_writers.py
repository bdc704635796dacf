"""Real processes: no hit lost among eight writers, no torn file at any kill point (decision D16)."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from hippocampus_cli.index.checks import Severity, check
from hippocampus_cli.index.parse import parse

WRITER = """
import sys
from pathlib import Path
from hippocampus_cli.config.settings import Config, Lock
from hippocampus_cli.workspace.store import IndexStore

store = IndexStore(Path(sys.argv[1]), Config(lock=Lock(60)))
print("ready", flush=True)
for _ in range(int(sys.argv[2])):
    def hit(index):
        hits = index.by_key["shared"].entry.hits
        return index.set_values({"shared": {"hits": str(hits + 1)}}), None
    store.change(hit)
"""
FILLER = "".join(
    f"## Filler {n}\nSome words on it.\n→ notes/{n}.md\n<!-- hx: id=filler-{n} | hits={n} | str=0.50 -->\n\n"
    for n in range(40)
)
INDEX = FILLER + "## Shared\n→ a.md\n<!-- hx: id=shared | hits=0 -->\n\n" + "tail prose\n"


def writer(root: Path, times: int) -> subprocess.Popen[bytes]:
    args = [sys.executable, "-c", WRITER, str(root), str(times)]
    return subprocess.Popen(args, stdout=subprocess.PIPE)


def test_eight_writers_lose_no_hit(tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    writers = [writer(tmp_path, 12) for _ in range(8)]
    assert [one.wait(timeout=120) for one in writers] == [0] * 8
    text = (tmp_path / "HIPPOCAMPUS.md").read_text()
    assert text == INDEX.replace("hits=0 -->\n\ntail", "hits=96 -->\n\ntail")


def kill_at_random(root: Path, rounds: int, seed: int) -> None:
    path = root / "HIPPOCAMPUS.md"
    path.write_text(INDEX)
    dice = random.Random(seed)
    seen = 0
    for _ in range(rounds):
        with writer(root, 100_000) as one:
            assert one.stdout is not None
            one.stdout.readline()  # it is about to begin
            time.sleep(dice.random() * 0.15)
            one.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            one.wait(timeout=30)
        text = path.read_text()
        hits = parse(text).by_key["shared"].entry.hits
        assert text == INDEX.replace("hits=0 -->\n\ntail", f"hits={hits} -->\n\ntail")
        assert hits >= seen
        seen = hits
        document = parse(text)
        errors = check(document, date(2026, 1, 1), document.ids)
        assert not [one for one in errors if one.severity is Severity.ERROR]
    assert seen > 0
    with writer(root, 1) as last:
        assert last.wait(timeout=30) == 0  # nothing is left locked, leftovers are cleared
    assert sorted(p.name for p in root.iterdir()) == [".hippocampus", "HIPPOCAMPUS.md"]


def test_a_kill_at_any_moment_leaves_a_version_that_somebody_wrote(tmp_path: Path) -> None:
    kill_at_random(tmp_path, rounds=12, seed=1)


@pytest.mark.long
def test_a_hundred_kills(tmp_path: Path) -> None:
    kill_at_random(tmp_path, rounds=100, seed=2)
