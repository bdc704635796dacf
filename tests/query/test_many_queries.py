"""Eight shells ask at once: every hit is counted (decision D16)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

INDEX = "# HIPPOCAMPUS.md\n\n## Siren\n→ notes.md §Siren\n<!-- hx: id=siren | hits=0 | str=0.50 | base=0.50 -->\n"


def test_eight_queries_at_once_lose_no_hit(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\n## Siren\n\nThe siren sounds at noon.\n")
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    given = {**os.environ, "HIPPO_NOW": "2026-06-01T12:00:00+00:00"}
    command = [sys.executable, "-m", "hippocampus_cli", "query", "siren", "-w", str(tmp_path)]
    asking = [
        subprocess.Popen(command, env=given, stdout=subprocess.DEVNULL, cwd=tmp_path)
        for _ in range(8)
    ]
    assert [one.wait(timeout=60) for one in asking] == [0] * 8
    text = (tmp_path / "HIPPOCAMPUS.md").read_text()
    assert (
        "hits=8 | str=0.74 | base=0.74" in text
    )  # 0.1 for the day's first, 0.02 for each of seven more
    journal = (tmp_path / ".hippocampus/journal/2026-06.jsonl").read_text().splitlines()
    assert len(journal) == 8
