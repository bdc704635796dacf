"""``hippo compact --stdin``: what Pi's extension hands over and gets back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.commands.compact import print_compaction
from hippocampus_cli.config.context import Compaction as Settings
from hippocampus_cli.context.compaction import CompactedSession, compact
from hippocampus_cli.context.transcripts import Transcript
from tests.support.command_line import Hippo, Told, screen
from tests.support.sessions import call, pi_file, result, says, user

GIVEN: dict[str, Any] = {
    "messagesToSummarize": [
        user("Write the report about port 8443 please."),
        None,
        says("", call("c1", command="ls /srv/reports")),
        result("c1", "a.md\nb.md"),
    ],
    "turnPrefixMessages": [says("I decided on the short form.")],
    "tokensBefore": 9000,
    "firstKeptEntryId": "aa11bb22",
    "previousSummary": "",
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> Any:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MEMORY.md").touch()

    def once(given: object, *options: str, code: int = 0) -> Told:
        text = given if isinstance(given, str) else json.dumps(given)
        return hippo("compact", "--stdin", *options, given=text, code=code)

    return once


def summary_of(told: Told) -> str:
    return str(told.json["compaction"]["summary"])


def test_the_answer_is_the_compaction(run: Any) -> None:
    told = run(GIVEN)
    assert told.err == ""
    made = told.json["compaction"]
    assert (made["firstKeptEntryId"], made["tokensBefore"]) == ("aa11bb22", 9000)
    assert "I decided on the short form." in made["summary"]
    assert "`ls /srv/reports`" in made["summary"]


def test_the_originals_can_be_fetched(run: Any, hippo: Hippo) -> None:
    (line,) = (one for one in summary_of(run(GIVEN)).split("\n") if "a.md" in one)
    assert hippo("fetch", line.rpartition("#")[2]).out == "a.md\nb.md\n"


def test_nothing_is_kept_where_nothing_may_be_written(run: Any, tmp_path: Path) -> None:
    run(GIVEN, "--no-write")
    assert not (tmp_path / ".hippocampus").exists()


def test_without_a_workspace_there_is_an_answer_all_the_same(run: Any, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").unlink()
    assert "summary" in run(GIVEN, "--no-write").json["compaction"]


def test_outside_a_workspace_the_originals_are_kept_for_the_user(
    run: Any, tmp_path: Path, hippo: Hippo
) -> None:
    (tmp_path / "MEMORY.md").unlink()
    session = {"id": "0193-ab", "file": str(tmp_path / "gone.jsonl"), "entryIds": ["a"] * 5}
    summary = summary_of(run({**GIVEN, "session": session}))
    assert "hippo fetch ID --session 0193-ab -->" in summary
    (line,) = (one for one in summary.split("\n") if "a.md" in one)
    pointer = line.rpartition("#")[2]
    assert hippo("fetch", pointer).out == "a.md\nb.md\n"
    (tmp_path / "MEMORY.md").touch()  # and from a workspace, later
    told = hippo("fetch", pointer, "--session", "0193-ab", "--json").json
    assert (told["path"], told["session"]) == (None, "0193-ab")
    assert not (tmp_path / ".hippocampus").exists()
    hippo("fetch", pointer, "--session", "0193-ac", code=10)
    hippo("bootstrap")
    told = hippo("forget", "I decided on the short form.", "--dry-run", code=1)  # none here
    assert "transcripts of hippo outside of workspaces" in told.out


def test_a_pointer_bears_the_id_of_pis_own_entry(run: Any, tmp_path: Path, hippo: Hippo) -> None:
    """Where the session is in Pi's file, it is compacted up to what stays, and nothing of it is copied."""
    said = [one for one in GIVEN["messagesToSummarize"] if one]
    file = pi_file(tmp_path, *said, *GIVEN["turnPrefixMessages"], user("This stays."))
    given = {**GIVEN, "firstKeptEntryId": "e5", "session": {"id": "s", "file": str(file)}}
    summary = summary_of(run(given))
    (line,) = (one for one in summary.split("\n") if "a.md" in one)
    assert line.endswith(" #e3") and "This stays" not in summary
    assert f"hippo fetch ID --session {file} -->" in summary
    kept = "".join(path.read_text() for path in tmp_path.glob(".hippocampus/sessions/_originals/*"))
    assert "e3" in kept and "b.md" not in kept
    assert hippo("fetch e3").out == "a.md\nb.md\n"


def test_where_nothing_can_be_kept_pi_compacts_by_itself(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".hippocampus").write_text("in the way")
    (tmp_path / "data").write_text("in the way")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    told = run(GIVEN)
    assert told.json == {} and "originals are not kept" in told.err
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "there"))
    assert summary_of(run(GIVEN))  # the user's folder is as good
    assert list(tmp_path.glob("there/hippo/.hippocampus/sessions/_originals/*.jsonl"))


def test_every_compaction_is_of_the_whole_session(run: Any, tmp_path: Path) -> None:
    """Summaries do not nest: what was said before the last compaction is scored again from its originals."""
    said = [
        message
        for step in range(6)
        for message in (
            user(f"Step {step}: rotate the logs of host-{step}."),
            says(f"I decided to use tool_{step} for it."),
            *(says(f"Nothing to see here, number {step} {n}.") for n in range(9)),
        )
    ]
    file = pi_file(tmp_path, *said, user("This stays."))
    summary = ""
    for step in range(6):
        given = {
            "messagesToSummarize": said[11 * step : 11 * step + 11],
            "previousSummary": summary,
            "firstKeptEntryId": f"e{11 * step + 12}",
            "session": {"id": "s1", "file": str(file)},
        }
        summary = summary_of(run(given, "--tokens", "1500"))
        assert summary.count("# hippocampus.md Compaction") == summary.count("## Goal") == 1
    assert "host-0" in summary and "tool_0" in summary and "tool_5" in summary
    assert "entries: 66 " in summary


def test_nothing_to_compact_leaves_it_to_pi(run: Any) -> None:
    assert run({"messagesToSummarize": []}).json == {}


@pytest.mark.parametrize("given", ["", "{", "[]", "{}", '{"messagesToSummarize": 7}'])
def test_what_is_no_preparation_is_an_error(run: Any, given: str) -> None:
    told = run(given, code=6)
    assert told.out == "" and "standard input" in told.err


def test_a_session_of_a_few_words_is_not_called_smaller(tmp_path: Path, hippo: Hippo) -> None:
    (tmp_path / "short.json").write_text(json.dumps([user("Hi.")]))
    said = hippo("compact", str(tmp_path / "short.json"), "--no-write").err
    assert said.startswith("1 entry: 1 kept; ") and "smaller" not in said


@pytest.fixture
def made(tmp_path: Path) -> CompactedSession:
    path = pi_file(
        tmp_path,
        user("Evil \x1b[2J text 🚀 " + "and long " * 30),
        says("", call("c1", command="ls\x1b[31m")),
        result("c1", "out\x1b]0;x\x07", "tool\x1b"),
    )
    with Transcript(path) as session:
        return compact(session, Settings())


@pytest.mark.parametrize("width", [60, 80, 90, 120])
def test_no_verdict_is_wider_than_the_terminal(made: CompactedSession, width: int) -> None:
    output, out = screen(width)
    print_compaction(output, made, explain=True)
    assert all(cell_len(line) <= width for line in out.getvalue().splitlines())


@pytest.mark.parametrize("explain", [True, False])
def test_no_text_of_a_session_reaches_the_terminal_as_a_code(
    made: CompactedSession, explain: bool
) -> None:
    output, out = screen(80)
    print_compaction(output, made, explain=explain)
    assert not set(out.getvalue()) & set("\x1b\x07")


def test_elsewhere_verdicts_are_separated_by_tabs(made: CompactedSession) -> None:
    output, out = screen(80, terminal=False)
    print_compaction(output, made, explain=True)
    rows = [line.split("\t") for line in out.getvalue().splitlines()]
    assert [(len(row), row[1], row[6]) for row in rows] == [
        (8, "e1", "keep"),
        (8, "e2", "fold"),
        (8, "e3", "compress"),
    ]
