"""What secrets look like, from the tables in ``data``: formats, places, words that announce one.

A rule is found by what its texts always hold (``sign``), which costs next to nothing where it is not there; only then
is its pattern compiled. Formats that are public by design (publishable keys, account numbers, public halves of a
pair) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple, pattern

PASSWORD, PIN, CODE, TOKEN = "password", "pin", "code", "secret"
"""The kinds of values that are judged."""

JUDGED_AS = {
    **dict.fromkeys(("passphrase", "passcode", "app", "user", "login"), PASSWORD),
    **dict.fromkeys(("key", "bearer", "auth", "cookie"), TOKEN),
    "combination": CODE,
}
"""The kinds of words whose values are judged as those of another."""

_DATA = Path(__file__).parent / "data"
_NAME = re.compile("<([A-Z][A-Z-]+)>")


def _rows(name: str) -> Iterator[list[str]]:
    """The rows of a data file, which say what is in it in the lines that begin with ``#``."""
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _words(words: str) -> Iterator[str]:
    """Each word of a list; where one is several, also without what stands between them."""
    for word in words.split(", "):
        yield word
        yield word.replace(" ", "")


LISTS = {name: tuple(words.split("|")) for name, words in _rows("lists.txt")}
"""Words by what they tell."""

ANNOUNCING: dict[str, dict[str, str]] = {}
"""The words that announce a secret, in lower case, and what kind of value follows, by what they have in common."""
for _sign, _kind, _text in _rows("words.txt"):
    ANNOUNCING.setdefault(_sign, {}).update(dict.fromkeys(_words(_text), _kind))


def _parts(name: str) -> dict[str, str]:
    """The named parts of the patterns in a data file."""
    parts = {key.upper(): "|".join(words) for key, words in LISTS.items()}
    for row in _rows(name):
        if len(row) == 3:
            parts[row[0]] = _whole(row[2], parts)
    return parts


def _whole(source: str, parts: dict[str, str]) -> str:
    """``source`` with its named parts in their places."""
    return _NAME.sub(lambda name: parts[name[1]], source)


class SecretRule(NamedTuple):
    """A pattern whose last group, or the whole of it, is a secret if ``test`` says so; ``sign`` is part of its texts.

    ``near`` is a word (in lower case) that must stand shortly before it.
    """

    kind: str
    test: str
    sign: str
    pattern: re.Pattern[str]
    near: str = ""


_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=[\[;\d]\dm)|(?<=\[m)|(?<=\\[nrt]))"
"""Nothing that a key could go on from; the ``m`` ends a colour of a terminal, the letters stand for an escape."""


def _format(kind: str, sign: str, source: str, condition: str = "random") -> SecretRule:
    near = condition.removeprefix("near ") if condition.startswith("near ") else ""
    return SecretRule(kind, "random" if near else condition, sign, pattern(_BEFORE + source), near)


FORMATS = tuple(_format(*row) for row in _rows("formats.txt"))
"""The published formats. All hold at least 20 characters without white space."""

_PARTS_OF_PLACES = _parts("places.txt")
PLACES = tuple(
    SecretRule(kind, test, sign, pattern(_whole(source[0], _PARTS_OF_PLACES)))
    for kind, test, sign, *source in _rows("places.txt")
    if source
)
"""Where a secret stands, whatever it looks like."""


class ValueForm(NamedTuple):
    """How a value stands beside a word of one of ``kinds``: behind it, or ``before`` it; ``test`` judges it."""

    kinds: tuple[str, ...]
    test: str
    before: bool
    pattern: re.Pattern[str]


_PARTS_OF_FORMS = _parts("forms.txt")
FORMS = tuple(
    ValueForm(
        tuple(_whole(kinds, _PARTS_OF_FORMS).split()),
        test,
        side == "before",
        pattern(_whole(source[0], _PARTS_OF_FORMS), re.IGNORECASE),
    )
    for kinds, test, side, *source in _rows("forms.txt")
    if source
)
"""In the order in which they are tried."""


def _harmless(how: str) -> re.Pattern[str]:
    return pattern("|".join(f"(?:{row[1]})" for row in _rows("harmless.txt") if row[0] == how))


HARMLESS = _harmless("whole")
HARMLESS_START = _harmless("start")
HARMLESS_INSIDE = _harmless("inside")
HARMLESS_NAMES = _harmless("name")
