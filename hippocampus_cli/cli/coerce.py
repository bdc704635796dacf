"""From the words of a command line to values, for the plain types.

typer leaves this to pydantic, whose import takes longer than everything else in a query, and which
refuses a text with a byte that is not UTF-8. Plain parameters are given the converter below instead;
where a parameter asks for more than it knows, typer's own stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import typer

from hippocampus_cli.markdown.lines import decode, encode

_PLAIN = (bool, str, int, float, Path)
_NAMES = {int: "a whole number", float: "a number"}
_CHECKED_PATH = ("exists", "writable", "resolve_path", "allow_dash", "path_type")
_OWN_MEANS = ("parser", "click_type", "clamp")


class Converter(NamedTuple):
    """Converts to ``kind``, or to one of ``choices``; takes the place of typer's runtime parameter."""

    kind: type
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def coerce(self, value: object, param: Any, ctx: typer.Context) -> object:
        """The value, or a tuple of them for a repeatable parameter; raises typer.BadParameter."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        try:
            if many and isinstance(value, (list, tuple)):
                return tuple(self._one(item) for item in value)
            return self._one(value)
        except ValueError as error:
            raise typer.BadParameter(str(error), ctx=ctx, param=param) from None

    def _one(self, value: object) -> object:
        if self.choices and value not in self.choices:
            raise ValueError(f"{value!r} is not one of {', '.join(self.choices)}.")
        if isinstance(value, self.kind):
            made: object = value
        else:
            try:
                made = self.kind(value)
            except ValueError:
                raise ValueError(f"{value!r} is not {_NAMES[self.kind]}.") from None
        if isinstance(made, (int, float)):
            self._check_range(made)
        # In a C locale words arrive as escaped bytes although they are UTF-8; paths stay as the system gave them.
        return decode(encode(made)) if isinstance(made, str) else made

    def _check_range(self, number: float) -> None:
        too_low = self.low is not None and not number >= self.low
        if too_low or (self.high is not None and not number <= self.high):
            low = "" if self.low is None else f"{self.low:g} or more"
            high = "" if self.high is None else f"{self.high:g} or less"
            raise ValueError(f"{number} is not {' and '.join(filter(None, (low, high)))}.")


def lighten(params: Iterable[Any]) -> None:
    """Give every plain parameter a :class:`Converter`; typer asks for its own only where there is none.

    ``_runtime_param`` is private, so pyproject.toml names the newest typer that this was tested with.
    """
    for param in params:
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is not None and getattr(param, "_runtime_param", ()) is None:
            param._runtime_param = _converter(descriptor.annotation, descriptor.parameter_info)


def _converter(annotation: Any, info: Any) -> Converter | None:
    if any(getattr(info, name, None) for name in _OWN_MEANS):
        return None
    if get_origin(annotation) is list:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is Literal:
        return _choice(get_args(annotation))
    if annotation not in _PLAIN:
        return None
    if annotation is Path and any(getattr(info, name, None) for name in _CHECKED_PATH):
        return None
    return Converter(annotation, low=info.min, high=info.max)


def _choice(values: Sequence[object]) -> Converter | None:
    texts = tuple(value for value in values if isinstance(value, str))
    return Converter(str, choices=texts) if len(texts) == len(values) else None
