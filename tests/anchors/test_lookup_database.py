"""The twin where its file is of no use, and many writers at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hippocampus_cli.anchors import lookup_database
from hippocampus_cli.text.tokenizer import TOKENS_VERSION
from hippocampus_cli.workspace import database
from tests.support.anchor_notes import FILLER, LATER, NOW, built, files_of, found, keeper, write

TWIN = ".hippocampus/cache/anchors.sqlite"
PROGRAM = """
import sys
from pathlib import Path
from hippocampus_cli import open_workspace
root, own = Path(sys.argv[1]), sys.argv[2]
with open_workspace(root) as ws:
    for number in range(4):
        path = f"{own}-{number}.md"
        (root / path).write_text(f"# Topic {own} {number}\\n\\nThe {own} walrus number{number} sleeps.\\n")
        ws.anchors.update(path)
        ws.anchors.lookup(f"{own} walrus")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return built(write(tmp_path))


def test_a_twin_that_cannot_be_opened_is_one_in_memory(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = found(root, "label printer")
    real = database.connect

    def refused(place: str | Path, *given: float, uri: bool = False) -> database.Connection:
        if place != ":memory:":
            raise sqlite3.OperationalError("unable to open database file")
        return real(place, *given, uri=uri)

    monkeypatch.setattr(database, "connect", refused)
    assert found(root, "label printer") == once
    (root / "new.md").write_text(f"# Zeppelin\n\nAfloat.\n{FILLER}\n")
    with keeper(root) as made:
        made.update(["new.md"], LATER)
    assert found(root, "zeppelin") == ["new.md:1"]
    monkeypatch.undo()
    assert found(root, "zeppelin") == ["new.md:1"]


def test_a_twin_that_can_only_be_read_is_left_for_one_in_memory(root: Path) -> None:
    with keeper(root) as one:
        one.lookup("zeppelin", NOW)
        assert one._held._twin is not None
        one._held._twin.connection.execute("PRAGMA query_only = ON")
        (root / "new.md").write_text(f"# Zeppelin\n\nAfloat.\n{FILLER}\n")
        with keeper(root) as other:
            other.update(["new.md"], LATER)
        assert [hit.path for hit in one.lookup("zeppelin", NOW).hits] == ["new.md"]


@pytest.mark.parametrize(
    "pragma",
    ["user_version = 7", f"user_version = {lookup_database.VERSION * 10_000 + TOKENS_VERSION}"],
)
def test_a_twin_of_another_version_or_with_other_tables_is_begun_anew(
    root: Path, pragma: str
) -> None:
    once = found(root, "label printer")
    for one in (root / ".hippocampus/cache").glob("anchors.sqlite*"):
        one.unlink()
    other = sqlite3.connect(root / TWIN)
    other.execute("CREATE TABLE entries(strange)")
    other.execute(f"PRAGMA {pragma}")
    other.close()
    assert found(root, "label printer") == once


def test_touched_files_do_not_make_it_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in (root / ".hippocampus/anchors").iterdir():
        one.touch()
    monkeypatch.setattr("hippocampus_cli.anchors.lookup_database.LookupDatabase.fill", None)
    assert found(root, "label printer")[0] == "TOOLS.md:8"


def test_many_writers_lose_nothing(root: Path) -> None:
    names = ("alpha", "beta", "gamma")
    running = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, str(root), name], stderr=subprocess.PIPE)
        for name in names
    ]
    for one in running:
        _, said = one.communicate(timeout=120)
        assert one.returncode == 0, said.decode()
    with keeper(root) as made:
        standing = made.status()
    assert (standing.new, standing.changed, standing.gone) == ((), (), ())
    assert standing.files == 5 + 12
    meta = files_of(root)["hippocampus-meta.json"]
    assert all(f'"{name}-3.md"'.encode() in meta for name in names)
