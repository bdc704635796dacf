"""The configuration file of the specification."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli import open_workspace
from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.spec_settings import FILE, SpecSettings, configured

TALK = [{"role": "user", "content": f"Please look at step {n} of the release."} for n in range(30)]


def read(text: str, settings: Compaction) -> SpecSettings:
    with TemporaryDirectory() as folder:
        (Path(folder) / FILE).write_bytes(text.encode())
        return configured(settings, Path(folder))


def test_what_the_file_says_holds() -> None:
    text = json.dumps(
        {
            "decayRates": {"decision": 0.01, "tool_result": 2},
            "retentionFloor": {"context": 0.4},
            "sparseThreshold": 0.3,
            "compressThreshold": 1,
            "maxSparseIndexTokens": 100,
            "debug": True,
            "logFile": "logs/compaction.log",
        }
    )
    told = read(text, Compaction())
    expected = Compaction()._replace(
        rate_decision=0.01,
        rate_tool_result=2.0,
        floor_context=0.4,
        sparse_threshold=0.3,
        compress_threshold=1.0,
        sparse_tokens=100,
    )
    assert (told.settings, told.notices) == (expected, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "left out"),
        ("[1]", "no object"),
        ('{"sparseThreshold": "high"}', "no number from 0 to 1"),
        ('{"sparseThreshold": true}', "no number from 0 to 1"),
        ('{"decayRates": {"decision": -1, "gossip": 1}}', "no number from 0 to 100"),
        ('{"retentionFloor": {"decision": NaN}}', "no number"),
    ],
)
def test_what_is_no_such_value_is_told_and_left_out(text: str, said: str) -> None:
    told = read(text, Compaction())
    assert told.settings == Compaction()
    assert said in " ".join(told.notices)


@given(
    st.text(max_size=60)
    | st.recursive(st.floats() | st.booleans() | st.none() | st.text(max_size=5), st.lists).map(str)
)
def test_no_text_breaks_it(text: str) -> None:
    settings = read(text, Compaction()).settings
    assert 0 <= settings.sparse_threshold <= 1


def test_a_compaction_obeys_it_and_writes_no_log(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(json.dumps(TALK))
    with open_workspace(tmp_path) as workspace:
        before = workspace.sessions.compact(tmp_path / "s.json").session.counts
        (tmp_path / FILE).write_text(
            '{"compressThreshold": 0, "sparseThreshold": 0, "logFile": "MEMORY.md"}'
        )
        made = workspace.sessions.compact(tmp_path / "s.json")
        assert made.session.counts["keep"] > before["keep"] and not made.notices
        assert not (tmp_path / "MEMORY.md").exists()
