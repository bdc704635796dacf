"""The words of a command line, read by the table of options. No typer: a query does not wait for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hippocampus_cli.cli.options import FLAG, NUMBER, PATH, REAL, Parameter
from hippocampus_cli.errors import UsageError
from hippocampus_cli.markdown.lines import decode, encode

_READERS = {PATH: Path, NUMBER: int, REAL: float}
_NAMES = {NUMBER: "a whole number", REAL: "a number"}


def parse(words: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Every one of ``parameters`` with its value, read from ``words``. Raises :class:`UsageError`."""
    options = {
        part: (parameter, part == spelling.partition("/")[0])
        for parameter in parameters
        for spelling in parameter.spellings
        for part in spelling.split("/")
    }
    given: dict[str, Any] = {}
    placed: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            placed += rest
            break
        if word == "-" or not word.startswith("-"):
            placed.append(word)
        else:
            _take_option(word, rest, options, given)
    _place(placed, [one for one in parameters if not one.spellings], given)
    for parameter in parameters:
        if parameter.name not in given:
            if parameter.required:
                raise _wrong(f"{_title(parameter)} is missing")
            given[parameter.name] = [] if parameter.several else parameter.default
    return given


def near(word: str, names: Sequence[str]) -> str:
    """Which of ``names`` was probably meant, as advice."""
    from difflib import get_close_matches  # only who mistypes waits for it

    matches = get_close_matches(word[:100], names, 1)
    return f"did you mean {matches[0]}?" if matches else "see --help"


def _take_option(
    word: str,
    rest: list[str],
    options: Mapping[str, tuple[Parameter, bool]],
    given: dict[str, Any],
) -> None:
    """Read the option in ``word``, and its value from ``rest`` where ``word`` has none."""
    is_long = word.startswith("--")
    name, value = (
        (word.partition("=")[0], word.partition("=")[2]) if is_long else (word[:2], word[2:])
    )
    joined = "=" in word if is_long else bool(value)
    if name not in options:
        raise UsageError(reason=f"there is no option {name[:40]}", advice=near(name, list(options)))
    parameter, meaning = options[name]
    if parameter.kind == FLAG:
        if joined and is_long:
            raise _wrong(f"{name} takes no value")
        given[parameter.name] = meaning
        rest[:0] = [f"-{value}"] if joined else []
        return
    if not joined:
        if not rest:
            raise _wrong(f"{name} needs a value")
        value = rest.pop(0)
    _keep(value, parameter, given)


def _place(words: Sequence[str], arguments: Sequence[Parameter], given: dict[str, Any]) -> None:
    """Give each of ``arguments`` its words."""
    rest = list(words)
    for parameter in arguments:
        while rest and (parameter.several or parameter.name not in given):
            _keep(rest.pop(0), parameter, given)
    if rest:
        raise _wrong(f"there is nothing to do with {rest[0][:40]!r}")


def _keep(word: str, parameter: Parameter, given: dict[str, Any]) -> None:
    several = parameter.several
    if several and parameter.spellings and not word.strip():
        raise _wrong(f"{_title(parameter)} has no value")
    value = _value(word, parameter)
    given[parameter.name] = [*given.get(parameter.name, ()), value] if several else value


def _value(word: str, parameter: Parameter) -> Any:
    reader = _READERS.get(parameter.kind)
    if parameter.choices and word not in parameter.choices:
        choices = ", ".join(parameter.choices)
        raise _wrong(f"{_title(parameter)}: {word[:40]!r} is not one of {choices}")
    if reader is None:
        # In a C locale words arrive as escaped bytes although they are UTF-8; paths stay as the system gave them.
        return decode(encode(word))
    try:
        value = reader(word)
    except ValueError:
        kind = _NAMES[parameter.kind]
        raise _wrong(f"{_title(parameter)}: {word[:40]!r} is not {kind}") from None
    low, high = parameter.low, parameter.high
    if low is not None and not low <= value <= (float("inf") if high is None else high):
        bounds = f"{low:g} or more" if high is None else f"{low:g} to {high:g}"
        raise _wrong(f"{_title(parameter)} must be {bounds}, not {value:g}")
    return value


def _title(parameter: Parameter) -> str:
    """What a person calls it."""
    return (*parameter.spellings, parameter.metavar or parameter.name)[0]


def _wrong(reason: str) -> UsageError:
    return UsageError(reason=reason, advice="see --help")
