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
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.safe import inline_text
from hippocampus_cli.mind.gate import Gate
from hippocampus_cli.mind.own_words import own_lines
from hippocampus_cli.redaction.detector import find_secrets
from hippocampus_cli.redaction.rules import ANNOUNCING
from hippocampus_cli.text.plain_text import plain_text
from hippocampus_cli.text.terms import terms
from tests.support.sources import nodes

PACKAGE = Path(__file__).parents[1] / "hippocampus_cli"
FOLDERS = sorted(path.name for path in PACKAGE.iterdir() if path.name[0] != "_")  # and modules
METHODS = {"compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"}
ONCE = {"match", "fullmatch"}
SIZES, RATIO = (16, 60, 250, 1_000, 4_000), 6.0
CLEAR = 0.1  # seconds that are too long for a text, whatever a longer one takes
FLOOR = 0.004  # seconds for the longer text, below which nothing is compared
ATOMS = (
    "a", "A", "1", " ", "\t", "\n", "\\", '"', "'", "`", "*", "_", "~", "|", "=", "-", ".", ",", ":", ";", "/",
    "@", "#", "<", ">", "(", ")", "[", "]", "{", "&", "%", "$", "+", "!", "?", "한", "日", "א", "é", "—", "’",
    "→", "😀", "a ", " a", "1 ", "a.", "1.", "1,", "a-", "a/", "a_", "- ", "* ", "| ", "](", "[a](", "<!--",
    "<a ", "**", "``", "~~", "://", "A ", "Aa ", "a1", "A1 ", "2026-", "2026-01-", "January ", "12:", "PIN ",
    "WIFI:", "password ", "\r\n", "\n\n", "a\n", "a=", "a: ", "1. ", "§", "→ ", "a, ", '"a" ', "(a ",
    "3. März ", "月", "2026年", "a' ", "\x1b[", "[[", "a@a.",
)  # fmt: skip


DOORS = {"mind/own_words.py": 300, "mind/floor.py": 1_000}
"""Modules whose patterns see no longer text than this; what lets it in is tested below."""
MOST = 0.2  # seconds that such a pattern may take


class Found(NamedTuple):
    """A pattern and where it is written; ``once`` says that it is only tried at the begin of a text."""

    where: str
    source: str
    flags: int
    once: bool

    @property
    def folder(self) -> str:
        return re.split("[ /:]", self.where)[0]


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
        return value._given  # type: ignore[attr-defined, no-any-return]
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
    code = getattr(inner, "__code__", None)
    if code is None or inner.__module__ != module or code.co_argcount:
        return
    if {"re", "pattern"} & {*code.co_names}:
        yield from _held(function())


def _calls(module: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """The name before the dot and the method, wherever a method of a pattern is named; no windows of a text.

    The pattern of a row (``form.pattern.match``) is one of its table (``FORMS``).
    """
    windows = {
        id(node.func) for node in module if isinstance(node, ast.Call) and _in_a_window(node)
    }
    for node in module:
        if not isinstance(node, ast.Attribute) or node.attr not in METHODS:
            continue
        method = "match" if id(node) in windows else node.attr
        match node.value:
            case ast.Name(name):
                yield name, method
            case ast.Attribute(ast.Name(row), "pattern"):
                yield f"{row.upper()}S", method


def _in_a_window(call: ast.Call) -> bool:
    """Whether a pattern is tried between two places of a text: in ``text[a:b]``, or with both as arguments."""
    slices = [arg.slice for arg in call.args if isinstance(arg, ast.Subscript)]
    bounded = any(isinstance(part, ast.Slice) and part.lower and part.upper for part in slices)
    return bounded or (
        len(call.args) == 3 and isinstance(call.func, ast.Attribute) and call.func.attr == "search"
    )


def _literals(path: Path) -> Iterator[Found]:
    """The patterns that are written where they are used."""
    for node in nodes(path):
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
    for path, module in _modules():
        for name, method in _calls(nodes(path)):
            used[module, name].add(method)
    for path, module in _modules():
        held = [
            Found(where, source, flags, _methods(name, module, used) <= ONCE)
            for name, value in _variables(module, path)
            for where in (f"{path.relative_to(PACKAGE)} {name}",)
            for source, flags in (*_held(value), *_made(value, module))
        ]
        for one in (*held, *_literals(path)):
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


def _tried(source: str, flags: int, once: bool) -> Callable[[str], object]:
    """A pattern as the package uses it: only at the begin of a text, or all along it."""
    compiled = re.compile(source, flags)
    if once:
        return lambda text: (compiled.match(text), compiled.fullmatch(text))
    return lambda text: deque(compiled.finditer(text), maxlen=0)


def _seconds(run: Callable[[str], object], text: str) -> float:
    start = time.thread_time()
    run(text)
    return time.thread_time() - start


def slow_texts(
    run: Callable[[str], object], makers: Iterable[Callable[[int], str]]
) -> Iterator[str]:
    """The begins of the texts of which a longer one takes more than its share of time."""
    return (repr(make(60)[:80]) for make in makers if _is_slow(run, make))


def _is_slow(run: Callable[[str], object], make: Callable[[int], str]) -> bool:
    """Whether the time outgrows the text, at the longest size or at the first that takes far too long: only there,
    since one measurement near a threshold is above it on a busy machine and below it on a quiet one. No longer size
    is tried where even quadratic time would stay below the floor."""
    for less, more in pairwise(SIZES):
        text, start = make(more), time.perf_counter()
        run(text)
        taken = time.perf_counter() - start  # the clock costs less to ask than the thread
        if taken > CLEAR or (more == SIZES[-1] and taken > FLOOR):
            return _grows(run, (make(less), text))
        if taken * (SIZES[-1] / more) ** 2 < FLOOR:
            return False
    return False


def _grows(run: Callable[[str], object], sizes: tuple[str, str]) -> bool:
    for _ in range(3):
        less, more = (_at_best(run, text) for text in sizes)
        if more < FLOOR or more <= RATIO * less:
            return False
    return True


def _at_best(run: Callable[[str], object], text: str) -> float:
    return min(_seconds(run, text) for _ in range(2))


def scan_lines(text: str) -> object:
    return scan([text])


def test_all_kinds_of_patterns_are_found() -> None:
    wheres = [one.where for one in every_pattern()]
    assert len(wheres) > 250
    assert {one.folder for one in every_pattern()} <= set(FOLDERS)
    text = " ".join(wheres)
    for name in ("PLACES", "_ANY_WORDS", "text/dates.py", "markdown/lines.py"):
        assert name in text


@pytest.mark.parametrize(
    ("source", "text"), [(r"WIFI:[^\n]*?P:x", "WIFI:"), (r"\s+$", " "), (r"(?:a|b)*?c.*d", "a")]
)
def test_a_quadratic_pattern_is_caught(source: str, text: str) -> None:
    makers = (*hostile(source, 0), lambda n: text * (n // len(text)))
    assert next(slow_texts(_tried(source, 0, False), makers), None)


def test_a_private_key_without_its_end_is_read_at_once() -> None:
    text = "-----BEGIN PRIVATE KEY-----" + "\r\n" * 2_000 + "so far"
    assert _seconds(find_secrets, text) < 1


def test_a_linear_pattern_is_not() -> None:
    source = r"\d{4}-\d\d"
    assert not list(slow_texts(_tried(source, 0, False), (*_fixed(), *hostile(source, 0))))


@pytest.mark.parametrize("folder", FOLDERS)
def test_four_times_the_text_takes_four_times_as_long(folder: str) -> None:
    """Of every pattern of a folder; they are looked for here, as collecting the tests would wait for it."""
    patterns = [one for one in every_pattern() if one.folder == folder]
    slow = {found.where: texts for found in patterns if (texts := slow_texts_of(found))}
    assert not slow


def slow_texts_of(found: Found) -> list[str]:
    makers = (*_fixed(), *hostile(found.source, found.flags))
    run = _tried(found.source, found.flags, found.once)
    door = DOORS.get(found.where.split(" ")[0].split(":")[0])
    if door and not found.where.endswith("_ENDS"):
        texts = [make(door)[:door] for make in makers]
        return [text[:60] for text in texts if _at_best(run, text) > MOST]
    return list(slow_texts(run, makers))


@pytest.mark.parametrize(
    "run",
    [find_secrets, plain_text, inline_text, plain_line, terms, scan_lines, own_lines],
    ids=lambda run: run.__name__,
)
def test_what_reads_a_line_takes_time_that_grows_with_it(run: Callable[[str], object]) -> None:
    words = [word for kinds in ANNOUNCING.values() for word in kinds if word.isascii()][::4]
    announced = [(lambda n, word=word: f"{word}: " * (n // (len(word) + 2))) for word in words]
    assert not list(slow_texts(run, (*_fixed(), *announced)))


@pytest.mark.parametrize("atom", ["a", "a-", "petrol ", "her ", "1 "])
def test_the_gate_reads_a_long_sentence_in_pieces(atom: str) -> None:
    more = _seconds(Gate().category, atom * (40_000 // len(atom)))
    assert more < 5 or more < RATIO * _seconds(Gate().category, atom * (10_000 // len(atom)))


def test_what_a_rule_refuses_is_refused_wherever_a_long_sentence_has_it() -> None:
    refused = "i will poison him with bleach"
    assert Gate().category(refused)
    for before in range(600, 1_100, 7):
        assert Gate().category("a " * (before // 2) + refused + " and so on" * 100), before
