"""What JavaScript does with texts and numbers, where Python does something else."""

from __future__ import annotations

import json
import math
import re
from decimal import ROUND_HALF_UP, Decimal

_WHITE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDEX = re.compile(r"0|[1-9]\d{0,9}")


def length(text: str) -> int:
    """The length in UTF-16 code units."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


def cut(text: str, units: int) -> str:
    """The first code units; half a character can be left at the end."""
    if text.isascii() or len(text) == length(text):
        return text[:units]
    encoded = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return encoded.decode("utf-16-le", "surrogatepass")


def tokens(text: str) -> int:
    """The reference's estimate: a quarter of the length, rounded up."""
    return -(-length(text) // 4)


def trim(text: str) -> str:
    """The text without white space around it."""
    return text.strip(_WHITE)


def fixed(value: float, digits: int) -> str:
    """``toFixed``: exact ties go away from zero."""
    if not math.isfinite(value):
        return number(value)
    step = Decimal(1).scaleb(-digits)
    return str(Decimal(value).quantize(step, ROUND_HALF_UP))


def number(value: float) -> str:
    """A number as text: 1.0 is ``1``, and an exponent begins at 1e21 and below 1e-6."""
    if isinstance(value, int) and abs(value) < 2**53:
        return str(int(value))
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    exact = float(value)
    if exact == 0:
        return "0"
    if 1e-6 <= abs(exact) < 1e21:
        text = format(Decimal(repr(exact)), "f")
        return text.removesuffix(".0")
    mantissa, _, exponent = repr(exact).partition("e")
    power = int(exponent)
    return f"{mantissa.removesuffix('.0')}e{'+' if power > 0 else '-'}{abs(power)}"


def stringify(value: object) -> str:
    """``JSON.stringify`` of a value that came from JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number(value) if math.isfinite(value) else "null"
    if isinstance(value, str):
        return _SURROGATE.sub(_escaped, json.dumps(value, ensure_ascii=False))
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(stringify, value))}]"
    assert isinstance(value, dict)
    # Keys that are array indices come first, in their order.
    keys = sorted(filter(_INDEX.fullmatch, value), key=int)
    keys += [key for key in value if not _INDEX.fullmatch(key)]
    return "{" + ",".join(f"{stringify(key)}:{stringify(value[key])}" for key in keys) + "}"


def to_number(value: object) -> float:
    """A value where a number is needed: null is 0, what is no number is NaN."""
    if value is None:
        return 0.0
    if isinstance(value, (bool, int, float)):
        return float(value)
    if isinstance(value, str):
        try:
            return float(trim(value) or "0")
        except ValueError:
            return math.nan
    return math.nan


def maximum(first: float, second: float) -> float:
    """``Math.max``: NaN wins."""
    return math.nan if math.isnan(first) or math.isnan(second) else max(first, second)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
