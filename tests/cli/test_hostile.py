"""Bad input through the front door: a message that says what, where and what next, and no change on disk."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import Hippo
from tests.support.processes import hippo

INDEX = (
    "# HIPPOCAMPUS.md\n\n## Red \x1b[31malert\x07\n→ notes.md §Red \x1b[31malert\x07\n"
    "<!-- hx: id=red | hits=0 | str=0.9 -->\n"
)
NOTES = (
    "# Notes\n\n## Red \x1b[31malert\x07\n\nThe siren \x1b]0;owned\x07 sounds at \x9b31m noon.\n"
)
COMMANDS = ("query siren", "tag red --pri amygdala", "status", "bootstrap")
CODES = {"\x1b", "\x07", "\x9b"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
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


def test_escape_sequences_reach_no_terminal(root: Path) -> None:
    for line in ("query siren", "query siren --json", "list", "show red", "check"):
        done = hippo(root, *line.split())
        assert b"Traceback" not in done.stderr
        assert not CODES & set(done.stdout.decode() + done.stderr.decode())


def test_escape_sequences_in_a_context_reach_no_terminal(root: Path) -> None:
    hippo(root, "context", "add", "notes.md")
    hippo(root, "context", "add", "--text", NOTES, "--source", "\x1b[2Jx", "--ref", "\x1b]0;y\x07")
    for line in ("list", "list --all", "list --json", "get ctx_001 --json", "list --turn 1"):
        done = hippo(root, "context", *line.split())
        assert done.returncode == 0
        assert not CODES & set(done.stdout.decode() + done.stderr.decode())
    assert hippo(root, "context", "get", "ctx_002").stdout == NOTES.encode()


def test_a_lone_surrogate_in_the_arguments(root: Path) -> None:
    done = hippo(root, "query", b"siren \xff\xfe noon")
    assert done.returncode == 0
    assert b"The siren" in done.stdout


@pytest.mark.parametrize("text", [b"", b"   ", b"\n"])
def test_an_empty_query(root: Path, text: bytes) -> None:
    before = contents(root)
    done = hippo(root, "query", text)
    assert done.returncode == 2
    assert b"hippo: the query is empty" in done.stderr
    assert contents(root) == before


def test_a_hundred_kilobytes_of_query(root: Path) -> None:
    done = hippo(root, "query", "siren noon " + "blah " * 20_000)
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["query siren --mode index", "list", "check", *COMMANDS[1:3]])
def test_no_index(root: Path, command: str) -> None:
    (root / "HIPPOCAMPUS.md").unlink()
    before = contents(root)
    done = hippo(root, *command.split())
    assert done.returncode == 4
    assert b"next: run `hippo bootstrap`" in done.stderr
    assert contents(root) == before


def test_no_workspace(tmp_path: Path) -> None:
    done = hippo(tmp_path, "query", "x")
    assert done.returncode == 3
    assert b"hippo bootstrap" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_the_index_is_a_folder(root: Path, command: str) -> None:
    (root / "HIPPOCAMPUS.md").unlink()
    (root / "HIPPOCAMPUS.md").mkdir()
    before = contents(root)
    done = hippo(root, *command.split())
    assert done.returncode == (0 if command == "query siren" else 6)
    assert b"hippo restore --index" in done.stderr
    assert b"Traceback" not in done.stderr
    assert (root / "HIPPOCAMPUS.md").is_dir()
    assert command == "query siren" or contents(root) == before


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_index_is_a_link_to_outside(
    root: Path, tmp_path_factory: pytest.TempPathFactory, command: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "index.md"
    elsewhere.write_text(INDEX)
    (root / "HIPPOCAMPUS.md").unlink()
    (root / "HIPPOCAMPUS.md").symlink_to(elsewhere)
    done = hippo(root, *command.split())
    assert done.returncode == 7
    assert b"leads out of the workspace" in done.stderr
    assert elsewhere.read_text() == INDEX


def test_pointers_to_outside_are_reported_and_not_read(root: Path) -> None:
    text = (
        INDEX
        + "\n## Secret\n→ ../../../../etc/passwd | /etc/hostname | ~/.ssh/id_rsa\n<!-- hx: id=secret -->\n"
    )
    (root / "HIPPOCAMPUS.md").write_text(text)
    done = hippo(root, "check")
    assert done.returncode == 1
    assert done.stdout.count(b"outside") >= 3
    assert b"root:" not in hippo(root, "show", "secret").stdout
    assert b"root:" not in hippo(root, "query", "secret passwd").stdout


@pytest.mark.usefixtures("permissions_bind")
def test_an_unreadable_index(root: Path, hippo: Hippo) -> None:
    (root / "HIPPOCAMPUS.md").chmod(0)
    told = hippo("-w", str(root), "query", "siren")
    assert "the index cannot be read: Permission denied" in told.err


def test_a_malformed_index_is_served_and_not_touched(root: Path) -> None:
    text = (
        "## A\n→ notes.md §Red\n<!-- hx: id=a | hits=x | str=1.7\n\n```\n## B\n<!-- hx: id=b -->\n"
    )
    (root / "HIPPOCAMPUS.md").write_text(text)
    assert hippo(root, "query", "siren", "--no-write").returncode == 0
    done = hippo(root, "tag", "a", "--pri", "amygdala")
    assert done.returncode == 5
    assert b"HIPPOCAMPUS.md:1" in done.stderr
    checked = hippo(root, "check")
    assert checked.returncode == 1
    assert b"HIPPOCAMPUS.md:3: unclosed-hx" in checked.stdout
    assert (root / "HIPPOCAMPUS.md").read_text() == text


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are no bytes there")
def test_words_beyond_ascii_in_a_c_locale(root: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = hippo(root, "remember", "Stra\u00dfe gesperrt \U0001f6a7", "--tag", "b\u00fcro", **plain)
    assert (done.returncode, done.stderr) == (0, b"")
    log = (root / "memory/2026-06-01.md").read_text(encoding="utf-8")
    assert "Stra\u00dfe gesperrt \U0001f6a7" in log
    assert "tags=b\u00fcro" in (root / "HIPPOCAMPUS.md").read_text(encoding="utf-8")
    assert hippo(root, "query", "stra\u00dfe gesperrt", "--json", **plain).returncode == 0
