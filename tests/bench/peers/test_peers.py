from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.dataset import own_notes
from bench.locomo import read_locomo
from bench.peers.process import (
    Found,
    Peer,
    PeerFailed,
    Place,
    output,
    ranked,
    variables,
)
from bench.peers.run import Plan, Report, Row, run
from bench.peers.tools import PEERS, in_order
from hippocampus_cli.config import Config
from tests.bench.peers import fakes

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")
TALK = Path(__file__).parents[1] / "talk.json"
SERVER = "http://127.0.0.1:1/v1"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("SECRET_KEY", "must stay")
    return folder


def measured(peers: tuple[Peer, ...] = PEERS, embeddings: str | None = SERVER) -> Report:
    return run(read_locomo(TALK), peers, Config(), Plan(embeddings, rounds=1))


def rows(report: Report) -> dict[str, Row]:
    return {row.peer: row for row in report.rows}


def peer(key: str) -> tuple[Peer, ...]:
    (one,) = (one for one in PEERS if one.key == key)
    return (one,)


def test_every_tool_is_asked_every_question(programs: Path) -> None:
    for name, code in fakes.ALL.items():
        fakes.install(programs, name, code)
    report = measured()
    assert (report.folders, report.files, report.questions) == (2, 3, 4)
    found = rows(report)
    assert list(found) == [*(one.key for one in PEERS), "search", "hybrid"]
    versions = [found[one.key].version for one in PEERS]
    assert versions == ["13.0.0", "2.8.3", "2.8.3", "0.24.1", "0.4.23"]
    for row in report.rows:
        assert not row.problem
        assert row.figures["files_at_10"].value > 0, row.name
        assert row.cold_ms and row.index_s and row.tokens
    assert {key for key, row in found.items() if row.warm_ms} == {
        *("qmd-words", "basic-memory", "search", "hybrid"),
    }
    for key in ("rg", "qmd", "memsearch", "basic-memory"):
        assert found[key].figures["cov_1000"].value > 0, key


def test_only_the_notes_are_handed_over_and_no_figure_is_better_for_more_places(
    programs: Path, tmp_path: Path
) -> None:
    root = tmp_path / "own"
    (root / ".hippocampus").mkdir(parents=True)
    (root / ".hippocampus/config.toml").write_text("")
    (root / "HIPPOCAMPUS.md").write_text("# Index\n\nkelpie\n")
    (root / "a.md").write_text("# Kelpie\n\n## Deploy\n\nship it with kelpctl\n")
    (root / "b.md").write_text("# Other\n\n## Kelp\n\nseaweed soup\n")
    questions = tmp_path / "q.toml"
    questions.write_text(
        '[[query]]\ntext = "kelpctl"\nkind = "exact"\n'
        'gold = [{path = "a.md", section = "Deploy"}, {path = "b.md", section = "Kelp"}]\n'
        '[[query]]\ntext = "kelpctl"\nkind = "multi"\n'
        'gold = [{path = "a.md", section = "Deploy"}, {path = "b.md", section = "Kelp"}]\n'
        '[[query]]\ntext = "zebra"\nkind = "absent"\ngold = []\n'
    )
    fakes.install(programs, "rg", fakes.RG)
    now = datetime(2026, 2, 1, 9, tzinfo=UTC)
    notes = own_notes(root, Config(), questions, now, tmp_path / "copy")
    report = run(notes, peer("rg"), Config(), Plan(rounds=1))
    assert (report.questions, report.files) == (2, 2)
    row = rows(report)["rg"]
    assert row.figures["files_at_5"].value == pytest.approx(0.75)  # one of any, one of two
    assert row.figures["any_at_5"].value == 1
    (folder,) = notes.limited(1).folders
    assert len(folder.cases) == 1
    given = folder.write(tmp_path / "given")
    assert sorted(file.name for file in given.rglob("*")) == ["a.md", "b.md"]
    assert (root / "HIPPOCAMPUS.md").read_text() == "# Index\n\nkelpie\n"


def _empty(folder: Path) -> Path:
    folder.mkdir()
    return folder


def place(tmp_path: Path) -> Place:
    return Place("none", _empty(tmp_path / "notes"), _empty(tmp_path / "home"))


def test_what_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    child = tmp_path / "child"
    command = ("/bin/sh", "-c", f"(sleep 2; echo still here > {child}) & sleep 60")
    begun = time.monotonic()
    with pytest.raises(PeerFailed, match="no end after 0 s"):
        output(command, place(tmp_path), seconds=0.2)
    assert time.monotonic() - begun < 30
    time.sleep(2.5)
    assert not child.exists()


@pytest.mark.parametrize(
    "command", [("C:/npm/qmd.CMD", "search", "x & del *"), ("/bin/echo", "\0")]
)
def test_a_question_is_never_a_command(command: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(PeerFailed, match=r"cannot be"):
        output(command, place(tmp_path))


def test_a_tool_s_environment_holds_no_key_and_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("PATH", "/bin")
    given = variables(Path("/scratch"), {"MORE": "1"})
    assert "OPENAI_API_KEY" not in given
    assert (given["PATH"], given["HOME"], given["MORE"]) == ("/bin", "/scratch", "1")


def test_files_of_ripgrep_by_different_words_then_by_lines() -> None:
    def hit(path: str, line: int, *words: str) -> str:
        said = {"path": {"text": f"./{path}"}, "lines": {"text": f"{line}\n"}, "line_number": line}
        said["submatches"] = [{"match": {"text": word}} for word in words]
        return json.dumps({"type": "match", "data": said})

    printed = "\n".join(
        (
            hit("a.md", 1, "Ferry"),
            hit("a.md", 2, "ferry"),
            hit("b.md", 3, "ferry"),
            hit("b.md", 4, "ferry", "SIX"),
            hit("c.md", 1, "six"),
        )
    )
    found = in_order(printed)
    assert [one.path for one in found] == ["b.md", "a.md", "c.md"]
    assert found[0] == Found("b.md", ((4, 4), (3, 3)), "4\n3\n")


def test_a_file_without_lines_counts_as_a_file_only() -> None:
    given = ranked([Found("a.md", (), "x" * 40), Found("b.md", ((2, 3), (5, 5)), "y" * 4)])
    assert [(span.path, span.start, span.end) for span in given.shown] == [
        ("a.md", 1, 0),
        ("b.md", 2, 3),
        ("b.md", 5, 5),
    ]
    assert given.tokens == 11
