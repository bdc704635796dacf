"""What the arguments of the public API must be, told from the names and the annotations in its functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.fast_types import NamedTuple

Raw = str
"""A str that may hold bytes that are not UTF-8, as Python escapes them: what is looked for may be such text."""
Question = str
"""Any str at all: it is only looked up, and what is no character in it is ignored."""
_SHOWN = 40  # characters of a value that is named
_NOT_UTF8 = ", which is not UTF-8"
_ENCODE = "convert it to UTF-8, without halves of characters (lone surrogates)"
_LOOK_UP = "help(hippocampus_cli.Workspace) says what every call takes"
_FIRST_YEAR = 1900  # upkeep looks back, and there are no days before the year 1


class Expectation(NamedTuple):
    """What an argument must be. ``taken`` gives the value to go on with; for a wrong one it raises
    :class:`TypeError`, which says what is wrong where that is not the whole value."""

    words: str
    taken: Callable[[Any], object]


def checked(
    function: Callable[..., Any], given: tuple[Any, ...], named: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a function or a method as it is to be called with them.

    Raises :class:`UsageError` for a value that is not what is wanted. How many there are, and how they are called, is
    left to Python.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    known = code.co_argcount + code.co_kwonlyargcount
    rest = code.co_varnames[known : known + bool(code.co_flags & _TAKES_MORE)]
    names += rest * (len(given) - len(names))
    wanted = function.__annotations__
    values = (_taken(*one, wanted) for one in zip(names, given, strict=False))
    return (*values, *given[len(names) :]), {
        name: _taken(name, value, wanted) for name, value in named.items()
    }


_TAKES_MORE = 0x04  # inspect.CO_VARARGS


def _taken(name: str, value: object, annotations: Mapping[str, str]) -> object:
    annotation = annotations.get(name, "")
    kind = annotation.removesuffix(" | None")
    wanted = NAMED.get(name) or WANTED.get(kind)
    if wanted is None or (value is None and kind != annotation):
        return value
    try:
        return wanted.taken(value)
    except TypeError as error:
        problem = str(error) or _shown(value)
        raise UsageError(
            reason=f"the argument {name} must be {wanted.words}, not {problem}",
            advice=_ENCODE if problem.endswith(_NOT_UTF8) else _LOOK_UP,
        ) from None


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # somebody else's
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _of(*kinds: type) -> Callable[[Any], object]:
    def taken(value: object) -> object:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError
        return value

    return taken


def _text(errors: str) -> Callable[[Any], object]:
    """What takes a str that is text: no half characters, which no file could keep as they are."""

    def taken(value: object) -> object:
        if not isinstance(value, str):
            raise TypeError
        if not value.isascii():
            try:
                value.encode("utf-8", errors)
            except UnicodeEncodeError:
                raise TypeError(f"{_shown(value)}{_NOT_UTF8}") from None
        return value

    return taken


def _among(words: Callable[[], Iterable[str]]) -> Callable[[Any], object]:
    def taken(value: object) -> object:
        if not isinstance(value, str) or value not in words():
            raise TypeError
        return value

    return taken


def _several(one: Callable[[Any], object], least: int = 0) -> Callable[[Any], object]:
    def taken(values: object) -> object:
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError
        copy = tuple(values)  # an iterator is used up by looking at it
        for value in copy:
            try:
                one(value)
            except TypeError as error:
                raise TypeError(f"with {str(error) or _shown(value)} in it") from None
        if len(copy) < least:
            raise TypeError("empty")
        return copy

    return taken


def _day(value: object) -> date:
    if isinstance(value, datetime):
        return value.date()
    if not isinstance(value, date):
        raise TypeError
    return value


def _moment(value: object) -> datetime:
    if not isinstance(value, datetime) or value.utcoffset() is None or value.year < _FIRST_YEAR:
        raise TypeError
    return value


def _call(value: object) -> object:
    if not callable(value):
        raise TypeError
    return value


def _view(value: object) -> object:
    if not all(callable(getattr(value, name, None)) for name in ("begin", "show", "end")):
        raise TypeError
    return value


def _priorities() -> Iterable[str]:
    from hippocampus_cli.index.metadata import Priority

    return list(Priority)


def _bands() -> Iterable[str]:
    from hippocampus_cli.index.decay import Band

    return list(Band)


def _kinds() -> Iterable[str]:
    from hippocampus_cli.workspace.kinds import NoteKind

    return list(NoteKind)


_ENTRY_TYPES = ("tool_result", "message", "state", "memory")
_CONTEXT_PRIORITIES = ("critical", "high", "normal", "low")
_FORMATS = ("pi", "openclaw", "claude-code", "codex", "gemini", "opencode", "messages")
_CYCLES = ("daily", "weekly", "monthly", "replay", "sync")
_TEXT, _RAW = _text("strict"), _text("surrogateescape")
_PROGRESS = Expectation("a function of two numbers", _call)

WANTED: Mapping[str, Expectation] = {
    "str": Expectation("a str", _TEXT),
    "Raw": Expectation("a str", _RAW),
    "Question": Expectation("a str", _of(str)),
    "bool": Expectation("True or False", _of(bool)),
    "int": Expectation("a whole number", _of(int)),
    "date": Expectation("a date", _day),
    "datetime": Expectation("a datetime with a time zone, from 1900 on", _moment),
    "Iterable[str]": Expectation("a list of str", _several(_TEXT)),
    "Iterable[Raw]": Expectation("a list of str", _several(_RAW)),
    "float": Expectation("a number", _of(int, float)),
    "bytes": Expectation("bytes", _of(bytes)),
    "Path": Expectation("a Path", _of(Path)),
    "str | Path": Expectation("a str or a Path", _of(str, Path)),
    "Config": Expectation("a Config", _of(Config)),
    "Mapping[str, str]": Expectation("a mapping like os.environ", _of(Mapping)),
    "Opener": Expectation("a function that opens an embedder", _call),
    "EntryType": Expectation("tool_result, message, state or memory", _among(lambda: _ENTRY_TYPES)),
    "Priority": Expectation("critical, high, normal or low", _among(lambda: _CONTEXT_PRIORITIES)),
    "Callable[[], datetime]": Expectation("a function that tells the time", _call),
    "View": Expectation("a view with begin, show and end", _view),
    "Callable[[int, int], object]": _PROGRESS,
    "Callable[[int, int], None]": _PROGRESS,
}
"""By annotation, which also says whether ``None`` will do."""

NAMED: Mapping[str, Expectation] = {
    "to": Expectation("a list of pointers, one at least", _several(_RAW, 1)),
    "pri": Expectation("amygdala, high, normal or low", _among(_priorities)),
    "priorities": Expectation(
        "a list of amygdala, high, normal, low", _several(_among(_priorities))
    ),
    "bands": Expectation("a list of bands (strong, moderate, …)", _several(_among(_bands))),
    "kinds": Expectation("a list of kinds of notes (config, daily, …)", _several(_among(_kinds))),
    "form": Expectation(
        "pi, openclaw, claude-code, codex, gemini, opencode or messages", _among(lambda: _FORMATS)
    ),
    "cycle": Expectation("daily, weekly, monthly, replay or sync", _among(lambda: _CYCLES)),
}
"""By name: these mean the same wherever they stand, and want more than their annotation says."""
