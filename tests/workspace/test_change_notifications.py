from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hippocampus_cli.config import Config
from hippocampus_cli.search import library
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace import change_notifications
from hippocampus_cli.workspace.change_notifications import FOR_SECONDS, ChangeNotifications, listen
from hippocampus_cli.workspace.own_files import FORGOTTEN
from hippocampus_cli.workspace.scan import scan
from tests.support.passage_store import ask, paths_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "notes" / "old").mkdir(parents=True)
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / "HIPPOCAMPUS.md").write_text("# Index\n")
    for name in ("a.md", "notes/b.md", "notes/old/c.md"):
        (tmp_path / name).write_text("# Note\n\nThe siren sounds at noon.\n")
        os.utime(tmp_path / name, ns=(10**18, 10**18))  # long ago: nothing is too fresh to be sure
    return tmp_path


@pytest.fixture
def still(root: Path) -> Iterator[ChangeNotifications]:
    made = listen(root, scan(root).folders, 0.0)
    if made is None:
        pytest.skip("no notes from the kernel here")
    yield made
    made.close()


def append(path: Path) -> None:
    with path.open("a") as file:
        file.write("More.\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a line is added": lambda root: append(root / "notes/old/c.md"),
    "a file is rewritten with its length": lambda root: (root / "a.md").write_text("# Note\n"),
    "a date is set": lambda root: os.utime(root / "notes/b.md"),
    "a file comes": lambda root: (root / "notes/d.md").write_text("d"),
    "a file goes": lambda root: (root / "notes/b.md").unlink(),
    "a file is replaced": lambda root: (root / "a.md").replace(root / "notes/b.md"),
    "a file is renamed": lambda root: (root / "a.md").rename(root / "z.md"),
    "a folder comes": lambda root: (root / "new").mkdir(),
    "a folder is renamed": lambda root: (root / "notes").rename(root / "other"),
    "a folder goes": lambda root: shutil.rmtree(root / "notes/old"),
    "rights change": lambda root: (root / "a.md").chmod(0o600),
    "an ignore file comes": lambda root: (root / ".gitignore").write_text("a.md\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_what_a_look_finds_is_noticed(
    change: str, root: Path, still: ChangeNotifications
) -> None:
    assert not (still.changed(1.0) or still.changed(1.0))
    CHANGES[change](root)
    told, written = still.changed(1.0), {*list(CHANGES)[:3], "rights change"}
    assert ("" in told) == (change not in written)
    assert still.changed(1.0) == told  # what was read of the notes is not told twice


def test_a_note_with_the_name_of_the_index_is_a_note(
    root: Path, still: ChangeNotifications
) -> None:
    (root / "notes" / "HIPPOCAMPUS.md").write_text("# Not the index\n")
    assert still.changed(1.0)


def test_what_hippo_writes_of_its_own_disturbs_nothing(
    root: Path, still: ChangeNotifications
) -> None:
    temporary = root / ".HIPPOCAMPUS.md.1234.hippo-tmp"
    temporary.write_text("# Index\n\nMore.\n")
    temporary.replace(root / "HIPPOCAMPUS.md")
    (root / ".hippocampus" / "cache").mkdir()
    assert not still.changed(1.0)


def test_after_some_seconds_the_files_are_looked_at_anyway(still: ChangeNotifications) -> None:
    assert not still.changed(FOR_SECONDS - 1)
    assert "" in still.changed(FOR_SECONDS)


def test_without_the_kernels_notes_every_file_is_looked_at(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listen(root, ["", "none/"], 0.0) is None
    monkeypatch.setattr(change_notifications, "_MOST_FOLDERS", 2)
    assert listen(root, scan(root).folders, 0.0) is None
    monkeypatch.setattr(sys, "platform", "darwin")
    assert listen(root, [""], 0.0) is None


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The workspaces that were looked through, one for each look."""
    seen: list[Path] = []

    def counted(root: Path, *rest: object) -> object:
        seen.append(root)
        return scan(root, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(library, "scan", counted)
    return seen


def test_a_library_looks_again_when_more_than_a_text_has_changed_and_not_before(
    root: Path, still: ChangeNotifications, looks: list[Path]
) -> None:
    opened = Library(root, Config())
    for _ in range(4):  # the first reads, the second finds nothing new, the third listens
        opened.refresh()
    settled = len(looks)
    opened.refresh()
    assert len(looks) == settled
    (root / FORGOTTEN).write_text("\n")  # another process forgets a note
    for _ in range(2):
        opened.refresh()
        assert len(looks) == settled + 1
    settled += 1
    (root / "a.md").write_text("# Note\n\nThe siren is silent.\n")
    opened.refresh()
    assert [hit.place.path for hit in ask(opened.store, "silent").hits] == ["a.md"]
    assert len(looks) == settled
    (root / "d.md").write_text("The siren is new.\n")
    opened.look()  # of which the store is not told
    opened.refresh()
    assert len(looks) == settled + 2 and ask(opened.store, "new").hits
    opened.close()


def test_a_library_that_listens_finds_what_a_new_one_finds(root: Path) -> None:
    dice = random.Random(7)
    opened = Library(root, Config())
    for _ in range(60):
        path = root / dice.choice(
            ["a.md", "b.md", "notes/b.md", "notes/new/e.md", "notes/old/c.md"]
        )
        path.parent.mkdir(exist_ok=True)
        if dice.random() < 0.3:
            path.unlink(missing_ok=True)
        elif dice.random() < 0.6:
            path.write_text(f"# Note\n\n{'word ' * dice.randrange(5)}\n")
            os.utime(path, ns=(10**18, 10**18 + dice.randrange(10**6)))
        for _ in range(dice.randrange(1, 5)):
            opened.refresh()
        assert opened.found.files == scan(root).files
        assert paths_of(opened.store) == [stat.path for stat in opened.found.files]
    opened.close()
