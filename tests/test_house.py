"""The house rules that a program can check."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "hippocampus_cli"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
EVERY = [*MODULES, *sorted((ROOT / "bench").rglob("*.py"))]
EDGES = ("cli", "api")  # these may print, exit, and read the clock and the environment
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc", "base"}
OUTSIDE_WORLD = {
    "os.environ",
    "os.getenv",
    "sys.exit",
    "sys.argv",
    "sys.stdout",
    "sys.stderr",
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "date.today",
    "time.time",
    "Path.home",
    "Path.cwd",
    "os.getcwd",
    "uuid.uuid4",
}


def ids(path: Path) -> str:
    return path.relative_to(ROOT).as_posix().removeprefix("hippocampus_cli/")


def test_a_folder_imports_only_from_those_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


@pytest.mark.parametrize("path", EVERY, ids=ids)
def test_functions_stay_short(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 50, node.name


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_only_the_edges_touch_the_outside_world(path: Path) -> None:
    inside = path.relative_to(PACKAGE).parts[0]
    if inside in EDGES or inside == "__main__.py":
        return
    assert not list(_touches(ast.parse(path.read_bytes())))


def test_the_check_of_the_outside_world_sees_what_it_should() -> None:
    code = "import os\nprint(os.environ['X'])\ninput()\nexit(1)\ndatetime.datetime.now()\nopen('x')"
    found = sorted(_touches(ast.parse(code)))
    assert found == ["2: os.environ", "2: print", "3: input", "4: exit", "5: datetime.now"]


@pytest.mark.parametrize("path", EVERY, ids=ids)
def test_no_name_says_nothing(path: Path) -> None:
    parts = [*path.relative_to(ROOT).parts[1:-1], path.stem]
    assert not VAGUE & set(parts)


def _touches(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("print", "input", "exit", "quit"):
                yield f"{node.lineno}: {node.func.id}"
        elif isinstance(node, ast.Attribute):
            dotted = ".".join(ast.unparse(node).split(".")[-2:])
            if dotted in OUTSIDE_WORLD:
                yield f"{node.lineno}: {dotted}"


def test_what_measures_hippo_is_neither_installed_nor_imported() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["hippocampus_cli"]}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if name.partition(".")[0] == "bench"], path
