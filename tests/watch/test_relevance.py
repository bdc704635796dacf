from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.config.settings import Scan as ScanSettings
from hippocampus_cli.watch.backends import Change, Relevance
from hippocampus_cli.workspace.scan import Reason, scan

FIXTURE = Path(__file__).parents[2] / "fixtures/workspace"
NOTHING, NOTE, GROUND = Change.NONE, Change.NOTE, Change.FOLDERS


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("notes.md", NOTE),
        ("memory/2026-01-01.MD", NOTE),
        ("a/b/c/d.txt", NOTE),
        (".gitignore", GROUND),
        ("a/.gitignore", GROUND),
        (".hippoignore", GROUND),
        ("a/.hippoignore", NOTHING),
        ("node_modules/.gitignore", NOTHING),
        ("HIPPOCAMPUS.md", NOTHING),
        ("sub/HIPPOCAMPUS.md", NOTE),
        (".HIPPOCAMPUS.md.4711.hippo-tmp", NOTHING),
        ("memory/.2026-01-01.md.4711.hippo-tmp", NOTHING),
        (".hippocampus/lock", NOTHING),
        (".hippocampus/topics/kelpie.md", NOTHING),
        ("nested/.hippocampus/topics/kelpie.md", NOTHING),
        (".notes.md.swp", NOTHING),
        (".hidden.md", NOTHING),
        (".hidden/a.md", NOTHING),
        ("a/node_modules/b/readme.md", NOTHING),
        ("a.png", NOTHING),
        ("4913", NOTHING),
        ("notes.md~", NOTHING),
    ],
)
def test_what_a_file_means(path: str, expected: Change) -> None:
    assert Relevance(ScanSettings()).of(path, folder=False) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", GROUND),
        ("memory", GROUND),
        ("a/b", GROUND),
        ("notes.md", GROUND),
        (".hippocampus", NOTHING),
        (".git", NOTHING),
        ("a/node_modules", NOTHING),
        ("a/node_modules/b", NOTHING),
    ],
)
def test_what_a_folder_means(path: str, expected: Change) -> None:
    assert Relevance(ScanSettings()).of(path, folder=True) is expected


def test_what_is_gone_may_have_been_a_folder() -> None:
    rules = Relevance(ScanSettings())
    assert rules.of("memory", folder=None) is GROUND
    assert rules.of("a.md", folder=None) is NOTE
    assert rules.of(".git", folder=None) is NOTHING


def test_the_settings_are_heard() -> None:
    rules = Relevance(ScanSettings(extensions=("adoc",), include_hidden=True, skip_folders=("x",)))
    assert rules.of("a.adoc", folder=False) is NOTE
    assert rules.of(".a.adoc", folder=False) is NOTE
    assert rules.of(".dreams/a.adoc", folder=False) is NOTE
    assert rules.of("node_modules/a.adoc", folder=False) is NOTE
    assert rules.of("x/a.adoc", folder=False) is NOTHING
    assert rules.of("a.md", folder=False) is NOTHING
    assert rules.of(".hippocampus/a.adoc", folder=False) is NOTHING


def test_what_the_last_scan_found_ignored_means_nothing(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("logs/\n*.json\n")
    (tmp_path / "logs/old").mkdir(parents=True)
    (tmp_path / "state.json").write_text("{}")
    rules = Relevance(ScanSettings(), scan(tmp_path))
    assert rules.of("state.json", folder=False) is NOTHING
    assert rules.of("logs/a.md", folder=False) is NOTHING
    assert rules.of("logs/old/a.md", folder=False) is NOTHING
    assert rules.of("logs", folder=True) is NOTHING
    assert rules.of("logs2", folder=True) is GROUND
    assert rules.of("a.md", folder=False) is NOTE


def test_no_note_of_a_workspace_goes_unnoticed() -> None:
    found = scan(FIXTURE)
    rules = Relevance(ScanSettings(), found)
    assert {rules.of(one.path, folder=False) for one in found.files} == {NOTE}
    assert {rules.of(path.rstrip("/"), folder=True) for path in found.folders} == {GROUND}
    passed = [one for one in found.skipped if one.reason in (Reason.HIDDEN, Reason.IGNORED)]
    stirs = {rules.of(one.path.rstrip("/"), folder=one.path.endswith("/")) for one in passed}
    assert passed and stirs == {NOTHING}
