"""The house rules that a program can check."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.support.sources import nodes

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "hippocampus_cli"
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


def modules(*folders: Path) -> Iterator[Path]:
    """Every module of these folders."""
    for folder in folders:
        yield from sorted(folder.rglob("*.py"))


def test_a_folder_imports_only_from_those_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlinter.cli import lint_imports  # it imports much that no other test needs

    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


def test_functions_stay_short() -> None:
    for path in modules(PACKAGE, ROOT / "bench"):
        for node in nodes(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert (node.end_lineno or 0) - node.lineno < 50, f"{path}: {node.name}"


def test_only_the_edges_touch_the_outside_world() -> None:
    for path in modules(PACKAGE):
        if path.relative_to(PACKAGE).parts[0] not in (*EDGES, "__main__.py"):
            assert not list(_touches(nodes(path))), path


def test_the_check_of_the_outside_world_sees_what_it_should() -> None:
    code = "import os\nprint(os.environ['X'])\ninput()\nexit(1)\ndatetime.datetime.now()\nopen('x')"
    found = sorted(_touches(ast.walk(ast.parse(code))))
    assert found == ["2: os.environ", "2: print", "3: input", "4: exit", "5: datetime.now"]


def test_no_name_says_nothing() -> None:
    for path in modules(PACKAGE, ROOT / "bench"):
        assert not VAGUE & {*path.relative_to(ROOT).parts[1:-1], path.stem}, path


def _touches(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("print", "input", "exit", "quit"):
                yield f"{node.lineno}: {node.func.id}"
        elif isinstance(node, ast.Attribute):
            owner = getattr(node.value, "attr", getattr(node.value, "id", ""))
            if (dotted := f"{owner}.{node.attr}") in OUTSIDE_WORLD:
                yield f"{node.lineno}: {dotted}"


def test_what_measures_hippo_is_neither_installed_nor_imported() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["hippocampus_cli"]}
    for path in modules(PACKAGE):
        for node in nodes(path):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if name.partition(".")[0] == "bench"], path


def test_what_tests_share_stands_in_support_or_beside_them() -> None:
    """A test module is imported by nobody, and a builder of another folder's tests is in ``tests/support``."""
    tests = ROOT / "tests"
    wrong = []
    for path in modules(tests):
        own = path.relative_to(tests).parts[0]
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
                _, folder, *inside = (node.module or "").split(".")
                names = [*inside, *(alias.name for alias in node.names)]
                if folder not in (own, "support") or any(n.startswith("test_") for n in names):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.module}")
    assert not wrong, "\n".join(wrong)
