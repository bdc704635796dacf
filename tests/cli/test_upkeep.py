"""What runs when several cycles are due."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from tests.support.upkept import NOW, entry, text, write

NOTES = {f"{name}.md": f"# {name}\n\nWords about {name}.\n" for name in "abcdef"}


def test_where_the_loss_limit_stops_the_largest_cycle_the_smaller_ones_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Entries of one bootstrap fall silent on one day: nobody is there to say --force at night."""
    write(tmp_path, NOTES)
    queued = (NOW - timedelta(days=40)).date()
    silent = [entry(name, age=3650, queued=queued) for name in "abcdef"]
    (tmp_path / "HIPPOCAMPUS.md").write_text(text([], silent), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HIPPO_NOW", NOW.isoformat())
    assert main(["maintain"]) == 13
    said = capsys.readouterr()
    assert said.out.startswith("weekly upkeep")
    assert "6 of 6 entries would be affected" in said.err
    assert main(["history", "--json"]) == 0
    assert '"cycle":"weekly"' in capsys.readouterr().out
    assert main(["maintain"]) == 13  # monthly is due until somebody decides
