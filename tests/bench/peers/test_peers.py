from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from bench.peers.process import Found, PeerFailed, Place, output, ranked, variables
from bench.peers.tools import in_order

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-ins are shell scripts")


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
