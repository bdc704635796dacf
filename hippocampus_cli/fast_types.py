"""Declarations that cost a start little: every query waits for the making of some hundred types and patterns.

:class:`NamedTuple` is ``typing``'s to whoever checks types and behaves as it does; making one takes a third of the
time, for its annotations are kept as they are written and not compiled one by one. :class:`Frozen` takes the place
of a frozen dataclass, whose making compiles several methods (and whose module imports ``inspect``).
:func:`pattern` is ``re.compile`` put off until the pattern is first used: a run uses a third of them.
"""

from __future__ import annotations

import re
from collections import namedtuple
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class _Maker(type):
        """Makes a named tuple of a class body, as ``typing`` does."""

        def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(mcs, name, bases, body)
            annotations = body.get("__annotations__", {})
            defaults = [body[field] for field in annotations if field in body]
            made = namedtuple(name, annotations, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in made._fields:
                    setattr(made, key, value)
            return made

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

    def __repr__(self) -> str:
        shown = ", ".join(f"{field}={getattr(self, field)!r}" for field in self._fields)
        return f"{type(self).__qualname__}({shown})"


_SLOTS = "_source _flags _compiled findall finditer fullmatch match search split sub subn"


class _Pattern:
    """A regular expression that is compiled when one of its methods is first asked for."""

    __slots__ = tuple(_SLOTS.split())

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # asked by whoever copies or prints it
            raise AttributeError(name)
        if name == "_compiled":  # not yet
            self._compiled = re.compile(self._source, self._flags)
            return self._compiled
        method = getattr(self._compiled, name)
        if name in _Pattern.__slots__:  # from now on it is found without this detour
            setattr(self, name, method)
        return method


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern ``source``, compiled when it is first used. Raises :class:`re.error` only then."""
    return _Pattern(source, flags)  # type: ignore[return-value]
