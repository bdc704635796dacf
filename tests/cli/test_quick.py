from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.cli import options, quick
from hippocampus_cli.cli.app import make_app
from hippocampus_cli.cli.commands import query
from hippocampus_cli.cli.main import main


def by_typer(words: list[str]) -> dict[str, Any] | None:
    """What the command is given when typer reads ``words``; ``None`` where it refuses them."""
    seen: dict[str, Any] = {}

    def ask(session: Any, words: list[str], **given: Any) -> int:
        seen.update(given, words=list(words), workspace=session.workspace)
        seen["as_json"] = session.output.as_json
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(query, "ask", ask)
        program = typer.main.get_command(make_app())
        try:
            program.main(args=["query", *words], prog_name="hippo")
        except SystemExit as stop:
            return seen if stop.code in (0, None) else None
    return seen


DEFAULTS = by_typer(["word"])
assert DEFAULTS is not None
CHOSEN = ("tag", "kind", "path", "pri")


def kind_of(param: Any) -> str:
    if param.is_flag:
        return quick.FLAG
    if param.multiple:
        return quick.SEVERAL
    annotation = param.type_descriptor.annotation
    if get_args(annotation):
        assert get_args(annotation) == quick.MODES
        return quick.MODE
    return {int: quick.NUMBER, str: quick.TEXT, Path: quick.FOLDER}[annotation]


def test_the_table_has_every_option_that_typer_has_and_no_other() -> None:
    made = typer.Typer(add_completion=False)
    made.command()(query.command)
    params = [one for one in typer.main.get_command(made).params if one.name != "words"]
    known = {
        spelling: (one.name, kind_of(one))
        for one in params
        for spelling in (*one.opts, *one.secondary_opts)
        if spelling != "--help"
    }
    assert known == dict(quick.OPTIONS)
    assert get_args(get_args(get_args(options.Mode)[0])[0]) == quick.MODES


# What a shell may hand over: spellings, values that fit and that do not, words, and joins of them.
words = st.sampled_from(
    [
        *quick.OPTIONS,
        *("--help", "-h", "--", "-", "--no-such", "-x", "--lim", "", " ", "-5", "--limit=3"),
        *("--mode=index", "--tag=a", "--json=1", "-n3", "-wx", "-tdeploy", "--since=", "--type="),
        *(
            "deploy",
            "command",
            "3",
            "07",
            "+3",
            "1_0",
            "٣",
            "index",
            "hybrid",
            "none",
            "a=b",
            "café",
        ),
        *("2026-05-01", "daily", "amygdala", "no\udcffutf8", "/tmp", "0", "1.5", "notes/*.md"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(words, max_size=6))
def test_what_is_understood_is_what_typer_understands(line: list[str]) -> None:
    understood = quick.understood(line)
    if understood is None:
        return
    taken = by_typer(line)
    assert taken is not None
    given_ = {**DEFAULTS, **understood}
    assert {**taken, **{name: tuple(taken[name] or ()) for name in CHOSEN}} == {
        **given_,
        **{name: tuple(given_[name] or ()) for name in CHOSEN},
    }


@pytest.mark.parametrize(
    "line",
    [
        ["deploy", "command"],
        ["--json", "deploy", "--limit", "3", "-m", "index"],
        ["--tag", "a", "-t", "b", "--no-write", "--explain", "deploy"],
        ["--since=2026-05-01", "deploy", "-w", "/tmp"],
        ["deploy", "--", "--json"],
        ["-", "--json"],
    ],
)
def test_the_usual_forms_need_no_typer(line: list[str]) -> None:
    assert quick.understood(line) is not None


@pytest.mark.parametrize(
    "line",
    [
        *([], ["--help"], ["--json"], ["deploy", "--limit"], ["deploy", "-n", "x"]),
        *(["deploy", "-m", "none"], ["deploy", "--limt", "3"], ["deploy", "-n", "3", "-n", "4"]),
    ],
)
def test_what_needs_an_explanation_is_left_to_typer(line: list[str]) -> None:
    assert quick.understood(line) is None


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


def test_a_bug_on_the_quick_way_is_reported_as_any_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(quick, "ask", fails)
    assert main(["query", "deploy"]) == 70
    assert "a bug in hippo" in capsys.readouterr().err


def test_an_interrupt_on_the_quick_way_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stops(*_: Any, **__: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(quick, "ask", stops)
    assert main(["query", "deploy"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_usage_error_behind_a_well_formed_line_has_its_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["query", "deploy", "--type", "nothing", "--json"]) == 2
    out, err = capsys.readouterr()
    assert '"code":"usage"' in out and "--type" in err
