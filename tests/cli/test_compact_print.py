from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.commands.compact import print_compaction
from hippocampus_cli.cli.output import Output
from hippocampus_cli.config.context import Compaction as Settings
from hippocampus_cli.context.compaction import CompactedSession, compact
from hippocampus_cli.context.transcripts import Transcript
from tests.support.sessions import call, pi_file, result, says, user


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


def screen(width: int, *, terminal: bool = True) -> tuple[Output, io.StringIO]:
    out = io.StringIO()
    return Output(out, io.StringIO(), False, terminal, False, width), out


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
