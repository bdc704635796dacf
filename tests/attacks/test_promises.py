"""docs/promises.md cannot lie: what it names is there, what it shows is printed, and its table is the registry's."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from hippocampus_cli import errors
from hippocampus_cli.cli.main import main
from tests.attacks import ROOT, registered

PROMISES = (ROOT / "docs/promises.md").read_text(encoding="utf-8")
TESTED = re.findall(r"^\*Tested by\* (.*?)\.\n\n", PROMISES, re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_SHOWN = re.compile(r"^`(python -m [^`]+)` ends with:\n\n```\n(.*?)```", re.DOTALL | re.MULTILINE)


def codes(text: str) -> list[str]:
    return [" ".join(one.split()) for one in _CODE.findall(text)]


def test_the_table_is_that_of_the_registry() -> None:
    table = PROMISES[PROMISES.index("| attack |") :]
    rows = re.findall(r"^\| ([^|]+?) \|", table, re.MULTILINE)[1:]
    assert sorted(rows) == sorted(registered())


def test_every_attack_tests_a_promise_and_every_file_exists() -> None:
    named = [one for part in TESTED for one in codes(part)]
    attacks = [one for one in named if not one.startswith("tests/")]
    assert sorted(attacks) == sorted(registered())
    assert all((ROOT / one).is_file() for one in named if one not in attacks)


def test_every_promise_says_how_it_is_tested() -> None:
    promises = re.findall(r"^\*\*[A-Z][^*]+\.\*\*", PROMISES, re.MULTILINE)
    assert len(TESTED) == len(promises) + 1  # a workspace from somebody else is a section


@pytest.mark.parametrize("code", sorted({*codes(PROMISES)} - {*codes("".join(TESTED))}))
def test_what_is_named_is_there(code: str) -> None:
    match code.split():
        case ["hippo", command, *words]:
            told = _help(command)
            assert all(word in told for word in words if word.startswith("-")), told
        case ["make", target]:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        case ["python", "-m", module, *_]:
            assert find_spec(module)
        case [word, *_]:
            assert word.rpartition("/")[2].rpartition(".")[2] in _sources(), code


def _help(command: str) -> str:
    screen = io.StringIO()
    with redirect_stdout(screen):
        assert main([command, "--help"]) == 0
    return screen.getvalue()


@cache
def _sources() -> str:
    paths = [*ROOT.glob("hippocampus_cli/**/*.py"), ROOT / "tests/attacks/__main__.py"]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_every_exit_code_is_one() -> None:
    kinds = [errors.HippoError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    stated = {int(one) for one in re.findall(r"exit\s+code\s+(\d+)", PROMISES)}
    assert stated and stated <= {kind.exit_code for kind in kinds}


def test_everything_shown_is_looked_at() -> None:
    assert PROMISES.count("```") == 2 * len(_SHOWN.findall(PROMISES))


@pytest.mark.long
@pytest.mark.parametrize(("command", "output"), _SHOWN.findall(PROMISES))
def test_what_is_shown_is_printed(command: str, output: str) -> None:
    words = [sys.executable, *command.split()[1:]]
    done = subprocess.run(words, cwd=Path(ROOT), capture_output=True, text=True, check=False)
    assert done.stdout.endswith(output), done.stdout + done.stderr
