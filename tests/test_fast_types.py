from __future__ import annotations

import copy
import pickle
import re
import typing
from functools import cached_property
from typing import get_type_hints

import pytest

from hippocampus_cli.fast_types import Frozen, NamedTuple, pattern


class Point(NamedTuple):
    """A place."""

    x: int
    y: float = 0.5
    tags: tuple[str, ...] = ()

    @property
    def far(self) -> bool:
        return self.x > 9


class Standard(typing.NamedTuple):
    x: int
    y: float = 0.5
    tags: tuple[str, ...] = ()


def test_a_named_tuple_is_what_typing_makes() -> None:
    assert Point._fields == Standard._fields
    assert Point._field_defaults == Standard._field_defaults
    assert get_type_hints(Point) == get_type_hints(Standard)
    assert repr(Point(3)) == repr(Standard(3)).replace("Standard", "Point")
    assert Point(3) == (3, 0.5, ()) == Point(x=3)._replace(y=0.5)
    assert Point(10).far and not Point(9).far
    assert Point.__doc__ == "A place."
    assert (Point.__module__, Point.__qualname__) == (__name__, "Point")
    assert pickle.loads(pickle.dumps(Point(1))) == Point(1)
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


class Word(Frozen):
    """A word."""

    text: str
    times: int = 1

    @cached_property
    def upper(self) -> str:
        return self.text.upper()


def test_a_frozen_value_is_equal_by_its_fields_and_by_nothing_else() -> None:
    one, other = Word("a"), Word(text="a", times=1)
    assert one.upper == "A"
    assert one == other and hash(one) == hash(other) and one != Word("a", 2)
    assert one != ("a", 1)
    assert repr(one) == "Word(text='a', times=1)"
    assert one.replaced(times=3) == Word("a", 3) and one.times == 1
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one


def test_a_frozen_value_cannot_be_set() -> None:
    word = Word("a")
    with pytest.raises(AttributeError, match="frozen"):
        word.text = "b"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), (("a", 1, 2), {}), (("a",), {"text": "b"}), (("a",), {"other": 1})],
)
def test_a_frozen_value_is_given_its_fields_once_and_no_others(
    args: tuple[object, ...], named: dict[str, object]
) -> None:
    with pytest.raises(TypeError, match="Word"):
        Word(*args, **named)  # type: ignore[arg-type]


def test_a_pattern_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def compile_(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return real(source, flags)

    monkeypatch.setattr(re, "compile", compile_)
    late = pattern("A+b", re.IGNORECASE)
    assert compiled == []
    found = late.match("aab!")
    assert found and found.group() == "aab"
    assert late.sub("-", "x ab y") == "x - y" and late.findall("ab aab") == ["ab", "aab"]
    assert late.search("b") is None and late.fullmatch("ab") and late.split("1ab2") == ["1", "2"]
    assert compiled == ["A+b"]
    assert late.groups == 0 and late.pattern == "A+b"


def test_a_pattern_that_is_none_says_so_when_it_is_used() -> None:
    with pytest.raises(re.error):
        pattern("(").match("x")
