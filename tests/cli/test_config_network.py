"""``hippo config --allow-network``: a workspace's own file sends no text anywhere until its user has said so."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main

pytest.importorskip("numpy", reason="the extra `semantic` is not installed")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "w"
    (root / ".hippocampus").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\nThe siren is red.\n")
    (root / ".hippocampus/config.toml").write_text('[embedding]\nembedder = "gemini"\n')
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("GEMINI_API_KEY", "a-key")
    return root


def test_words_alone_answer_until_it_is_allowed(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bootstrap"]) == 0
    assert main(["query", "siren", "--no-write"]) == 0
    said = capsys.readouterr()
    assert "The siren is red." in said.out
    assert "hippo config --allow-network" in said.err
    assert main(["embed"]) == 19
    assert main(["config", "--allow-network"]) == 0
    capsys.readouterr()
    assert main(["query", "siren", "--no-write"]) == 0
    assert "run hippo embed" in capsys.readouterr().err  # as where there are no vectors yet
    assert main(["config", "--forbid-network", "--json"]) == 0
    assert main(["embed"]) == 19


def test_where_nobody_is_asked_there_is_nothing_to_allow(root: Path) -> None:
    (root / ".hippocampus/config.toml").write_text('[embedding]\nembedder = "none"\n')
    assert main(["config", "--allow-network"]) == 2


def test_settings_that_lead_out_or_are_too_large_are_refused(root: Path, tmp_path: Path) -> None:
    settings = root / ".hippocampus/config.toml"
    settings.write_text("# " + "x" * 300_000)
    assert main(["config"]) == 6
    settings.unlink()
    (tmp_path / "theirs.toml").write_text("[decay]\nrate = 0.5\n")
    settings.symlink_to(tmp_path / "theirs.toml")
    assert main(["config"]) == 7
