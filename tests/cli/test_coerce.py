from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from hippocampus_cli.cli.coerce import lighten

seen: dict[str, Any] = {}


def _command(
    words: list[str],
    limit: Annotated[int, typer.Option(min=1, max=9)] = 5,
    share: float = 0.5,
    mode: Literal["index", "search"] = "index",
    tag: list[str] | None = None,
    folder: Path | None = None,
    dry: bool = False,
) -> None:
    seen.update(locals())


def run(*argv: str) -> Any:
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(_command)
    command = get_command(app)
    lighten(command.params)
    assert all(param._runtime_param is not None for param in command.params)
    seen.clear()
    runner = CliRunner()
    with runner.isolation() as streams:
        try:
            command.main(list(argv))
        except SystemExit as stop:
            return stop.code, streams[1].getvalue().decode()
    return 0, ""


def test_words_become_values_of_the_declared_types() -> None:
    argv = "a b\udcff --limit 9 --share .25 --mode search --tag x --tag y --folder q --dry"
    assert run(*argv.split())[0] == 0
    assert seen == {
        "words": ["a", "b\udcff"],
        "limit": 9,
        "share": 0.25,
        "mode": "search",
        "tag": ["x", "y"],
        "folder": Path("q"),
        "dry": True,
    }


def test_defaults_stay() -> None:
    assert run("a")[0] == 0
    assert seen["limit"] == 5
    assert (seen["tag"], seen["folder"], seen["dry"]) == (None, None, False)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["a", "--limit", "x"], "'x' is not a whole number."),
        (["a", "--limit", "0"], "0 is not 1 or more and 9 or less."),
        (["a", "--limit", "10"], "10 is not 1 or more and 9 or less."),
        (["a", "--limit", "1.5"], "'1.5' is not a whole number."),
        (["a", "--share", "half"], "'half' is not a number."),
        (["a", "--mode", "vector"], "'vector' is not one of index, search."),
        ([], "Missing argument 'words'"),
    ],
)
def test_a_wrong_word_is_a_usage_error(argv: list[str], message: str) -> None:
    code, text = run(*argv)
    assert code == 2
    assert message in text


def test_a_parameter_with_its_own_parser_is_left_to_typer() -> None:
    def command(
        number: Annotated[int, typer.Argument(parser=lambda text: int(text, 16))],
    ) -> None: ...

    app = typer.Typer(add_completion=False)
    app.command()(command)
    made: Any = get_command(app)
    lighten(made.params)
    assert made.params[0]._runtime_param is None
