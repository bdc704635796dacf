"""Summaries that the reference wrote in real sessions of Pi, made again from the messages before them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hippocampus_cli.context.compaction.reference.scoring import defaults
from hippocampus_cli.context.compaction.reference.summary import handle
from hippocampus_cli.context.transcripts import Transcript
from tests.context.parity import TRANSCRIPTS

SESSIONS = sorted(TRANSCRIPTS.glob("*.jsonl")) if TRANSCRIPTS else []


@pytest.mark.skipif(not SESSIONS, reason="the real sessions (shared/transcripts) are not here")
@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_the_summary_is_the_same_to_the_byte(path: Path, tmp_path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    (at,) = (number for number, line in enumerate(lines) if '"type":"compaction"' in line)
    compaction = json.loads(lines[at])
    before = tmp_path / path.name
    before.write_text("\n".join(lines[:at]), encoding="utf-8")
    with Transcript(before) as session:
        messages = list(session)
    kept = next(n for n, one in enumerate(messages) if one.id == compaction["firstKeptEntryId"])
    preparation = {"messagesToSummarize": [one.raw for one in messages[:kept]]}
    handled = handle(preparation, defaults())
    assert handled.compaction is not None
    assert handled.compaction["summary"] == compaction["summary"]
