"""Text files that are not read as notes are counted at bootstrap, with the setting that adds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "MEMORY.md").write_text("# Memory\n\nCritical: see run.sh.\n")
    for number in range(5):
        (tmp_path / f"idea-{number}.i2i").write_text(f"The pond is {number} m deep, été.\n")
        (tmp_path / f"code-{number}.py").write_text("print()\n")
        (tmp_path / f"blob-{number}.bin").write_bytes(b"\0\1\2")
        (tmp_path / f"latin-{number}.lat").write_bytes(b"caf\xe9 \xe9t\xe9 \xfcber\n" * 9)
        (tmp_path / f"empty-{number}.nil").write_bytes(b"")
    (tmp_path / "run.sh").write_text("true\n")
    (tmp_path / "rare.wxy").write_text("One of its kind.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_script_is_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bootstrap", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["other_endings"] == [{"ending": "i2i", "files": 5}]


def test_the_printed_setting_adds_them(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bootstrap"]) == 0
    said = capsys.readouterr().out
    assert "5 .i2i\n" in said
    setting = said[said.index("extensions = ") :].splitlines()[0]
    (root / ".hippocampus" / "config.toml").write_text(f"[scan]\n{setting}\n")
    assert main(["bootstrap"]) == 0
    assert "not read as notes" not in capsys.readouterr().out
    assert main(["query", "how deep is the pond"]) == 0
    assert ".i2i" in capsys.readouterr().out
