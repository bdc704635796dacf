"""``hippo bench``: one's own notes measured; everything else stands outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.__main__ import BENCHMARKS
from hippocampus_cli.cli.commands import bench
from hippocampus_cli.cli.main import main

ACME = Path(__file__).parents[2] / "tests/workspaces/acme"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_one_s_own_workspace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPPO_NOW", "2026-02-01T09:00:00+00:00")
    args = ["bench", "workspace", "--workspace", str(ACME), "--rounds", "1"]
    assert main([*args, "--price", "0", "--csv", "a.csv"]) == 0
    printed = capsys.readouterr().out
    assert "method              tokens  cold ms" in printed
    assert "$0.00" in printed
    assert printed.endswith("wrote a.csv\n")
    assert main([*args, "--questions", "none.toml"]) == 6
    assert "at none.toml" in capsys.readouterr().err
    assert main(["bench", "workspace", "--workspace", "nowhere"]) == 3


def test_what_is_not_installed_says_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(bench._FROM_A_CHECKOUT) == set(BENCHMARKS)
    for name in BENCHMARKS:
        assert main(["bench", name, "x.json", "--help"]) == 2
        assert f"next: run `python -m bench {name}` in a checkout" in capsys.readouterr().err
    assert main(["bench", "locomo", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage"
    assert main(["bench", "decade"]) == 2
