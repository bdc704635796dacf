from __future__ import annotations

import inspect
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.cli import fast_path
from hippocampus_cli.cli.coerce import lighten
from hippocampus_cli.cli.commands import query
from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.options import FLAG, NUMBER, PATH, REAL, TEXT, Command
from hippocampus_cli.cli.typer_form import callback_of
from tests.support.commands import DECLARED

TYPES = {FLAG: "bool", TEXT: "str", NUMBER: "int", REAL: "float", PATH: "Path"}


@pytest.mark.parametrize("name", DECLARED)
def test_a_function_takes_what_is_declared_before_it(name: str) -> None:
    command = DECLARED[name]
    _, *taken = inspect.signature(command.run).parameters.values()
    passed = [one for one in command.parameters if one.name not in ("workspace", "as_json")]
    assert [one.name for one in taken] == [one.name for one in passed]
    for one, parameter in zip(taken, passed, strict=True):
        kind = TYPES[parameter.kind]
        wanted = f"list[{kind}]" if parameter.several else kind
        if not (parameter.required or parameter.several or parameter.default is not None):
            wanted += " | None"
        if parameter.choices:
            assert set(parameter.choices) >= {parameter.default} - {None}
            assert ("None" in one.annotation) == ("None" in wanted)
        else:
            assert one.annotation == wanted


def by_typer(command: Command, words: list[str]) -> dict[str, Any] | None:
    """What the command is given when typer reads ``words``; ``None`` where it refuses them."""
    seen: dict[str, Any] = {}

    def work(session: Any, **given: Any) -> int:
        seen.update(given, workspace=session.workspace, as_json=session.output.as_json)
        return 0

    app = typer.Typer(add_completion=False)
    app.command(context_settings={"help_option_names": ["--help", "-h"]})(
        callback_of(command._replace(run=work))
    )
    program = typer.main.get_command(app)
    lighten(program.params)
    try:
        program.main(args=words, prog_name="hippo")
    except SystemExit as stop:
        return seen or None if stop.code in (0, None) else None
    return seen


def by_hand(command: Command, words: list[str]) -> dict[str, Any] | None:
    """The same where the words are understood without typer; ``None`` where they are left to it."""
    given = fast_path.parsed(words, command.parameters)
    return None if given is None else {"workspace": None, "as_json": False, **given}


# What a shell may hand over: spellings, values that fit and that do not, words, and joins of them.
VALUES = (
    *("--help", "-h", "--", "-", "--no-such", "-x", "--lim", "", " ", "-5", "--limit=3", "-nw"),
    *("--mode=index", "--tag=a", "--json=1", "-n3", "-wx", "-tdeploy", "--since=", "--type="),
    *("deploy", "command", "3", "07", "+3", "1_0", "٣", "index", "hybrid", "none", "a=b", "café"),
    *(
        "2026-05-01",
        "maintain --daily",
        "amygdala",
        "no\udcffutf8",
        "/tmp",
        "0",
        "1.5",
        "1e3",
        "notes/*.md",
    ),
    *(
        "pi",
        "cron",
        "use-multilingual",
        "low",
        "critical",
        "strength",
        "9999999999",
        ".5",
        "5.",
        "200",
    ),
)


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(sorted(DECLARED)), st.data())
def test_what_is_understood_is_what_typer_understands(name: str, data: Any) -> None:
    command = DECLARED[name]
    spellings = [part for one in command.parameters for s in one.spellings for part in s.split("/")]
    choices = [word for one in command.parameters for word in (*one.choices, *one.offers)]
    word = st.sampled_from([*spellings, *choices]) | st.sampled_from(VALUES)
    line = data.draw(st.lists(word if spellings else st.sampled_from(VALUES), max_size=6))
    understood = by_hand(command, line)
    if understood is not None:
        assert by_typer(command, line) == understood


@pytest.mark.parametrize(
    "line",
    [
        *("query deploy command", "query --json deploy --limit 3 -m index", "query - --json"),
        "query --tag a -t b --no-write --explain deploy",
        *("query --since=2026-05-01 deploy -w /tmp", "query deploy -- --json"),
        "anchors lookup ship it --project kelpie -n 3 --json",
        *("status", "status --json -w /tmp", "list", "show one", "check --fix", "remember it"),
        *("-w /tmp query deploy", "--json query deploy", "--workspace=/tmp --json list --limit 3"),
        *("context begin", "context add - --source error", "context turn", "context show --all"),
        *(
            "context pin ctx_001 --no-persist",
            "fetch 12ab --fence",
            "merge a b c d --marker-size 9",
        ),
        *(
            "watch --poll 0.5",
            "forget x --yes",
            "add Topic --to TOOLS.md",
            "embed --list",
            "maintain --daily",
        ),
    ],
)
def test_the_usual_forms_need_no_typer(line: str) -> None:
    assert fast_path.understood(line.split()) is not None


@pytest.mark.parametrize(
    "line",
    [
        *("query", "query --help", "query --json", "query deploy --limit", "query deploy -n x"),
        *("query deploy -m none", "query deploy --limt 3", "query deploy -n 3 -n 4"),
        *("anchors", "anchors --help", "anchors lookup", "anchors lookup ship --mode index"),
        *("status deploy", "status -- deploy", "status -", "statuses", "", "-w", "-w /tmp"),
        *("--no-such query deploy", "-w /a -w /b query deploy", "--version query", "show a b"),
        *(
            "add Topic",
            "list --limit 0",
            "watch --poll 0.1",
            "context pin",
            "bench scale",
            "context",
        ),
    ],
)
def test_what_needs_an_explanation_is_left_to_typer(line: str) -> None:
    assert fast_path.understood(line.split()) is None


def test_what_stands_before_the_command_gives_way_to_what_stands_behind_it() -> None:
    found = fast_path.understood(["-w", "/a", "--json", "list", "-w", "/b"])
    assert found is not None
    assert (found[1]["workspace"], found[1]["as_json"]) == (Path("/b"), True)


def test_who_sits_at_a_terminal_is_asked_by_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert fast_path.run(["forget", "something"]) is None


@pytest.mark.parametrize("line", [["-"], ["--", "-"], ["--limit", "+3", "-"]])
def test_a_dash_is_what_stands_on_standard_input(
    line: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Deploy\n\nmake ship\n")
    said = io.TextIOWrapper(io.BytesIO("\ufeffmake\nship\n".encode()))
    monkeypatch.setattr(sys, "stdin", said)
    assert main(["query", "-w", str(tmp_path), "--mode", "search", "--json", *line]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["query"], found["results"][0]["path"]) == ("make\nship", "MEMORY.md")


def failing(monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    def run(*_: Any, **__: Any) -> int:
        raise error

    monkeypatch.setattr(query, "command", query.command._replace(run=run))


def test_a_bug_on_the_fast_path_is_reported_as_any_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, ZeroDivisionError)
    assert main(["query", "deploy"]) == 70
    assert "a bug in hippo" in capsys.readouterr().err


def test_an_interrupt_on_the_fast_path_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, KeyboardInterrupt)
    assert main(["query", "deploy"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_usage_error_behind_a_well_formed_line_has_its_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["query", "deploy", "--type", "nothing", "--json"]) == 2
    out, err = capsys.readouterr()
    assert '"code":"usage"' in out and "--type" in err
