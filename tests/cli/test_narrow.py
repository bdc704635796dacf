"""A narrow screen, or a width below 80 that COLUMNS gives for a pipe: no line of prose is wider."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli import output
from hippocampus_cli.cli.main import main
from tests.support.pages import ROOT

Say = Callable[..., list[str]]
WIDTH = 40
PROSE = (
    "status",
    "show deploy",
    "config",
    "history",
    "forget --list",
    "restore --index --dry-run",
    "query zzqqxx",
)
FOR_SCRIPTS = ("list", "check", "history 1", "query deploy --explain --no-write")
"""What is whole in a pipe: values between tabs, places, the beginning of what stands there."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that has an index, a history, tombstones, a broken pointer and anchors."""
    root = tmp_path_factory.mktemp("narrow") / "workspace"
    shutil.copytree(ROOT / "fixtures/workspace", root)
    (root / "gone.md").write_text("# A note that is gone soon\n\nThe lighthouse keeper's number.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HIPPO_WORKSPACE", str(root))
        patch.setenv("HIPPO_NOW", "2026-08-01T09:00:00+00:00")
        for line in ("bootstrap", "weekly", "forget deploy-key-of-nobody --yes"):
            main(line.split())
        main(["forget", "make ship ENV=prod", "--yes"])
        (root / "gone.md").unlink()
        for line in ("daily", "anchors build"):
            main(line.split())
    return root


@pytest.fixture
def say(kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """The lines that a command prints, into a pipe or onto a terminal."""
    monkeypatch.setenv("HIPPO_WORKSPACE", str(kept))
    monkeypatch.setenv("HIPPO_NOW", "2026-08-02T09:00:00+00:00")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(line: str, width: int | None, *, terminal: bool = False) -> list[str]:
        monkeypatch.setattr(output, "shows_terminal", lambda environ: terminal)
        monkeypatch.delenv("COLUMNS", raising=False)
        if width:
            monkeypatch.setenv("COLUMNS", str(width))
        capsys.readouterr()
        assert main(line.split()) in (0, 1)
        return capsys.readouterr().out.splitlines()

    return run


@pytest.mark.parametrize("line", [*PROSE, *FOR_SCRIPTS])
def test_on_a_terminal(say: Say, line: str) -> None:
    lines = say(line, WIDTH, terminal=True)
    assert lines and [one for one in lines if cell_len(one) > WIDTH] == []


@pytest.mark.parametrize("line", PROSE)
def test_in_a_pipe_with_columns(say: Say, line: str) -> None:
    too_long = [one for one in say(line, WIDTH) if cell_len(one) > WIDTH]
    assert [one for one in too_long if " " in one.strip()] == []  # a path or an id is whole


@pytest.mark.parametrize("line", [*PROSE, *FOR_SCRIPTS])
def test_in_a_usual_width_a_pipe_is_as_ever(say: Say, line: str) -> None:
    assert say(line, 80) == say(line, 120) == say(line, None)


@pytest.mark.parametrize("line", ["list", "check"])
def test_what_a_script_reads_is_as_ever(say: Say, line: str) -> None:
    assert say(line, WIDTH) == say(line, None)


def test_places_are_whole_in_a_narrow_pipe(say: Say) -> None:
    wide, narrow = (say("query deploy --no-write", width) for width in (None, WIDTH))
    places = [one for one in wide if ".md:" in one and not one.startswith("│")]
    assert places and set(places) <= set(narrow)


def test_narrow_settings_are_the_same_toml(say: Say) -> None:
    wide, narrow = (tomllib.loads("\n".join(say("config", width))) for width in (80, WIDTH))
    assert narrow == wide
