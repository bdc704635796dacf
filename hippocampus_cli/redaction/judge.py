"""Whether a value can be a secret: it is not an example, a hash, a name, a path, a date, a word. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.rules import (
    CODE,
    HARMLESS,
    HARMLESS_INSIDE,
    HARMLESS_NAMES,
    HARMLESS_START,
    LISTS,
    PIN,
    TOKEN,
)

_LONGEST, _LONGEST_KEY = 300, 20_000  # characters
_EXAMPLES, _GAPS, _OPEN_STARTS = LISTS["examples"], LISTS["gaps"], LISTS["open-starts"]
_PLAIN = frozenset(LISTS["plain"])
_SENTENCE = pattern(
    r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]"
)  # written without spaces
_FORMATTED = pattern(r"\{\w[\w.]*(?:[!:}\[(]|$)|\{_")
_HEX = pattern(r"(?:0x)?[0-9a-fA-F]+")
_OPEN_RUN = pattern(
    r"(?:0x)?[0-9a-fA-F]+|1[\w-]{32}|1[\w-]{43}|.*[0-9A-F]{32}.*"
    r"|[1-9A-HJ-NP-Za-km-z]{34}|[1-9A-HJ-NP-Za-km-z]{43,44}"  # the address of a wallet
)
_HUMP = pattern(r"[a-z]{4,}")
_YEAR = pattern(r"(?:19|20)\d\d-[01]\d-")
_NAME = pattern(
    r"[A-Za-z_][A-Za-z_]*(?:\.[A-Za-z_]\w*)+(?:!|\.\*)?|[A-Za-z_][\w.]*[(\[].*|[A-Z]+(?:_[A-Z]+)+"
)
_TITLED = pattern(r"(?:[A-Z][a-z]+[.])+[A-Z]?[a-z]+\d{1,4}")  # Copper.Kettle9 is no attribute
_DIGITS = pattern(r"\d++(?:[- ]\d++)*+[A-Z]?[#*]?")
_ENCODED = pattern(r"[A-Za-z0-9+/_-]+={0,2}")
_COUNTED = pattern(r"[A-Za-z]+[-_:.]\d+")
_ODD = pattern(r"[!@#$%^&*?+=~]")
_PARTS = pattern(r"[-_]")


def is_instance(value: str) -> bool:
    """Whether a value only holds the place of a secret: an example, a gap to fill in, a reference."""
    lowered = value.lower()
    if value.endswith(("EXAMPLE", "EXAMPLEKEY")):  # as a cloud's documentation writes them
        return True
    if _SENTENCE.search(value) or _FORMATTED.search(value) or any(map(lowered.count, _GAPS)):
        return True
    letters = lowered.replace("-", "").replace("_", "")
    if len(set(letters[-12:])) < 4 and len(letters) > 5 and not letters.isdecimal():
        return True
    counted = sum(ord(after) - ord(char) == 1 for char, after in pairwise(lowered[:_LONGEST]))
    shown = sum(len(word) for word in _EXAMPLES if word in lowered)
    return 2 * (counted + shown) > len(value)


def is_scrambled(value: str) -> bool:
    """Whether nobody would write a value by hand: letters of both cases and digits, changing all the time."""
    reads = sum(map(len, _HUMP.findall(value))) > 0.3 * len(value)  # words, as in a symbol
    if reads or _OPEN_RUN.fullmatch(value) or value.startswith(_OPEN_STARTS):
        return False
    mixed = "".join(filter(str.isalnum, max(_PARTS.split(value), key=len)))
    if len(mixed) < 20 or len({*map(_class, mixed)}) < 3:
        return False
    return _changes(mixed) >= 0.42 * len(mixed)


def can_be(value: str, kind: str, *, explicit: bool, quoted: bool, alone: bool) -> bool:
    """Whether a value can be what a word announces.

    ``explicit``: a colon or the like was between them; ``quoted``: the value was in quotation marks; ``alone``:
    nothing follows it.
    """
    if not value or len(value) > _LONGEST_KEY or is_instance(value):
        return False
    if len(value) > _LONGEST:
        return kind == TOKEN and explicit and bool(_ENCODED.fullmatch(value))
    if _is_harmless(value, kind, quoted):
        return False
    if kind == PIN:
        value = value.rstrip("#*")
        return value.isdecimal() and 3 <= len(value) <= 10 and (len(value) >= 4 or explicit)
    if kind == CODE:
        return _can_be_code(value, explicit)
    if kind == TOKEN:
        return _can_be_token(value, explicit, quoted)
    return _can_be_password(value, explicit, quoted, alone)


def _is_harmless(value: str, kind: str, quoted: bool) -> bool:
    """Whether a value says something else: a setting, a date, a path, a name of a program."""
    if kind == CODE and value[0].isdecimal():
        return _YEAR.match(value) is not None
    bare = value.lower().strip("\"'`*_()[]{}.,;:!?")
    if re.split(r"[/:~]", bare)[-1] in _PLAIN or not bare:
        return True
    if value.isdecimal():
        return False
    if HARMLESS_START.match(value) or HARMLESS.fullmatch(value) or HARMLESS_INSIDE.search(value):
        return True
    if not _NAME.fullmatch(value) or _TITLED.fullmatch(value) or _digits(value) > 3:
        return False
    return not quoted


def is_telling(value: str) -> bool:
    """Whether a value has letters, and digits or signs that words do not have."""
    mixed = _digits(value) or _ODD.search(value[:-1])
    return bool(mixed) and any(map(str.isalpha, value))


def _can_be_code(value: str, explicit: bool) -> bool:
    digits = _digits(value)
    if _DIGITS.fullmatch(value):
        return 4 <= digits <= 16
    return digits > 0 and _can_be_password(value, explicit, False, False)


def _can_be_token(value: str, explicit: bool, quoted: bool) -> bool:
    if HARMLESS_NAMES.fullmatch(value):
        return False
    digits, letters = _digits(value), sum(map(str.isalpha, value))
    if len(value) < 16:
        if not explicit or _HEX.fullmatch(value) or _COUNTED.fullmatch(value):
            return False
        odd = digits > 1 or digits + letters < len(value)
        wordy = not quoted and is_wordy(value)
        return digits > 0 and letters > 1 and odd and not wordy
    if not digits:
        return len(value) >= 20 and value.isascii() and _changes(value) >= 0.38 * len(value)
    return letters >= 2 and not is_wordy(value) and value.isascii()


def _can_be_password(value: str, explicit: bool, quoted: bool, alone: bool) -> bool:
    if len(value) < 4 or "://" in value:
        return False
    digits, letters = _digits(value), sum(map(str.isalpha, value))
    if digits == len(value):
        return explicit or len(value) >= 16
    if letters == len(value):
        return _can_be_word(value, explicit, quoted, alone)
    parts = _PARTS.split(value)
    if all(map(str.isalpha, parts)):
        return _can_be_words(value, parts, explicit, quoted, alone)
    if not letters:
        return explicit and len(value) >= 6 and digits >= 4
    return len(value) >= (5 if explicit else 6)


def _can_be_words(value: str, parts: list[str], explicit: bool, quoted: bool, alone: bool) -> bool:
    """A password of words between hyphens or low lines."""
    if not value.islower():
        return quoted or (alone and not all(map(str.istitle, parts)))
    return len(parts) >= 3 and "-" in value and (alone or quoted)


def _can_be_word(value: str, explicit: bool, quoted: bool, alone: bool) -> bool:
    """A password without a digit: only where nothing else can be meant."""
    if len(value) < 5 or (value.isupper() and not quoted):
        return False
    return (explicit and alone) or quoted


def is_wordy(value: str) -> bool:
    """Whether a value is words between marks: an identifier, a slug, a host, a model's name."""
    parts = re.split(r"[-_./:,#]", value.strip("\"'"))
    if len(parts) < 2 or not any(map(str.isalpha, value)):
        return False
    plain = sum(len(part) for part in parts if _is_plain(part))
    return plain + len(parts) - 1 >= 0.75 * len(value)


def _is_plain(part: str) -> bool:
    if len(part) < 4 or (part.isdecimal() and len(part) < 12):
        return True
    return part.islower() and part.rstrip("0123456789").isalpha() and _digits(part) < 3


def _digits(value: str) -> int:
    return sum(map(str.isdigit, value))


def _changes(value: str) -> int:
    """How often the class of a character is another than that of the one before."""
    return sum(_class(char) != _class(after) for char, after in pairwise(value))


def _class(char: str) -> str:
    return "d" if char.isdigit() else "u" if char.isupper() else "l" if char.isalpha() else "s"
