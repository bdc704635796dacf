"""The ``<!-- hx: key=value | ... -->`` comment: its spans, its escapes, its typed values (D1, INDEX §5.2, §13).

``|`` ends a field, ``,`` a list item, ``>`` could end the comment (``-->``), a line break ends a line, ``§``
starts a section name, and a space at the end of a path would be lost. In a value they are written as ``%7C``,
``%2C``, ``%3E``, ``%0A``, ``%0D``, ``%C2%A7``, ``%20``, and a backtick as ``%60``. A byte that is no UTF-8, as names
of files may have, is written ``%FF``, so that the index stays UTF-8; codes that spell a character (``%C3%A9``) are
text. A ``%`` is escaped (``%25``) only where it would otherwise read as such a code: ``100%`` stays as it is.

Reading never raises: a value that cannot be read is ``None``, and ``checks`` reports it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator
from datetime import date, datetime
from enum import StrEnum
from itertools import count

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.markdown.safe import bytes_spelled

_CODES = {
    "%": "25",
    "|": "7C",
    ",": "2C",
    ">": "3E",
    "\n": "0A",
    "\r": "0D",
    "§": "C2%A7",
    "`": "60",
    " ": "20",
}
_CHARS = {code: char for char, code in _CODES.items()}
_ESCAPE = pattern(
    r"%(25|7C|2C|3E|0A|0D|60|20|C2%A7)|(?:(?!%C2%A7)%[89A-F][0-9A-F])+", re.IGNORECASE
)

FIELD = "|>\n\r"
LIST_ITEM = FIELD + ","
POINTER = "|\n\r§`"


def escape(text: str, special: str) -> str:
    """``text`` with every character of ``special`` written as its code; :func:`unescape` is the inverse."""
    raw = bytes_spelled(text) != text

    def guarded(match: re.Match[str]) -> str:
        codes = match.group()
        return codes.replace("%", "%25") if raw or _char(match) != codes else codes

    escaped = re.sub(
        f"[{re.escape(special)}]",
        lambda match: "%" + _CODES[match.group()],
        _ESCAPE.sub(guarded, text),
    )
    return bytes_spelled(escaped)


def unescape(text: str) -> str:
    """``text`` with the codes of this module read back; every other ``%`` is left alone."""
    return _ESCAPE.sub(_char, text) if "%" in text else text


def _char(found: re.Match[str]) -> str:
    """What the codes mean: a character, or bytes that are not UTF-8; otherwise the codes themselves."""
    codes = found.group()
    if found[1]:
        return _CHARS[found[1].upper()]
    text = bytes.fromhex(codes.replace("%", "")).decode("utf-8", "surrogateescape")
    return text if 3 * len(text) == len(codes) else codes


_OPEN = pattern(r" {0,3}<!--[ \t]*hx:")
_LEADING_ID = pattern(r"<!--[ \t]*hx:\s*id[ \t]*=[ \t]*([^|>\s]+)\s*(?:\||-->)")
_KEY = pattern(r"\s*([A-Za-z_][\w.-]*)\s*=[ \t]*")


class Item(NamedTuple):
    """One ``key=value``; ``value`` is raw text, ``value_start`` and ``value_end`` its place in the comment."""

    key: str
    value: str
    start: int
    value_start: int
    value_end: int


def leading_id(comment: str) -> str | None:
    """The raw ``id`` where it is the first field: the id of every entry is needed, the other fields seldom."""
    match = _LEADING_ID.match(comment)
    return match[1] if match else None


def items(comment: str) -> list[Item]:
    """The fields of a comment in order. Pieces that are no ``key=value`` are skipped (see :func:`junk`)."""
    fields: list[Item] = []
    for start, end in _pieces(comment):
        if key := _KEY.match(comment, start, end):
            value_start = min(key.end(), end)
            value = comment[value_start:end].rstrip()
            fields.append(Item(key[1], value, start, value_start, value_start + len(value)))
    return fields


def junk(comment: str) -> list[str]:
    """Non-empty pieces of a comment that are no ``key=value``."""
    pieces = (comment[start:end].strip() for start, end in _pieces(comment))
    return [piece for piece in pieces if piece and not _KEY.match(piece)]


def with_value(comment: str, key: str, value: str) -> str:
    """``comment`` with ``key`` set to the raw ``value``: replaced in place, or added at the end.

    An empty value removes each such field and the separator before it (after it, for the first field).
    """
    item = next((item for item in items(comment) if item.key == key), None)
    if item and value:
        return comment[: item.value_start] + value + comment[item.value_end :]
    end = _body(comment)[1]
    if item:
        after = comment.find("|", item.value_end, end)
        rest = comment[: item.start] + comment[item.value_end if after < 0 else after + 1 :]
        if comment[item.start - 1] == "|":
            rest = comment[: item.start - 1].rstrip() + comment[item.value_end :]
        return with_value(rest, key, "")  # it may stand twice
    if not value:
        return comment
    before, rest = comment[:end].rstrip(), comment[len(comment[:end].rstrip()) :]
    lead = " " if before.endswith("hx:") else " | "
    return f"{before}{lead}{key}={value}{rest}"


def _body(comment: str) -> tuple[int, int]:
    opened = _OPEN.match(comment)
    start = opened.end() if opened else 0
    end = comment.rfind("-->")
    return start, end if end >= start else len(comment)


def _pieces(comment: str) -> Iterator[tuple[int, int]]:
    """Where the pieces between the separators begin and end."""
    start, stop = _body(comment)
    for piece in comment[start:stop].split("|"):
        yield start, start + len(piece)
        start += len(piece) + 1


REQUIRED = ("id", "created")
"""Fields that have no default (INDEX §5.2): `accessed` is `created`, `hits` 0, `str` what is left of 1."""
_DATE = pattern(r"\d{4}-\d\d-\d\d$")
_ID = pattern(r"[^\W_]+", re.UNICODE)


class Priority(StrEnum):
    """``pri``: amygdala never decays, high a third as fast as normal, low twice as fast (decisions D10, D22)."""

    AMYGDALA = "amygdala"
    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


RISING_PRIORITIES = (Priority.LOW, Priority.NORMAL, Priority.HIGH, Priority.AMYGDALA)


class Source(StrEnum):
    """``src``: how the entry came to be."""

    DEFRAG = "defrag"
    MANUAL = "manual"
    RETRIEVAL = "retrieval"
    AUTO = "auto"


def read_text(raw: str) -> str:
    """A plain value, unescaped, on one line."""
    return " ".join(unescape(raw).split())


def write_text(value: str) -> str:
    """A plain value for a metadata comment."""
    return escape(" ".join(value.split()), FIELD)


def read_list(raw: str) -> tuple[str, ...]:
    """A comma-separated value; empty items are dropped, order is kept."""
    return tuple(text for piece in raw.split(",") if (text := read_text(piece)))


def write_list(values: Iterable[str]) -> str:
    """Values as one comma-separated field."""
    return ",".join(escape(" ".join(value.split()), LIST_ITEM) for value in values if value.strip())


def read_date(raw: str) -> date | datetime | None:
    """An ISO date, or an ISO date-time, which stays one (decision D9)."""
    try:
        return date.fromisoformat(raw) if _DATE.match(raw) else datetime.fromisoformat(raw)
    except ValueError:
        return None


def day_of(moment: date | datetime | None) -> date | None:
    """The day of a date or a date-time."""
    return moment.date() if isinstance(moment, datetime) else moment


def read_day(raw: str) -> date | None:
    """The day of a date or a date-time that is written."""
    return day_of(read_date(raw))


def write_date(value: date | datetime) -> str:
    """A date as ``YYYY-MM-DD``, a date-time in ISO form to the second."""
    return value.isoformat("T", "seconds") if isinstance(value, datetime) else value.isoformat()


def read_int(raw: str) -> int | None:
    """A whole number of zero or more."""
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 16 else None


def read_float(raw: str) -> float | None:
    """A finite number, not clamped."""
    try:
        value = float(raw)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def read_unit(raw: str) -> float | None:
    """A number, as one from 0 to 1."""
    value = read_float(raw)
    return None if value is None else min(1.0, max(0.0, value))


def write_strength(value: float, digits: int = 2) -> str:
    """A strength with two decimals; a base with up to four, without trailing zeros."""
    return max(f"{value:.2f}", f"{value:.{digits}f}".rstrip("0"), key=len)


def slug(text: str, limit: int = 40) -> str:
    """``text`` as an id: lower case, words joined by ``-``, cut at a word within ``limit`` characters."""
    words = _ID.findall(text.casefold())[:limit] or ["entry"]
    while len(words) > 1 and len("-".join(words)) >= limit:
        words.pop()
    return "-".join(words)[:limit]


def free_id(wanted: str, taken: Container[str], sign: str = "-") -> str:
    """``wanted``, or ``wanted-2``, ``wanted-3`` ... where it is taken."""
    if wanted not in taken:
        return wanted
    names = (f"{wanted}{sign}{number}" for number in count(2))
    return next(name for name in names if name not in taken)


_CLOSING = pattern(r"(?:#+\s)+")
_LEADING = pattern(
    r"(?:\s|[#→`~<>|+*=_-]++(?![\w(]))+|->|→|<!--|```+|~~~+|#+(?=\s|$)|[-*+](?=\s)|\d+[.)](?=\s)"
)


def plain_line(text: str) -> str:
    """``text`` on one line, without what would make it a heading, a list, a fence, a comment or a pointer."""
    line = " ".join(bytes_spelled(text).replace("\ufeff", "").split())
    start = 0
    while found := _LEADING.match(line, start):
        start = max(start + 1, found.end())
    closing = _CLOSING.match(line[::-1])  # matched at the end: a search would try every position
    return line[start : len(line) - (closing.end() if closing else 0)].lstrip()
