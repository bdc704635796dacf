"""The budget of the house: how much code there is, and which ideas are held twice.

Every number below only falls. A count above its ceiling fails; one that is well below it fails too, and says which
number to write. Code tokens cannot be saved by writing denser, so the tokens a line may not rise either.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

import pytest

from hippocampus_cli.config.settings import settings
from tests.support.calls import calls_of
from tests.support.commands import DECLARED
from tests.support.processes import hippo
from tests.support.sources import nodes
from tests.support.workspaces import fixture_of_few

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "hippocampus_cli"
TOP = "(top)"  # modules that stand in no folder
SLACK = 0.03  # how far below its ceiling a count may be before the ceiling must follow

CODE_TOKENS = {
    TOP: 2_003,
    "adapters": 3_818,
    "anchors": 4_166,
    "api": 8_565,
    "cli": 35_312,
    "config": 3_958,
    "connector": 1_229,
    "context": 32_387,
    "curation": 8_954,
    "embedding": 10_996,
    "entries": 19_989,
    "index": 23_337,
    "integrations": 17_950,
    "maintenance": 33_947,
    "markdown": 3_614,
    "mind": 15_698,
    "query": 13_512,
    "redaction": 8_987,
    "report": 5_299,
    "schedule": 3_471,
    "search": 18_276,
    "text": 4_202,
    "watch": 3_887,
    "workspace": 25_971,
}
ALL_CODE_TOKENS = 309_528
TOKENS_A_LINE = 6.55
COMMANDS_THAT_DO_SOMETHING = 44
SETTINGS = 50
TEST_LINES = 43_875

# What `hippo query` may use: the first after a bootstrap reads the notes, later ones find nothing to read.
MODULES_RUN = 80
MODULES_LOADED = 97
PAIRS_THAT_CALL_EACH_OTHER = 0
FIRST_MODULES_RUN = 89
FIRST_MODULES_LOADED = 106
FIRST_PAIRS_THAT_CALL_EACH_OTHER = 0

# Ideas that have one home. What stands elsewhere is counted, until it is gone.
SECOND_OF_A_KIND = {
    "sentence ends outside text/": 3,
    "word patterns outside text/": 12,
    "databases opened outside workspace/": 0,
    "file times read outside the file table": 0,
    "class names used again": 28,
    "imports inside functions": 131,
    "modules in import cycles": 4,
}

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
SENTENCE_END = re.compile(r"\[[^\]]*(?:\.[!?]|[!?]\.|[。！？])")
WORD = re.compile(r"\\w[+*{]")


class Source:
    """A module of the package: its path, name, text and syntax tree."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.inside = path.relative_to(PACKAGE)
        self.name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        self.folder = self.inside.parts[0] if len(self.inside.parts) > 1 else TOP
        self.text = path.read_text(encoding="utf-8")

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        return nodes(self.path)

    @cached_property
    def docstrings(self) -> set[tuple[int, int]]:
        """Where the docstrings begin: line and column."""
        first = (node.body[0] for node in self.nodes if isinstance(node, DOCUMENTED) and node.body)
        return {
            (node.lineno, node.col_offset)
            for node in first
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }

    @cached_property
    def code_tokens(self) -> int:
        """Python's tokens without comments, docstrings and layout."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return sum(
            token.type not in LAYOUT
            and not (token.type == tokenize.STRING and token.start in self.docstrings)
            for token in tokens
        )

    def patterns(self) -> Iterator[str]:
        """Its texts that may be regular expressions: every string that is no docstring."""
        for node in self.nodes:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if (node.lineno, node.col_offset) not in self.docstrings:
                yield node.value


@cache
def sources() -> tuple[Source, ...]:
    return tuple(Source(path) for path in sorted(PACKAGE.rglob("*.py")))


def assert_near(what: str, count: float, ceiling: float) -> None:
    """``count`` is at most ``ceiling`` and not so far below it that the ceiling no longer holds anything."""
    assert count <= ceiling, f"{what}: {count:g}, at most {ceiling:g}"
    assert count >= ceiling * (1 - SLACK), f"{what}: {count:g}, write that instead of {ceiling:g}"


def test_code_tokens_only_fall() -> None:
    counts: Counter[str] = Counter()
    for source in sources():
        counts[source.folder] += source.code_tokens
    assert set(counts) == set(CODE_TOKENS), "a folder came or went: write it into the table"
    problems = []
    for folder, count in counts.items():
        try:
            assert_near(folder, count, CODE_TOKENS[folder])
        except AssertionError as error:
            problems.append(str(error).splitlines()[0])
    assert not problems, "\n".join(problems)
    assert_near("all folders", counts.total(), ALL_CODE_TOKENS)


def test_lines_become_no_denser() -> None:
    tokens = sum(source.code_tokens for source in sources())
    lines = sum(source.text.count("\n") for source in sources())
    assert round(tokens / lines, 2) <= TOKENS_A_LINE


def test_commands_only_become_fewer() -> None:
    assert_near("commands", len(DECLARED), COMMANDS_THAT_DO_SOMETHING)


def test_settings_only_become_fewer() -> None:
    assert_near("settings", len(settings()), SETTINGS)


def test_lines_of_tests_only_become_fewer() -> None:
    lines = sum(
        path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "tests").rglob("*.py")
    )
    assert_near("lines of tests", lines, TEST_LINES)


@pytest.mark.parametrize("kind", SECOND_OF_A_KIND)
def test_an_idea_has_one_home(kind: str) -> None:
    places = sorted(KINDS[kind]())
    ceiling = SECOND_OF_A_KIND[kind]
    assert len(places) <= ceiling, "\n".join(places)
    assert len(places) == ceiling, f"{kind}: {len(places)}, write that instead of {ceiling}"


def _with(pattern: re.Pattern[str], home: str) -> Iterator[str]:
    for source in sources():
        if source.folder != home and any(pattern.search(text) for text in source.patterns()):
            yield source.name


def sentence_ends_outside_text() -> Iterator[str]:
    return _with(SENTENCE_END, "text")


def word_patterns_outside_text() -> Iterator[str]:
    return _with(WORD, "text")


def databases_outside_workspace() -> Iterator[str]:
    for source in sources():
        if source.folder != "workspace" and "sqlite3.connect" in source.text:
            yield source.name


def file_times_outside_the_file_table() -> Iterator[str]:
    for source in sources():
        if source.name != "hippocampus_cli.workspace.file_table" and "st_mtime" in source.text:
            yield source.name


def class_names_used_again() -> Iterator[str]:
    homes: dict[str, list[str]] = {}
    for source in sources():
        for node in ast.iter_child_nodes(source.nodes[0]):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(source.name)
    for name, modules in homes.items():
        if not name.startswith("_"):
            yield from (f"{name} of {module}" for module in modules[1:])


def imports_inside_functions() -> Iterator[str]:
    """Imports of the package's own modules that are not at the top: each one, outside the doors of commands."""
    for source in sources():
        for function in source.nodes:
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for node in ast.walk(function):
                    if isinstance(node, ast.ImportFrom) and _is_ours(node):
                        yield f"{source.name}:{node.lineno} {node.module}"


def modules_in_import_cycles() -> Iterator[str]:
    """Modules that import each other in a circle, imports inside functions counted."""
    names = {source.name for source in sources()}
    graph = {source.name: set(_imported(source, names)) for source in sources()}
    reachable = {name: _reachable(graph, name) for name in graph}
    for name in graph:
        if any(name in reachable[other] for other in reachable[name] if other != name):
            yield name


def _is_ours(node: ast.ImportFrom) -> bool:
    return (node.module or "").partition(".")[0] == "hippocampus_cli"


def _imported(source: Source, names: set[str]) -> Iterator[str]:
    for node in _outside_type_checking(source.nodes[0]):
        if isinstance(node, ast.ImportFrom) and _is_ours(node):
            module = node.module or ""
            parts = {f"{module}.{alias.name}" for alias in node.names} & names
            yield from parts or {module} & names


def _outside_type_checking(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _outside_type_checking(child)


def _reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


KINDS = {
    "sentence ends outside text/": sentence_ends_outside_text,
    "word patterns outside text/": word_patterns_outside_text,
    "databases opened outside workspace/": databases_outside_workspace,
    "file times read outside the file table": file_times_outside_the_file_table,
    "class names used again": class_names_used_again,
    "imports inside functions": imports_inside_functions,
    "modules in import cycles": modules_in_import_cycles,
}


def test_a_query_uses_no_more_modules_and_pairs_that_call_each_other_than_it_did(
    tmp_path: Path,
) -> None:
    folder = fixture_of_few(tmp_path)
    hippo(folder, "bootstrap")
    first, later = (calls_of(folder, "query", "deploy command") for _ in range(2))
    assert "hippocampus_cli.api.workspace" in later.run
    assert_near("FIRST_MODULES_RUN", len(first.run), FIRST_MODULES_RUN)
    assert_near("FIRST_MODULES_LOADED", len(first.loaded), FIRST_MODULES_LOADED)
    assert_near(
        "FIRST_PAIRS_THAT_CALL_EACH_OTHER", len(first.both_ways()), FIRST_PAIRS_THAT_CALL_EACH_OTHER
    )
    assert_near("MODULES_RUN", len(later.run), MODULES_RUN)
    assert_near("MODULES_LOADED", len(later.loaded), MODULES_LOADED)
    assert_near("PAIRS_THAT_CALL_EACH_OTHER", len(later.both_ways()), PAIRS_THAT_CALL_EACH_OTHER)
