"""Help and completion, from the table of commands and their options."""

from __future__ import annotations

import ast
import os
import re
from inspect import cleandoc
from pathlib import Path

import pytest
import typer

from hippocampus_cli.cli import commands, help
from hippocampus_cli.cli.command_table import _HOMES, COMMANDS, EVERY_DAY, PANELS, Row, load
from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.options import Group


def test_help_without_a_command_is_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    bare = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == bare
    assert "\x1b" not in bare


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_each_command_explains_itself_with_examples(
    row: Row, terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(help, "shows_terminal", lambda environ: terminal)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main([row.name, "--help"]) == 0
    found = load(row.name)
    doc = cleandoc(found.help if isinstance(found, Group) else found.run.__doc__ or "")
    assert doc.splitlines()[0] == row.help
    assert f"\n\nExamples:\n  hippo {row.name}" in doc
    assert f"hippo {row.name}" in capsys.readouterr().out


def test_help_lists_what_is_used_every_day_and_names_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help"]) == 0
    short = capsys.readouterr().out
    assert len(short.splitlines()) <= 40
    assert main(["help", "all"]) == 0
    whole = capsys.readouterr().out
    for row in COMMANDS:
        assert row.panel in PANELS
        assert (f"\n  {row.name} " in short) == (row.panel == EVERY_DAY)
        assert row.hidden or re.search(rf"\b{row.name}\b", short)
        assert (f"\n  {row.name} " in whole) != row.hidden
    assert main(["help", "query"]) == 0
    assert "hippo query" in capsys.readouterr().out


def test_help_on_a_terminal_has_panels(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(help, "shows_terminal", lambda environ: True)
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert f"─ {EVERY_DAY} ─" in shown and "hippo help all" in shown


def test_a_group_lists_its_commands_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context"]) == 2
    bare = capsys.readouterr().out
    assert main(["context", "--help"]) == 0
    assert capsys.readouterr().out == bare
    group = load("context")
    assert isinstance(group, Group)
    for command in group.commands:
        line = " ".join(cleandoc(command.run.__doc__ or "").partition("\n\n")[0].split())
        assert line in " ".join(bare.split())
        assert main(["context", command.name, "-h"]) == 0


def test_the_table_and_the_folder_of_commands_agree() -> None:
    folder = Path(str(commands.__file__)).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == {_HOMES.get(row.name, row.name) for row in COMMANDS}


def complete(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str) -> str:
    monkeypatch.setenv("_HIPPO_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
    main([])
    return capsys.readouterr().out


def test_completion_knows_commands_options_and_values(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "config" in complete(monkeypatch, capsys, "hippo con").split()
    assert complete(monkeypatch, capsys, "hippo config --wo").split() == ["--workspace"]
    assert "decay.rate" in complete(monkeypatch, capsys, "hippo config decay.r").split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_shown(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"
    try:
        assert main(["--show-completion", shell]) == 0
    finally:
        del os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"]
    assert "_HIPPO_COMPLETE" in capsys.readouterr().out


def test_no_module_imports_click() -> None:
    """typer carries its own; another one's exceptions would pass every handler by."""
    for path in Path(str(commands.__file__)).parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                assert not any(name.name.partition(".")[0] == "click" for name in node.names), path
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] != "click", path
    assert issubclass(typer.BadParameter, typer.TyperException)
