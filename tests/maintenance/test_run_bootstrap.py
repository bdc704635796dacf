from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.run_bootstrap import bootstrap
from hippocampus_cli.maintenance.upkeep import Upkeep
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.workspace.scan import Reason
from hippocampus_cli.workspace.unread import BINARY
from tests.maintenance.workspace import NOW, SMALL


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in SMALL.items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        os.utime(file, (NOW.timestamp() - 11 * 86_400,) * 2)
    return tmp_path


def listing(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".hippocampus" not in path.parts
    }


def test_it_writes_the_index_and_reports(root: Path) -> None:
    seen: list[tuple[int, int]] = []
    report = bootstrap(root, Config(), NOW, progress=lambda *done: seen.append(done))
    text = (root / "HIPPOCAMPUS.md").read_bytes().decode()
    assert (
        text == report.text == Path(__file__).with_name("first_index.golden.md").read_text("utf-8")
    )
    assert (report.created, report.changed, report.entries - report.in_topics) == (
        True,
        True,
        len(parse(text).entries),
    )
    assert report.tokens == tokens(text) and report.budget == 6_000
    assert seen[-1] == (7, 7)


def test_a_copy_of_a_note_gets_what_the_daily_cycle_gives_it(root: Path) -> None:
    bootstrap(root, Config(), NOW)
    shutil.copytree(root, other := root.with_name("other"))
    for folder in (root, other):
        (folder / "copy.md").write_bytes((folder / "TOOLS.md").read_bytes())
    (added,) = bootstrap(root, Config(), NOW).plan.additions
    actions = Upkeep(other, Config(), NOW).run("daily").actions
    new = [(action.key, action.after) for action in actions if action.kind is Kind.ADD]
    assert new == [(added.draft.id, "copy.md")]


def test_notes_are_never_changed(root: Path) -> None:
    before = listing(root)
    bootstrap(root, Config(), NOW)
    after = listing(root)
    del after["HIPPOCAMPUS.md"]
    assert after == before


def test_what_is_passed_over_is_counted(root: Path) -> None:
    (root / "binary.md").write_bytes(b"\0\1\2")
    (root / "photo.png").write_bytes(b"png")
    (root / "big.md").write_bytes(b"x" * 3_000_000)
    report = bootstrap(root, Config(), NOW)
    assert report.skipped == {Reason.KIND: 1, Reason.UNREADABLE: 1, Reason.TOO_LARGE: 1}
    assert [one.path for one in report.unread] == ["big.md", "binary.md"]
    assert report.unread[1].reason == BINARY
    status = Workspace(root, Config()).at(NOW).status()
    assert (status.notes, status.skipped) == (report.plan.notes, report.skipped)


def test_an_index_written_in_the_meantime_is_extended(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = "# Mine\n\n- Deploy commands → TOOLS.md §Deploy\n"

    def arrive(done: int, total: int) -> None:
        if done == total:
            (root / "HIPPOCAMPUS.md").write_text(mine, encoding="utf-8")

    report = bootstrap(root, Config(), NOW, progress=arrive)
    assert report.text.startswith(mine)
    assert [one.entry.topic for one in parse(report.text).entries].count("Deploy") == 0


def test_an_unclosed_fence_in_the_index_loses_nothing(root: Path) -> None:
    mine = "# Mine\n\n```\nnever closed\n\n- Deploy commands → TOOLS.md §Deploy\n"
    (root / "HIPPOCAMPUS.md").write_text(mine, encoding="utf-8")
    try:
        bootstrap(root, Config(), NOW)
    except IndexRefused:
        assert (root / "HIPPOCAMPUS.md").read_text("utf-8") == mine
    else:
        assert (root / "HIPPOCAMPUS.md").read_text("utf-8").startswith(mine)
