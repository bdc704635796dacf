"""The command line of the benchmarks: what is asked for, what is printed and saved, what is refused."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.__main__ import BENCHMARKS, main
from tests.support.command_line import Hippo

ROOT = Path(__file__).parents[2]
ACME = ROOT / "tests/workspaces/acme"
TALK = ROOT / "tests/bench/talk.json"
LOCOMO = ["locomo", str(TALK), "--methods", "grep,bm25-turns"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def bench(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Hippo:
    """Runs ``python -m bench`` in this process."""
    return Hippo(capsys, monkeypatch, main)


def test_every_benchmark_explains_itself(bench: Hippo) -> None:
    for name in BENCHMARKS:
        assert "--json" in bench(name, "--help").out
    bench("", code=2)
    assert "invalid choice: 'decade'" in bench("decade", code=2).err


def test_locomo_as_tables(bench: Hippo) -> None:
    printed = bench(*LOCOMO).out
    assert printed.startswith("4 questions, 2 conversations, 3 files, 9 turns\nmethod ")
    assert "\nBM25, turns        1.000  1.000" in printed
    assert "F@5 by category" in printed
    assert "1 without an answer (category 5), 1 whose evidence does not" in printed


def test_locomo_as_a_document(bench: Hippo) -> None:
    document = bench(*LOCOMO, "--conversation", "made-up-2", "--json").json
    assert document["conversations"] == ["made-up-2"]
    assert document["categories"] == {"single-hop": 1}
    assert document["rows"][1]["figures"]["turns_at_5"] == {"value": 1, "low": 1, "high": 1}


def test_a_table_and_a_chart_are_saved(tmp_path: Path, bench: Hippo) -> None:
    pytest.importorskip("vl_convert", reason="the extra `report` is not installed")
    saved = ["--csv", "a.csv", "--plot", "a.svg"]
    assert bench(*LOCOMO, *saved).out.endswith("wrote a.csv\nwrote a.svg\n")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("method,category,")
    assert "</svg>" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    bench(*LOCOMO, *saved)  # its own files are replaced
    (tmp_path / "a.svg").write_text("<svg>mine</svg>")
    told = bench(*LOCOMO, *saved, code=2)
    assert "a.svg already exists and is not a chart written by hippo" in told.err
    assert (tmp_path / "a.svg").read_text() == "<svg>mine</svg>"


REFUSED = {
    ("--methods", "vector"): "--methods: there is no 'vector'",
    ("--conversation", "conv-1"): "--conversation: there is no 'conv-1'",
    ("--plot", "a.png"): "--plot writes SVG, not .png",
    ("--csv", "none/a.csv"): "no such folder",
    ("--limit-questions", "0"): "",
}


@pytest.mark.parametrize("more", REFUSED, ids=" ".join)
def test_refused_before_anything_is_measured(more: tuple[str, ...], bench: Hippo) -> None:
    assert REFUSED[more] in bench(*LOCOMO, *more, code=2).err


def test_every_corpus_that_is_here(tmp_path: Path, bench: Hippo) -> None:
    few = ["--corpora", "unseen,beam", "--methods", "bm25-sections,hybrid", "--limit", "9"]
    printed = bench("all", "--data", str(tmp_path), *few, "--csv", "a.csv").out
    assert printed.startswith("unseen: 9 questions, 2 workspaces, ")
    assert "Not here, skipped: beam." in printed and "floors" not in printed
    assert (tmp_path / "a.csv").read_text().startswith("corpus,method,metric,value,low,high\n")
    document = bench("all", "--data", str(tmp_path), *few, "--json").json
    assert document["skipped"] == ["beam"] and document["below"] == []
    rows = document["corpora"]["unseen"]["rows"]
    assert [row["method"] for row in rows] == ["bm25-sections", "hybrid"]
    assert "--corpora: there is no 'moon'" in bench("all --corpora moon", code=2).err


def test_one_corpus(tmp_path: Path, bench: Hippo) -> None:
    printed = bench("unseen --methods hybrid --limit 9").out
    assert printed.startswith("9 questions, 2 workspaces, ") and "first by category" in printed
    assert "the corpus beam is not in" in bench("beam", "--data", str(tmp_path), code=2).err


def test_peers_that_are_not_installed(
    tmp_path: Path, bench: Hippo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    args = ["peers", str(TALK), "--peers", "rg,memsearch", "--rounds", "1"]
    printed = bench(*args, "--limit-questions", "9", "--csv", "a.csv").out
    assert printed.startswith("4 questions, 3 files in 2 folders\ntool ")
    assert "\nripgrep            not installed " in printed
    assert re.search(
        r'\nmemsearch, hybrid +not installed +pipx install "memsearch\[onnx\]"\n', printed
    )
    assert (tmp_path / "a.csv").read_text().splitlines()[1] == "rg,,not installed" + "," * 19
    own = ["--workspace", str(ACME), "--peers", "rg", "--limit-questions", "3", "--rounds", "1"]
    document = bench("peers", *own, "--json").json
    assert (document["questions"], document["folders"]) == (3, 1)
    assert [row["version"] is None for row in document["rows"]] == [True, False, False]


def test_scale(bench: Hippo) -> None:
    rows = bench("scale --files 3,12 --rounds 1 --json").json["rows"]
    assert [row["files"] for row in rows] == [3, 12]
    assert rows[0]["notes_mb"] < rows[1]["notes_mb"]
    for row in rows:
        assert all(value is None or value > 0 for value in row.values())
        assert row["p50_ms"] <= row["p95_ms"]


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one group")
def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "bench", "scale", "--files", "20000"],
        env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    give_up = time.monotonic() + 60
    while not list(tmp_path.rglob("*.md")) and time.monotonic() < give_up:
        time.sleep(0.05)
    assert list(tmp_path.iterdir())
    os.killpg(run.pid, signal.SIGINT)
    said, _ = run.communicate(timeout=60)
    assert (run.returncode, said) == (130, b"")
    assert not list(tmp_path.iterdir())
