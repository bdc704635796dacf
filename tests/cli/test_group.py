from __future__ import annotations

import ast
import os
import sys
from inspect import cleandoc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from hippocampus_cli.cli import commands, group
from hippocampus_cli.cli.app import make_app
from hippocampus_cli.cli.command_table import COMMANDS, EVERY_DAY, PANELS, Command
from hippocampus_cli.cli.commands import status
from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.options import Group


def test_help_without_a_command_is_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    bare = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == bare
    assert "\x1b" not in bare


def test_help_on_a_terminal_has_the_same_commands() -> None:
    result = CliRunner().invoke(make_app("rich"), ["--help"])
    assert f"─ {EVERY_DAY} ─" in result.output
    assert "hippo help all" in result.output


@pytest.mark.parametrize("listed", COMMANDS, ids=lambda listed: listed.name)
@pytest.mark.parametrize("markup", ["rich", None])
def test_each_command_explains_itself_with_examples(listed: Command, markup: str | None) -> None:
    result = CliRunner().invoke(make_app(markup), [listed.name, "--help"])  # type: ignore[arg-type]
    assert result.exit_code == 0
    doc = cleandoc(help_of(listed.loaded()))
    assert doc.splitlines()[0] == listed.help
    assert f"\n\nExamples:\n  hippo {listed.name}" in doc
    assert f"hippo {listed.name}" in result.output
    assert listed.panel in PANELS


def help_of(found: Any) -> str:
    if isinstance(found, typer.Typer):
        return str(found.registered_callback.callback.__doc__)  # type: ignore[union-attr]
    return str(found.help if isinstance(found, Group) else found.run.__doc__)


def test_the_table_and_the_folder_of_commands_agree() -> None:
    folder = Path(str(commands.__file__)).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == {command.module.rpartition(".")[2] for command in COMMANDS}


def test_a_misspelled_command_is_suggested(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cofnig"]) == 2
    assert "Did you mean 'config'?" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [["--json", "config", "lock"], ["config", "lock", "--json"]])
def test_shared_options_stand_before_or_after_the_command(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 0
    assert capsys.readouterr().out.startswith('{"settings":[{"key":"lock.timeout_seconds"')


def test_the_workspace_option_works_in_both_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus/config.toml").write_text("[query]\nlimit = 77\n", encoding="utf-8")
    for argv in (["-w", str(tmp_path), "config"], ["config", "--workspace", str(tmp_path)]):
        assert main([*argv, "query.limit"]) == 0
        assert capsys.readouterr().out == "77\n"


def test_what_a_command_returns_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "command", status.command._replace(run=lambda session: 1))
    assert main(["status"]) == 1
    assert CliRunner().invoke(make_app(), ["status"]).exit_code == 1


def _one() -> int:
    """Find nothing."""
    return 1


def test_a_module_may_hold_a_group_of_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer(add_completion=False)
    app.callback()(_one)
    app.command("sub")(lambda: 3)
    monkeypatch.setitem(
        sys.modules, "hippocampus_cli.cli.commands.a_group", SimpleNamespace(command=app)
    )
    monkeypatch.setattr(group, "COMMANDS", (Command("a-group", PANELS[0], "Try."),))
    assert main(["a-group", "sub"]) == 3
    assert main(["a-group", "--help"]) == 0
    assert "Find nothing." in capsys.readouterr().out


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


def test_the_list_of_a_group_cuts_no_line() -> None:
    found = CliRunner().invoke(make_app(None), ["context", "--help"])
    assert "below the threshold leaves the window" in " ".join(found.output.split())
