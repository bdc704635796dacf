"""Bad input through the front door: a message that says what, where and what next, and no change on disk."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import Hippo
from tests.support.processes import hippo as process

INDEX = (
    "# HIPPOCAMPUS.md\n\n## Red \x1b[31malert\x07\n→ notes.md §Red \x1b[31malert\x07\n"
    "<!-- hx: id=red | hits=0 | str=0.9 -->\n"
)
NOTES = (
    "# Notes\n\n## Red \x1b[31malert\x07\n\nThe siren \x1b]0;owned\x07 sounds at \x9b31m noon.\n"
)
COMMANDS = (
    *("query siren", "tag red --pri amygdala", "status", "bootstrap", "list", "show red"),
    *("check --fix", "add X --to notes.md"),
)
CODES = {"\x1b", "\x07", "\x9b"}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HIPPO_NOW", "2026-06-01T12:00:00+00:00")
    (tmp_path / "notes.md").write_text(NOTES)
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    return tmp_path


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".hippocampus" not in path.parts
    }


def test_escape_sequences_reach_no_terminal(root: Path, hippo: Hippo) -> None:
    done = process(root, "query", "siren")
    shown = [done.stdout.decode() + done.stderr.decode()]
    for line in ("query siren", "query siren --json", "list", "show red", "check"):
        shown += hippo(line, code=None)
    assert not [text for text in shown if CODES & set(text) or "Traceback" in text]


def test_escape_sequences_in_a_context_reach_no_terminal(root: Path, hippo: Hippo) -> None:
    hippo("context add notes.md")
    hippo("context", "add", "--text", NOTES, "--source", "\x1b[2Jx", "--ref", "\x1b]0;y\x07")
    for line in ("list", "list --all", "list --json", "get ctx_001 --json", "list --turn 1"):
        assert not CODES & set("".join(hippo(f"context {line}")))
    assert hippo("context get ctx_002").out == NOTES


def test_a_lone_surrogate_in_the_arguments(root: Path) -> None:
    done = process(root, "query", b"siren \xff\xfe noon")
    assert done.returncode == 0
    assert b"The siren" in done.stdout


@pytest.mark.parametrize(("text", "why"), [("", "is empty"), ("\n", "is empty"), ("?!", "has no")])
def test_a_query_without_words(root: Path, text: str, why: str, hippo: Hippo) -> None:
    before = contents(root)
    assert f"hippo: the query {why}" in hippo("query", text, code=2).err
    assert contents(root) == before


def test_a_hundred_kilobytes_of_query(root: Path, hippo: Hippo) -> None:
    assert "The siren" in hippo("query", "siren noon " + "blah " * 20_000).out


@pytest.mark.parametrize(
    "command", ["query siren --mode index", "check", *COMMANDS[1:3], *COMMANDS[4:]]
)
def test_no_index(root: Path, command: str, hippo: Hippo) -> None:
    (root / "HIPPOCAMPUS.md").unlink()
    before = contents(root)
    assert "next: run `hippo bootstrap`" in hippo(command, code=4).err
    assert contents(root) == before


def test_no_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> None:
    monkeypatch.chdir(tmp_path)
    assert "hippo bootstrap" in hippo("query x", code=3).err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_index_is_a_folder(root: Path, command: str, hippo: Hippo) -> None:
    (root / "HIPPOCAMPUS.md").unlink()
    (root / "HIPPOCAMPUS.md").mkdir()
    before = contents(root)
    told = hippo(command, code=0 if command == "query siren" else 6)
    assert "hippo restore --index" in told.err
    assert (root / "HIPPOCAMPUS.md").is_dir()
    assert command == "query siren" or contents(root) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_index_is_a_link_to_outside(
    root: Path, tmp_path_factory: pytest.TempPathFactory, command: str, hippo: Hippo
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "index.md"
    elsewhere.write_text(INDEX)
    (root / "HIPPOCAMPUS.md").unlink()
    (root / "HIPPOCAMPUS.md").symlink_to(elsewhere)
    assert "leads out of the workspace" in hippo(command, code=7).err
    assert elsewhere.read_text() == INDEX


def test_pointers_to_outside_are_reported_and_not_read(root: Path, hippo: Hippo) -> None:
    text = (
        INDEX
        + "\n## Secret\n→ ../../../../etc/passwd | /etc/hostname | ~/.ssh/id_rsa\n<!-- hx: id=secret -->\n"
    )
    (root / "HIPPOCAMPUS.md").write_text(text)
    assert hippo("check", code=1).out.count("outside") >= 3
    assert "root:" not in hippo("show secret", code=None).out
    assert "root:" not in hippo("query secret passwd", code=None).out


@pytest.mark.usefixtures("permissions_bind")
def test_an_unreadable_index(root: Path, hippo: Hippo) -> None:
    (root / "HIPPOCAMPUS.md").chmod(0)
    assert "the index cannot be read: Permission denied" in hippo("query siren").err


def test_a_malformed_index_is_served_and_not_touched(root: Path, hippo: Hippo) -> None:
    text = (
        "## A\n→ notes.md §Red\n<!-- hx: id=a | hits=x | str=1.7\n\n```\n## B\n<!-- hx: id=b -->\n"
    )
    (root / "HIPPOCAMPUS.md").write_text(text)
    hippo("query siren --no-write")
    assert "HIPPOCAMPUS.md:1" in hippo("tag a --pri amygdala", code=5).err
    assert "HIPPOCAMPUS.md:3: unclosed-hx" in hippo("check", code=1).out
    assert (root / "HIPPOCAMPUS.md").read_text() == text


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are no bytes there")
def test_words_beyond_ascii_in_a_c_locale(root: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = process(
        root, "remember", "Stra\u00dfe gesperrt \U0001f6a7", "--tag", "b\u00fcro", **plain
    )
    assert (done.returncode, done.stderr) == (0, b"")
    log = (root / "memory/2026-06-01.md").read_text(encoding="utf-8")
    assert "Stra\u00dfe gesperrt \U0001f6a7" in log
    assert "tags=b\u00fcro" in (root / "HIPPOCAMPUS.md").read_text(encoding="utf-8")
    assert process(root, "query", "stra\u00dfe gesperrt", "--json", **plain).returncode == 0
