"""The programs that the weights and the confidence were fitted with are there to be run again, on any LoCoMo file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.query.confidence import ConfidenceFeatures
from hippocampus_cli.search.ranking_weights import FEATURES

ROOT = Path(__file__).parents[2]
TALK = ROOT / "tests/bench/talk.json"
"""Two made-up conversations, four questions that have an answer."""
NUMBER = r"-?\d+\.\d+"


def printed(tool: str, *arguments: str) -> str:
    """What a tool says, which ends well."""
    pytest.importorskip("numpy", reason="fitting needs numpy, which is not installed")
    command = [sys.executable, "-m", f"bench.fit.{tool}", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("tool", ["ranking", "confidence", "left_out"])
def test_it_can_be_asked_for_help(tool: str) -> None:
    assert "--help" in printed(tool, "--help")


def test_the_ranking_is_fitted() -> None:
    said = printed("ranking", str(TALK))
    for what in ("LoCoMo, 4 questions", r"fixture, \d+ questions"):
        for how in ("as it is", "held out"):
            (line,) = re.findall(rf"^{what}: {how} +(.*)$", said, re.MULTILINE)
            assert all(0 < float(one) <= 1 for one in re.findall(NUMBER, line)), line
    weights = re.findall(rf"^(\w.*?) +{NUMBER} *({NUMBER})$", said, re.MULTILINE)
    assert {name: float(now) for name, now in weights} == FEATURES


def test_the_confidence_is_fitted(tmp_path: Path) -> None:
    (tmp_path / "farm").mkdir()
    (tmp_path / "farm/kelp.md").write_text("# Kelp\n\n- grows on ropes\n", encoding="utf-8")
    questions = "where does kelp grow\there\nwho grows barley\tabsent\n"
    (tmp_path / "farm.tsv").write_text(questions, encoding="utf-8")
    said = printed("confidence", str(TALK), "--large", str(tmp_path))
    (names, numbers) = re.findall(r"^(intercept.*?): \[(.*)\]", said, re.MULTILINE | re.DOTALL)[0]
    assert names.split(", ") == ["intercept", *ConfidenceFeatures._fields]
    assert len(re.findall(NUMBER, numbers)) == 1 + len(ConfidenceFeatures._fields)
    locomo = ("own", "other", "fixture on locomo", "among others", "left out", "locomo on fixture")
    for kind in (*locomo, "fixture", "absent", "farm", "farm, absent"):
        (refused,) = re.findall(rf"^{kind} +\d+ +refused ({NUMBER}) ", said, re.MULTILINE)
        assert 0 <= float(refused) <= 1


def test_a_corpus_is_left_out_in_turn(tmp_path: Path) -> None:
    file = tmp_path / "locomo/talk.json"
    file.parent.mkdir()
    file.write_bytes(TALK.read_bytes())
    said = printed("left_out", "--data", str(tmp_path), "--limit", "4")
    for corpus in ("fixture", "locomo"):
        for how in ("as it is", "fitted to all", "left out"):
            (line,) = re.findall(rf"^{corpus}, \d+ +{how} +(hit@1.*)$", said, re.MULTILINE)
            assert all(0 <= float(one) <= 1 for one in re.findall(NUMBER, line)), line
        (line,) = re.findall(rf"^{corpus}, \d+ +left out, [\d.]+ +(sure.*)$", said, re.MULTILINE)
        assert line.count(": ") == 5
