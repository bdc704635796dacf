from __future__ import annotations

from pathlib import Path

from bench.compaction import write_session
from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction import compact
from hippocampus_cli.context.transcripts import Transcript


def test_a_made_up_session_is_a_session_of_pi(tmp_path: Path) -> None:
    write_session(tmp_path / "s.jsonl", 60, 600)
    with Transcript(tmp_path / "s.jsonl") as session:
        assert (session.format, len(session), session.notices()) == ("pi", 60, [])
        assert {one.role for one in session} == {"user", "assistant", "tool"}
        assert compact(session, Compaction(tokens=500)).after <= 500
