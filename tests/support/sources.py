"""The code as syntax trees, for the tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, itself the first, in breadth. A file is parsed and walked once for all tests."""
    return tuple(ast.walk(ast.parse(path.read_bytes())))
