"""No pattern of the package takes quadratic time: every one is found, and timed on hostile lines.

Time is that of the thread, the smallest of several runs, and only a run that takes long at all is compared: a
quadratic pattern is far above the floor at the longer size, a linear one far below it.
"""

from __future__ import annotations

import ast
import importlib
import re
import re._constants as codes  # type: ignore[import-not-found, unused-ignore]
import re._parser as parser  # type: ignore[import-not-found, unused-ignore]
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "hippocampus_cli"
METHODS = {"compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"}
ONCE = {"match", "fullmatch"}
SIZES, RATIO = (16, 32, 128, 500, 2_000, 8_000), 6.0
FLOOR = 0.008  # seconds for the longer text, below which nothing is compared
ATOMS = (
    *("a", "A", "1", " ", "\t", "\n", "\\", '"', "'", "`", "*", "_", "~", "|", "=", "-", ".", ","),
    *(":", ";", "/", "@", "#", "<", ">", "(", ")", "[", "]", "{", "&", "%", "$", "+", "!", "?"),
    *(
        "한",
        "日",
        "א",
        "é",
        "—",
        "’",
        "→",
        "😀",
        "a ",
        " a",
        "1 ",
        "a.",
        "1.",
        "1,",
        "a-",
        "a/",
        "a_",
    ),
    *(
        "- ",
        "* ",
        "| ",
        "](",
        "[a](",
        "<!--",
        "<a ",
        "**",
        "``",
        "~~",
        "://",
        "A ",
        "Aa ",
        "a1",
        "A1 ",
    ),
    *(
        "2026-",
        "2026-01-",
        "January ",
        "12:",
        "PIN ",
        "WIFI:",
        "password ",
        "\r\n",
        "\n\n",
        "a\n",
        "a=",
        "a: ",
    ),
    *(
        "1. ",
        "§",
        "→ ",
        "a, ",
        '"a" ',
        "(a ",
        "3. März ",
        "月",
        "2026年",
        "a' ",
        "\x1b[",
        "[[",
        "a@a.",
    ),
)


DOORS = {"mind/claims.py": 240, "mind/floor.py": 1_000}
"""Modules whose patterns see no longer text than this; what lets it in is tested below."""
MOST = 0.2  # seconds that such a pattern may take


class Found(NamedTuple):
    """A pattern and where it is written; ``once`` says that it is only tried at the begin of a text."""

    where: str
    source: str
    flags: int
    once: bool


def _modules() -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if path.name != "__main__.py":
            yield path, ".".join(parts).removesuffix(".__init__")


def _source(value: object) -> tuple[str, int] | None:
    if isinstance(value, re.Pattern):
        return (
            (value.pattern, value.flags & ~re.UNICODE) if isinstance(value.pattern, str) else None
        )
    if type(value).__name__ == "_Pattern":
        return value._source, value._flags  # type: ignore[attr-defined]
    return None


def _held(value: object, depth: int = 3) -> Iterator[tuple[str, int]]:
    """The patterns in a value, in what it contains, and in what a cached function without arguments makes."""
    if pair := _source(value):
        yield pair
    elif depth and isinstance(value, dict):
        for part in (*value.keys(), *value.values()):
            yield from _held(part, depth - 1)
    elif depth and isinstance(value, (tuple, list, set, frozenset)):
        for part in value:
            yield from _held(part, depth - 1)
    elif (
        depth
        and hasattr(value, "__dict__")
        and type(value).__module__.startswith("hippocampus_cli")
    ):
        yield from _held(vars(value), depth - 1)


def _made(function: Any, module: str) -> Iterator[tuple[str, int]]:
    """What a cached function that makes patterns returns without arguments."""
    inner = getattr(function, "__wrapped__", None)
    if inner is None or inner.__module__ != module or inner.__code__.co_argcount:
        return
    if "re" in inner.__code__.co_names or "pattern" in inner.__code__.co_names:
        yield from _held(function())


def _calls(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The name before the dot and the method, wherever a method of a pattern is named; no windows of a text."""
    windows = {
        id(node.func)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _in_a_window(node)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in METHODS
            and isinstance(node.value, ast.Name)
        ):
            yield node.value.id, "match" if id(node) in windows else node.attr


def _in_a_window(call: ast.Call) -> bool:
    """Whether a pattern is tried between two places of a text: in ``text[a:b]``, or with both as arguments."""
    slices = [arg.slice for arg in call.args if isinstance(arg, ast.Subscript)]
    bounded = any(isinstance(part, ast.Slice) and part.lower and part.upper for part in slices)
    return bounded or (
        len(call.args) == 3 and isinstance(call.func, ast.Attribute) and call.func.attr == "search"
    )


def _literals(tree: ast.AST, path: Path) -> Iterator[Found]:
    """The patterns that are written where they are used."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        owner, method = node.func.value, node.func.attr
        if not (isinstance(owner, ast.Name) and owner.id == "re" and method in METHODS):
            continue
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            text = ast.unparse(node)
            flags = sum(flag for flag in (re.I, re.M, re.S) if f"re.{flag.name}" in text)
            where = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            yield Found(where, node.args[0].value, flags, method in ONCE or _in_a_window(node))


def _methods(name: str, module: str, used: dict[tuple[str, str], set[str]]) -> set[str]:
    """The methods that are called of what a name stands for: a private one only in its own module."""
    modules = {module} if name.startswith("_") else {where for where, _ in used}
    return {method for where in modules for method in used[where, name]} or {"search"}


@cache
def every_pattern() -> tuple[Found, ...]:
    """Of every pattern, its source and flags, once, with where it stands."""
    found: dict[tuple[str, int], Found] = {}
    used: dict[tuple[str, str], set[str]] = defaultdict(set)
    trees = {name: (path, ast.parse(path.read_bytes())) for path, name in _modules()}
    for module, (_, tree) in trees.items():
        for name, method in _calls(tree):
            used[module, name].add(method)
    for module, (path, tree) in trees.items():
        held = [
            Found(where, source, flags, _methods(name, module, used) <= ONCE)
            for name, value in _variables(module, path)
            for where in (f"{path.relative_to(PACKAGE)} {name}",)
            for source, flags in (*_held(value), *_made(value, module))
        ]
        for one in (*held, *_literals(tree, path)):
            known = found.get((one.source, one.flags))
            if known is None or (known.once and not one.once and ":" not in one.where):
                found[one.source, one.flags] = one
    return tuple(found.values())


def _variables(module: str, path: Path) -> list[tuple[str, object]]:
    try:
        return list(vars(importlib.import_module(module)).items())
    except Exception:  # of an adapter whose framework is not installed
        if "adapters" not in path.parts:
            raise
        return []


def _member(items: Iterable[tuple[Any, Any]]) -> str:
    """A character of a class."""
    pairs = list(items)
    if pairs and pairs[0][0] is codes.NEGATE:
        barred = re.compile("[" + "".join(_ranged(pair) for pair in pairs[1:]) + "]")
        return next((char for char in "a 1-.x\n~" if not barred.match(char)), "b")
    for kind, value in pairs:
        if kind is codes.LITERAL:
            return chr(value)
        if kind is codes.RANGE:
            return chr(value[0])
        if kind is codes.CATEGORY:
            return _of_category(value)
    return "a"


def _ranged(pair: tuple[Any, Any]) -> str:
    kind, value = pair
    if kind is codes.LITERAL:
        return re.escape(chr(value))
    if kind is codes.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    names = {"SPACE": r"\s", "WORD": r"\w", "DIGIT": r"\d"}
    name = str(value).rpartition("CATEGORY_")[2]
    sign = names[name.rpartition("_")[2]]
    return sign.upper() if "NOT" in name else sign


def _of_category(value: object) -> str:
    name = str(value).rpartition("CATEGORY_")[2].removeprefix("UNI_")
    return {"SPACE": " ", "DIGIT": "1", "NOT_WORD": "-"}.get(name, "a")


class _Samples:
    """Texts that match the begin of a pattern, and, at each of its repetitions, what it repeats."""

    def __init__(self) -> None:
        self.atoms: set[str] = set()
        self.begins: set[tuple[str, str]] = set()

    def walk(self, tree: Iterable[tuple[Any, Any]], before: str) -> str:
        """The text after ``tree``; on the way, what was seen is written down."""
        for kind, value in tree:
            before = self._step(kind, value, before)
            if before.strip():
                self.atoms.add(before)
        return before

    def _step(self, kind: Any, value: Any, before: str) -> str:
        if kind is codes.LITERAL:
            return before + chr(value)
        if kind is codes.NOT_LITERAL:
            return before + ("a" if value != ord("a") else "b")
        if kind is codes.ANY:
            return before + "a"
        if kind is codes.IN:
            return before + _member(value)
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            return self._repeat(value, before)
        if kind is codes.SUBPATTERN:
            return self.walk(value[-1], before)
        if kind is codes.ATOMIC_GROUP:
            return self.walk(value, before)
        if kind is codes.BRANCH:
            texts = [self.walk(one, before) for one in value[1]]
            return max(texts[:8], key=len)
        return before

    def _repeat(self, value: Any, before: str) -> str:
        least, most, tree = value
        text = self.walk(tree, before)
        part = text[len(before) :]
        if most > 20 and part:
            self.begins.add((before[-40:], part[-40:]))
        return before + part * max(least, 1) if least < 50 else before + part * 50


def hostile(source: str, flags: int) -> Iterator[Callable[[int], str]]:
    """Makers of texts of a given length that a pattern may take long for."""
    samples = _Samples()
    samples.walk(parser.parse(source, flags), "")
    atoms = {*samples.atoms, *(atom + char for atom in samples.atoms for char in " a")}
    for atom in sorted(atoms, key=len)[:60]:
        if len(atom) <= 300:
            yield lambda n, atom=atom: (atom * (n // len(atom) + 1))[:n]
    for begin, part in sorted(samples.begins)[:40]:
        yield lambda n, begin=begin, part=part: begin + part * (n // len(part)) + "\x00"
        yield lambda n, begin=begin, part=part: (begin + part * 3) * (n // len(begin + part * 3))


def _fixed() -> Iterator[Callable[[int], str]]:
    for atom in ATOMS:
        yield lambda n, atom=atom: (atom * (n // len(atom) + 1))[:n]
    for begin, part in (("a", " "), ("- ", " "), ("[", "a"), ("<", "a"), ("<!--", " "), ("|", " ")):
        yield lambda n, begin=begin, part=part: begin + part * n + "\x00"


def _seconds(compiled: re.Pattern[str], text: str, once: bool) -> float:
    start = time.thread_time()
    if once:
        compiled.match(text)
        compiled.fullmatch(text)
    else:
        for _ in compiled.finditer(text):
            pass
    return time.thread_time() - start


def slow_texts(
    source: str, flags: int, once: bool, makers: Iterable[Callable[[int], str]]
) -> list[str]:
    """The begins of the texts of which a longer one takes more than its share of time."""
    compiled = re.compile(source, flags)
    slow = []
    for make in makers:
        for less, more in pairwise(SIZES):
            if _seconds(compiled, make(more), once) < FLOOR:
                continue
            if _grows(compiled, (make(less), make(more)), once):
                slow.append(repr(make(60)[:80]))
            break
    return slow


def _grows(compiled: re.Pattern[str], sizes: tuple[str, str], once: bool) -> bool:
    for _ in range(3):
        less, more = (min(_seconds(compiled, text, once) for _ in range(4)) for text in sizes)
        if more < FLOOR or more <= RATIO * less:
            return False
    return True


def test_all_kinds_of_patterns_are_found() -> None:
    wheres = [one.where for one in every_pattern()]
    assert len(wheres) > 250
    text = " ".join(wheres)
    for name in ("_WIFI", "_any_words", "expressions.py", "markdown/lines.py"):
        assert name in text


@pytest.mark.parametrize(
    ("source", "text"), [(r"WIFI:[^\n]*?P:x", "WIFI:"), (r"\s+$", "' '"), (r"(?:a|b)*?c.*d", "a")]
)
def test_a_quadratic_pattern_is_caught(source: str, text: str) -> None:
    assert any(text.strip("'") in one for one in slow_texts(source, 0, False, hostile(source, 0)))


def test_a_linear_pattern_is_not() -> None:
    assert not slow_texts(r"\d{4}-\d\d", 0, False, (*_fixed(), *hostile(r"\d{4}-\d\d", 0)))


@pytest.mark.parametrize("found", every_pattern(), ids=lambda found: found.where)
def test_four_times_the_text_takes_four_times_as_long(found: Found) -> None:
    makers = (*_fixed(), *hostile(found.source, found.flags))
    door = DOORS.get(found.where.split(" ")[0].split(":")[0])
    if door and not found.where.endswith("_ENDS"):
        compiled = re.compile(found.source, found.flags)
        texts = [make(door)[:door] for make in makers]
        assert not [text[:60] for text in texts if _at_best(compiled, text, found.once) > MOST]
    else:
        assert not slow_texts(found.source, found.flags, found.once, makers)


def _at_best(compiled: re.Pattern[str], text: str, once: bool) -> float:
    return min(_seconds(compiled, text, once) for _ in range(3))
