from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from bench import methods as every
from bench.comparison import Report, findings, run
from bench.locomo import read_locomo
from bench.methods import EMBEDDINGS, lines_of
from bench.methods import RANKINGS as ALL
from bench.metrics import Span, quantile
from bench.sheet import as_csv
from hippocampus_cli.config import Config
from hippocampus_cli.query.results import Result

RANKINGS = tuple(one for one in ALL if one.key != EMBEDDINGS)  # that one needs a model
TALK = Path(__file__).parent / "talk.json"
REAL = Path(os.environ.get("LOCOMO", "locomo10.json"))


@pytest.fixture(scope="module")
def report() -> Report:
    return run(read_locomo(TALK), RANKINGS, Config())


def test_every_method_is_asked_every_question(report: Report) -> None:
    assert [row.method for row in report.rows] == [one.key for one in RANKINGS]
    assert (report.questions, report.files, report.turns) == (4, 3, 9)
    assert report.categories == {"multi-hop": 1, "temporal": 1, "single-hop": 2}
    for row in report.rows:
        assert 0 < row.rest["p50_ms"] <= row.rest["p95_ms"]
        for one in row.figures.values():
            assert 0 <= one.low <= one.value <= one.high <= 1


def test_plain_questions_are_answered(report: Report) -> None:
    rows = {row.method: row for row in report.rows}
    for method in ("bm25-turns", "search", "hybrid"):
        assert rows[method].figures["files_at_1"].value == 1
        assert rows[method].figures["turns_at_5"].value == 1
    assert rows["full-scan"].figures["cov_500"].value == 1  # so little text
    assert rows["full-scan"].rest["tokens"] > rows["bm25-turns"].rest["tokens"]
    assert rows["grep-files"].figures["files_at_10"].value == 1


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    methods = RANKINGS[4:5]
    run(read_locomo(TALK), methods, Config(), progress=lambda *one: told.append(one))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def interrupt(done: int, total: int) -> None:
        assert list(tmp_path.iterdir())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(read_locomo(TALK), RANKINGS, Config(), progress=interrupt)
    assert not list(tmp_path.iterdir())


def test_the_findings_agree_with_each_other(report: Report) -> None:
    found = findings(report)
    assert found.document["benchmark"] == "locomo"
    rows: Any = found.document["rows"]
    head, *lines = as_csv(found.table).splitlines()
    assert head.startswith("method,category,questions,files_at_1,files_at_1_low,files_at_1_high,")
    assert len(lines) == len(rows) * 4  # all, and three categories
    assert lines[0].split(",")[:3] == ["full-scan", "all", "4"]
    assert float(lines[0].split(",")[3]) == pytest.approx(
        rows[0]["figures"]["files_at_1"]["value"], abs=1e-4
    )
    for sheet in (*found.sheets, found.table):
        assert all(len(row) == len(sheet.columns) for row in sheet.rows)


def test_the_lines_of_a_result() -> None:
    result = Result(1, "a.md", None, 3, 9, "", 0, 0.5, "search", passage=(4, 5))
    assert lines_of(result) == (Span("a.md", 4, 5, 0.5),)


def test_quantiles() -> None:
    assert quantile([], 0.5) == 0
    assert quantile([1, 2, 3, 4], 0.5) == 3
    assert quantile([float(n) for n in range(100)], 0.95) == 95


def test_a_question_without_a_word_is_asked_all_the_same() -> None:
    dataset = read_locomo(TALK)
    folder = dataset.folders[0]
    odd = folder._replace(cases=(folder.cases[0]._replace(text="???"),))
    report = run(dataset._replace(folders=(odd,)), RANKINGS, Config())
    assert report.questions == 1


@pytest.mark.skipif(not REAL.is_file(), reason="the LoCoMo data is not here (LOCOMO=FILE names it)")
def test_the_baselines_are_those_that_are_known() -> None:
    """Measured elsewhere over all ten conversations: a wrong harness would not come near."""
    known = {"grep": (0.471, 0.713), "grep-words": (0.821, 0.91), "bm25-turns": (0.835, 0.909)}
    methods = [one for one in every.RANKINGS if one.key in known]
    for row in run(read_locomo(REAL), methods, Config()).rows:
        five, ten = known[row.method]
        assert row.figures["files_at_5"].value == pytest.approx(five, abs=0.03)
        assert row.figures["files_at_10"].value == pytest.approx(ten, abs=0.03)
