"""Declarations that cost a start little: every query waits for the making of some hundred types and patterns.

:class:`NamedTuple` is ``typing``'s to whoever checks types and behaves as it does; making one takes a tenth of the
time, for nothing is compiled: its annotations are kept as they are written, and constructors of as many fields share
their code. :class:`Frozen` takes the place
of a frozen dataclass, whose making compiles several methods (and whose module imports ``inspect``).
:func:`pattern` is ``re.compile`` put off until the pattern is first used: a run uses a third of them.
"""

from __future__ import annotations

import re
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform


def _shown(value: Any) -> str:
    """``Point(x=1, y=2)``."""
    fields = ", ".join(f"{field}={getattr(value, field)!r}" for field in value._fields)
    return f"{type(value).__qualname__}({fields})"


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter

    class _Tuple(tuple):
        """What every named tuple can, by its ``_fields``."""

        __slots__ = ()

        def _replace(self, /, **changes: Any) -> Self:
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        __repr__ = _shown

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _Maker(type):
        """Makes a named tuple of a class body, as ``typing`` does."""

        def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            code = _constructor(len(fields)).replace(co_varnames=("_cls", *fields))
            made: dict[str, Any] = {
                field: _tuplegetter(place, "") for place, field in enumerate(fields)
            }
            made |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults}
            made["__new__"] = FunctionType(
                code, {"_new": tuple.__new__}, "__new__", (*defaults.values(),)
            )
            return type(name, (_Tuple,), made | body)

    @cache
    def _constructor(count: int) -> CodeType:
        """The code of ``__new__`` for so many fields, compiled once: a named tuple spends half its making on it."""
        fields = "".join(f"a{place}, " for place in range(count))
        return eval(f"lambda _cls, {fields}: _new(_cls, ({fields}))").__code__

    class NamedTuple(metaclass=_Maker):
        """``typing.NamedTuple``, not for generic classes."""


@dataclass_transform(frozen_default=True)
class Frozen:
    """A value with the fields that its class annotates, a default where one stands beside a field.

    As with a frozen dataclass, fields are given in order or by name, cannot be set afterwards, and make up
    equality, hash and ``repr``. Instances may hold cached properties. Not for a class that inherits fields.
    """

    _fields: ClassVar[tuple[str, ...]] = ()
    _compared: ClassVar[tuple[str, ...]] = ()
    """The fields that make up equality and hash, where not all of them do."""

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)
        cls._compared = cls.__dict__.get("_compared", cls._fields)

    def __init__(self, *args: Any, **named: Any) -> None:
        given = dict(zip(self._fields, args, strict=False)) | named
        missing = [
            name for name in self._fields if not (name in given or hasattr(type(self), name))
        ]
        if missing or len(given) < len(args) + len(named) or not given.keys() <= {*self._fields}:
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._fields)}")
        self.__dict__.update(given)

    def replaced(self, **changes: Any) -> Self:
        """The same value with other fields."""
        return type(self)(**{field: getattr(self, field) for field in self._fields} | changes)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in self._compared)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, field) for field in self._compared))

    __repr__ = _shown


class _Pattern:
    """A regular expression that is compiled when something of it is first asked for."""

    def __init__(self, *given: Any) -> None:
        self._given = given

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by whoever copies or prints it
            raise AttributeError(name)
        found = re.compile(*self._given) if name == "_compiled" else getattr(self._compiled, name)
        setattr(self, name, found)  # from now on it is found without this detour
        return found


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern ``source``, compiled when it is first used. Raises :class:`re.error` only then."""
    return _Pattern(source, flags)  # type: ignore[return-value]
