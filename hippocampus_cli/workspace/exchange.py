"""Two files change places in one step, or one takes a place that is still free (``renameat2(2)``; Linux).

What was in the place is not gone then, as it is after a plain rename: it can be looked at, and put back. The
standard library does not offer the call; ``ctypes`` costs a query three milliseconds, its core, used here, half
of one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

FREE, EXCHANGE = 1, 2  # RENAME_NOREPLACE, RENAME_EXCHANGE
_HERE = -100  # AT_FDCWD: a relative path starts at the current folder
_Call = Callable[[int, bytes, int, bytes, int], int]


def rename(source: Path, target: Path, how: int) -> bool:
    """Whether ``source`` was renamed as :data:`FREE` or :data:`EXCHANGE` say; ``False``: it cannot be done
    here.

    Raises :class:`FileExistsError` where the place is not free, :class:`FileNotFoundError`.
    """
    call = _renameat2()
    if call is None or not call(_HERE, os.fsencode(source), _HERE, os.fsencode(target), how):
        return call is not None
    import _ctypes

    number = _ctypes.get_errno()
    error = OSError(number, os.strerror(number), str(target))
    if isinstance(error, (FileExistsError, FileNotFoundError)):
        raise error
    return False


@cache
def _renameat2() -> _Call | None:
    try:
        import _ctypes

        return _declared(_ctypes.dlsym(_ctypes.dlopen("", 0), "renameat2"))
    except (ImportError, AttributeError, OSError, TypeError):
        return None


def _declared(address: int) -> _Call:
    import _ctypes

    class Int(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "i"

    class Bytes(_ctypes._SimpleCData):  # type: ignore[type-arg]
        _type_ = "z"

    class Function(_ctypes.CFuncPtr):
        _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
        _restype_ = Int
        _argtypes_ = (Int, Bytes, Int, Bytes, Int)

    return Function(address)
