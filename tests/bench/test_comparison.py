from __future__ import annotations

from pathlib import Path

import pytest

from bench.comparison import Report, run
from bench.locomo import read_locomo
from bench.methods import EMBEDDINGS, lines_of
from bench.methods import RANKINGS as ALL
from bench.metrics import Span
from hippocampus_cli.config import Config
from hippocampus_cli.query.results import Result

RANKINGS = tuple(one for one in ALL if one.key != EMBEDDINGS)  # that one needs a model
TALK = Path(__file__).parent / "talk.json"


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


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def interrupt(done: int, total: int) -> None:
        assert list(tmp_path.iterdir())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(read_locomo(TALK), RANKINGS, Config(), progress=interrupt)
    assert not list(tmp_path.iterdir())


def test_the_lines_of_a_result() -> None:
    result = Result(1, "a.md", None, 4, 5, "", 0, 0.5, "search")
    assert lines_of(result) == (Span("a.md", 4, 5, 0.5),)
