"""Sessions of Codex, Gemini CLI and opencode, in the shapes that the real programs wrote."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from hippocampus_cli.context.transcripts import Transcript
from hippocampus_cli.errors import MessageNotFound, TranscriptUnreadable
from tests.support.other_agents import CODEX, GEMINI, gemini, lines, openclaw, opencode, said, told


def test_codex(tmp_path: Path) -> None:
    with Transcript(lines(tmp_path / "rollout.jsonl", *CODEX)) as session:
        assert session.format == "codex"
        found = list(session)
        assert told(found) == [
            ("user", "", "what is our deploy command?"),
            ("assistant", "", "I look it up"),
            ("assistant", "", ""),
            ("tool", "exec_command", "TOOLS.md: make deploy"),
            ("assistant", "", "It is `make deploy`."),
        ]
        assert found[2].calls[0].argument == ("command", "rg deploy")
        assert session.find(found[0].id).text == "what is our deploy command?"


def test_codex_after_a_compaction(tmp_path: Path) -> None:
    compacted = {"type": "compacted", "payload": {"message": "We looked up the deploy command."}}
    with Transcript(
        lines(tmp_path / "a.jsonl", *CODEX, compacted, said("user", "thanks"))
    ) as session:
        assert len(session) == 6 and session.message(5).text == "thanks"
        assert session.previous and session.previous.text == "We looked up the deploy command."


def test_gemini(tmp_path: Path) -> None:
    with Transcript(lines(tmp_path / "session.jsonl", *GEMINI)) as session:
        assert session.format == "gemini"
        found = list(session)
        assert told(found) == [
            ("user", "", "run it"),
            ("assistant", "", ""),
            ("tool", "run_shell_command", "done all"),
            ("assistant", "", "It ran."),
        ]
        assert found[1].calls[0].argument == ("command", "make all")


def test_gemini_goes_back(tmp_path: Path) -> None:
    more = (gemini("user", "a5", "and again"), {"$rewindTo": "a3"}, gemini("user", "a6", "no"))
    with Transcript(lines(tmp_path / "s.jsonl", *GEMINI, *more)) as session:
        assert [one.text for one in session] == ["run it", "", "no"]
    with Transcript(lines(tmp_path / "t.jsonl", *GEMINI, {"$rewindTo": "x"}, more[2])) as session:
        assert [one.text for one in session] == ["no"]


def test_opencode(tmp_path: Path) -> None:
    path = opencode(tmp_path / "opencode.db")
    with Transcript(path) as session:
        assert (session.format, session.path.name) == ("opencode", "opencode.db#ses_new")
        found = list(session)
        assert told(found) == [
            ("user", "", "run it"),
            ("assistant", "", ""),
            ("tool", "bash", "done all"),
            ("assistant", "", "It ran."),
        ]
        assert found[1].calls[0].argument == ("command", "make all")
        assert session.find(found[2].id).text == "done all"
    with Transcript(path.with_name("opencode.db#ses_old")) as session:
        assert [one.text for one in session] == ["before"]


def test_openclaw_in_a_database(tmp_path: Path) -> None:
    path = openclaw(tmp_path / "openclaw-agent.sqlite", tmp_path)
    with Transcript(path) as session:
        assert session.path.name == "openclaw-agent.sqlite#newer"
        assert [(one.id, one.text) for one in session] == [("newer01", "restart the relay")]
    with Transcript(path.with_name(f"{path.name}#older")) as session:
        assert [one.text for one in session] == ["rotate the keys"]
        assert session.notices() == ["1 broken line (3) skipped"]  # what is packed, and damaged


def test_another_database_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    sqlite3.connect(path).execute("CREATE TABLE a (b)")
    for name in ("other.db", "other.db#x"):
        with pytest.raises(TranscriptUnreadable):
            Transcript(tmp_path / name)
    with pytest.raises(TranscriptUnreadable):
        Transcript(opencode(tmp_path / "opencode.db").with_name("opencode.db#gone"))
    with Transcript(tmp_path / "opencode.db") as session, pytest.raises(MessageNotFound):
        session.find("gone")
