"""Whether a value can be a secret: it is not an example, a hash, a name, a path, a date, a word. Pure."""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from itertools import pairwise

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.rules import (
    CODE,
    GAPS,
    INSTANCES,
    OPEN_STARTS,
    PIN,
    PLAIN_WORDS,
    TOKEN,
)

_UUID = pattern(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = pattern(r"(?:0x)?[0-9a-fA-F]+")
_HASHED = pattern(
    r"\$(?:2[abxy]|1|5|6|apr1|argon2\w*|scrypt|pbkdf2\S*|y)\$|\{S?SHA|pbkdf2_|scrypt:|sha\d+[-:$]"
)
_DATE = pattern(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ]?[\d:.Z+-]*)?|\d{1,2}:\d\d(?::\d\d)?")
_VERSION = pattern(r"[vV]?\d+(?:\.\d+)+(?:[-+][\w.]+)?|[vV]\d+")
_UNIT = r"(?:[kKmMgG]?[bB]|[kKmM]|%|ms|s|min|h|d|days?|hours?|chars?|bits?|bytes?|x|€|\$)?"
_MEASURE = pattern(
    rf"[~<>≤≥≈]?[$€£¥]?\d+(?:[.,]\d+)*\s?{_UNIT}(?:[-–][$€£¥]?\d+(?:[.,]\d+)*\s?{_UNIT})?\+?(?:/[\d.,]*[a-zA-Z]{{0,8}})?"
)
_NAME = pattern(
    r"[A-Za-z_][A-Za-z_]*(?:\.[A-Za-z_]\w*)+(?:!|\.\*)?|[A-Za-z_][\w.]*[(\[].*|[A-Z]+(?:_[A-Z]+)+"
)
_SNAKE = pattern(r"_*[a-z]+(?:_+[a-z]+)*_*\d{0,2}|[a-z]+(?:-[a-z]+)*\d{0,2}")
_CALLED = pattern(
    r"(?i)(?:pass|user|input|field|value|param|arg|config|env|secret|token|key|cred|auth|data|self|this)"
)
_PATH = pattern(
    r"(?:~|\.{1,2})?/[\w./:*{}-]*|[A-Za-z]:\\.*|[\w.-]*(?:/[\w.-]+)*\.(?:md|txt|json|ya?ml|toml|py|sh|js|ts|env|cfg|ini|pem|key|log|csv|html?|sql|gpg|age|kdbx|enc|pub|crt|conf)(?:[._-][\w.*-]+)?"
)
_MAIL = pattern(r"[\w.+-]+@[\w-]+\.[\w.]+")
_PUBLIC = pattern(
    r"ssh-\w+|AAAA[BC3]|pk_(?:live|test)_|phc_|0x[0-9a-fA-F]{40}(?!\w)|[xyz]pub|age1[a-z0-9]{20}|op://|arn:|vault:|env:|secret://|projects/"
)
_FORMATTED = pattern(r"\{\w[\w.]*(?:[!:}\[(]|$)|\{_")
_WORD = pattern(
    r"(?<![A-Za-z0-9])(?:[A-Z]?[a-z]{2,12}|[A-Z]{2,12})(?![A-Za-z0-9])|[A-Z][a-z]{2,12}(?![a-z])"
)
_ALONE = pattern(r"(?:\w/)+\w")  # T/B/D
_SENTENCE = pattern(
    r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]"
)  # written without spaces
_PROGRAM = pattern(
    r"\\[sSdDwWb.()\[\]]|\[\^|\(\?|[\])][*+?$]|\]\{|\.\{|&[\w.]+=|\w\?\.\w|\]\(|\\n\\n|^![a-z]+$|^\?\w+=|^:|^\*\*|^[\w.#]+\([^)]*$|[\"']\)"
)
_CONSTANT = pattern(
    r"(?=(?:.*[A-Z]{3}){2})[A-Z][A-Z0-9]*(?:_[A-Z][A-Z0-9]*)+(?:_\d{1,3})?(?:=.*)?|\d{1,4}_[A-Z]+"
)
_PLACE = pattern(r"\[?[a-z]{4,}(?:[-_.][a-z\d]+)*(?:/[\w.#*-]+)+/?\]?|/[a-z]+/.*")
_DEEP = pattern(r"[A-Za-z][a-z]{2,}(?:[-_.][a-z\d]+)*(?:/[\w.#*-]+){2,}/?|[a-z]{4,}/[a-z\d-]+/")
_ADDRESS = pattern(
    r"[a-z]{3,}(?::{1,2}[\w@.+-]+){2,}|[a-z]{3,}::\w+|[a-z]{3,}:(?:\d{2,5}|[a-z.-]+)|[a-z]+(?:[,:][a-z]+)+"
    r"|[\w./-]+\.\w{1,5}:\d+(?:-\d+)?"
)
_ALGORITHM = pattern(
    r"(?i:(?:hmac-)?(?:rsa|aes|sha|hmac|ecdsa|ed|secp))[-_]?\d{2,5}[\w-]{0,8}|[A-Z]{2,6}(?:-\d{1,4}){2,3}|[A-Z]{2,8}(?:-[A-Z]{2,8})+-\d{1,5}"
)
_COUNTED = pattern(r"[A-Za-z]+[-_:.]\d+")
_NUMBERED = pattern(r"[A-Z]{2,8}(?:-[A-Z]{2,8})*-\d{1,5}")
_IDENTIFIER = pattern(r"[A-Z]?[a-z]+(?:(?:\d{1,3}_?|_)?[A-Z][a-z]+|\d{0,3}_[a-z]+)+\d{0,8}")
_GUID = pattern(r"[0-9A-F]{32}")
_HUMP = pattern(r"[a-z]{4,}")
_DOCUMENT = pattern(r"1[\w-]{32}|1[\w-]{43}")  # an id of a file at Google
_TELLING = pattern(r"[!@#$%^&*?+=~]")
_TITLED = pattern(r"(?:[A-Z][a-z]+[.])+[A-Z]?[a-z]+\d{1,4}")  # Copper.Kettle9 is no attribute
_VARIABLE = pattern(r"[$%@][A-Z][A-Z0-9_]+[\"'%]*$")
_CODE_POINT = pattern(r"0x[0-9a-fA-F]{1,16}")
_DIGITS = pattern(r"\d++(?:[- ]\d++)*+[A-Z]?[#*]?")
_ENCODED = pattern(r"[A-Za-z0-9+/_-]+={0,2}")
_LONGEST, _LONGEST_KEY = 300, 20_000  # characters
_SETTING = pattern(r"[A-Za-z_]+=(?:[A-Za-z_,]+|[\d.,]+[kKmM%]?)")
_PARTS = pattern(r"[-_]")


def is_instance(value: str) -> bool:
    """Whether a value only holds the place of a secret: an example, a gap to fill in, a reference."""
    lowered = value.lower()
    if value.endswith(("EXAMPLE", "EXAMPLEKEY")):  # as a cloud's documentation writes them
        return True
    if _SENTENCE.search(value):
        return True
    if any(one in lowered for one in GAPS) or ("{" in value and _FORMATTED.search(value)):
        return True
    letters = lowered.replace("-", "").replace("_", "")
    if len(set(letters[-12:])) < 4 and len(letters) > 5 and not letters.isdecimal():
        return True
    return any(one in lowered for one in INSTANCES) and _is_mostly_words(value)


def _is_mostly_words(value: str) -> bool:
    """Whether examples' words, counting (``1234``, ``abcd``) and plain words between marks are most of a value."""
    lowered = value.lower()
    plain = bytearray(len(lowered))
    for one in INSTANCES:
        at = lowered.find(one)
        while at >= 0:
            plain[at : at + len(one)] = b"x" * len(one)
            at = lowered.find(one, at + 1)
    for found in _WORD.finditer(value):
        plain[found.start() : found.end()] = b"x" * len(found[0])
    counted = 1
    for at in range(1, len(lowered)):
        counted = counted + 1 if _counts_on(lowered[at - 1], lowered[at]) else 1
        if counted >= 4:
            plain[at - counted + 1 : at + 1] = b"x" * counted
    whole = sum(map(str.isalnum, value))
    return (
        2 * sum(mark and char.isalnum() for mark, char in zip(plain, value, strict=False)) > whole
    )


def _counts_on(one: str, other: str) -> bool:
    return ord(other) - ord(one) == 1 or one + other in ("90", "09", "9a", "z0", "z1")


def entropy(value: str) -> float:
    """Bits a character, by how often each occurs in it."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values()) if size else 0.0


def is_random(value: str) -> bool:
    """Whether the characters of a long value are as mixed as those of a key."""
    return len(set(value)) >= min(10, len(value) // 2) and entropy(value) >= 2.8


def is_scrambled(value: str) -> bool:
    """Whether nobody would write a value by hand: letters of both cases and digits, changing all the time."""
    if (
        _HEX.fullmatch(value)
        or _UUID.fullmatch(value)
        or _GUID.search(value)
        or _reads(value)
        or value.startswith(OPEN_STARTS)
        or _DOCUMENT.fullmatch(value)
    ):
        return False
    longest = max(_PARTS.split(value), key=len)
    for part in longest.split("/"):
        longest = part if len(part) > len(longest) // 2 else longest
    classes = [_class(char) for char in longest if char.isalnum()]
    if len(classes) < 20 or len({*classes}) < 3 or entropy(value) < 4.0:
        return False
    if _is_base58(value) and len(value) in (34, 43, 44):
        return False
    changes = sum(one != other for one, other in pairwise(classes))
    return changes / len(classes) >= 0.42


def is_encoded(value: str) -> bool:
    """Whether a value is plain text in base64."""
    try:
        return base64.b64decode(value, validate=True).decode("ascii").isprintable()
    except ValueError:
        return False


def _reads(value: str) -> bool:
    """Whether runs of small letters, as words have them, are much of a value: a symbol, a name in a program."""
    return sum(map(len, _HUMP.findall(value))) > 0.3 * len(value)


def can_be(value: str, kind: str, *, explicit: bool, quoted: bool, alone: bool) -> bool:
    """Whether a value can be what a word announces.

    ``explicit``: a colon or the like was between them; ``quoted``: the value was in quotation marks; ``alone``:
    nothing follows it.
    """
    if (
        not value
        or len(value) > (_LONGEST if kind != TOKEN else _LONGEST_KEY)
        or is_instance(value)
        or _says_something(value, kind, quoted)
    ):
        return False
    if kind == TOKEN and len(value) > _LONGEST:
        return explicit and _ENCODED.fullmatch(value) is not None and is_random(value)
    if kind == PIN:
        value = value.rstrip("#*")
        return value.isdecimal() and 3 <= len(value) <= 10 and (len(value) >= 4 or explicit)
    if kind == CODE and _DIGITS.fullmatch(value):
        return 4 <= sum(map(str.isdigit, value)) <= 16 and (
            explicit or len(value) > 4 or value[:2] not in ("19", "20")
        )
    if kind == CODE and not any(map(str.isdigit, value)):
        return False
    if kind == CODE and re.fullmatch(r"[A-Za-z0-9]+(?:[- ][A-Za-z0-9]+)+", value):
        return sum(map(str.isdigit, value)) >= 4
    if kind == TOKEN:
        return _can_be_token(value, explicit, quoted)
    return _can_be_password(value, explicit, quoted, alone)


def _says_something(value: str, kind: str, quoted: bool) -> bool:
    lowered = value.lower().strip("\"'`*_()[]{}.,;:!?")
    if (
        not lowered
        or lowered in PLAIN_WORDS
        or value.startswith(("${", "$(", "#{", "--", "http:", "https:"))
    ):
        return True
    if _SETTING.fullmatch(value):
        return True
    if kind == CODE and value[0].isdecimal():
        return re.match(r"(?:19|20)\d\d-[01]\d-", value) is not None
    if (value[0] in "$%@" and value[1:].replace("_", "").isalpha()) or _VARIABLE.match(value):
        return True
    if re.split(r"[/:~]", lowered)[-1] in PLAIN_WORDS or _CODE_POINT.fullmatch(value):
        return True
    if (
        _HASHED.match(value)
        or _PUBLIC.match(value)
        or _DATE.fullmatch(value)
        or _MAIL.fullmatch(value)
    ):
        return True
    if _VERSION.fullmatch(value) or (
        kind != PIN and not value.isdecimal() and _MEASURE.fullmatch(value)
    ):
        return True
    if (
        _PATH.fullmatch(value)
        or _ALONE.fullmatch(value)
        or _DEEP.fullmatch(value)
        or _ADDRESS.fullmatch(value)
        or _ALGORITHM.fullmatch(value)
    ):
        return True
    if _PROGRAM.search(value) or _CONSTANT.fullmatch(value):
        return True
    if not _NAME.fullmatch(value) or _TITLED.fullmatch(value):
        return False
    return sum(map(str.isdigit, value)) < 4 and (
        not quoted or _CALLED.search(value) is not None or "(" in value
    )


def is_telling(value: str) -> bool:
    """Whether a value has letters, and digits or signs that words do not have."""
    mixed = any(map(str.isdigit, value)) or _TELLING.search(value[:-1]) is not None
    return mixed and any(map(str.isalpha, value))


def is_identifier(value: str) -> bool:
    """Whether a value is made as a program's names are: ``gatewayTlsSha256``."""
    return bool(_IDENTIFIER.fullmatch(value) or _CONSTANT.fullmatch(value))


def _can_be_token(value: str, explicit: bool, quoted: bool) -> bool:
    if len(value) < 8 or "://" in value or _SNAKE.fullmatch(value) or is_identifier(value):
        return False
    if _PLACE.fullmatch(value) or _NUMBERED.fullmatch(value):
        return False
    if len(value) < 16 and _HEX.fullmatch(value):  # of a commit, a job
        return False
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    if _UUID.fullmatch(value):
        return explicit
    if len(value) < 16:
        odd = len(value) - digits - letters
        return (
            explicit
            and not _COUNTED.fullmatch(value)
            and bool(digits)
            and letters > 1
            and (digits > 1 or bool(odd))
            and is_mixed(value)
            and (quoted or not is_wordy(value))
        )
    if not digits:
        changes = sum(one != other for one, other in pairwise(map(_class, value)))
        return len(value) >= 20 and changes >= 0.38 * len(value) and value.isascii()
    return letters >= 2 and is_random(value) and not is_wordy(value) and value.isascii()


def _can_be_password(value: str, explicit: bool, quoted: bool, alone: bool) -> bool:
    if len(value) < 4 or "://" in value:
        return False
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    if digits == len(value):
        return len(value) >= 4 if explicit else len(value) >= 16
    if letters == len(value):
        return _can_be_word(value, explicit, quoted, alone)
    parts = _PARTS.split(value)
    if all(part.isalpha() for part in parts):
        many = len(parts) >= 3 and "-" in value
        if (
            (explicit or quoted)
            and not (value.islower() or value.isupper())
            and is_mixed(value)
            and not _CALLED.search(value)
        ):
            return quoted or (alone and not all(part.istitle() for part in parts))
        return many and (explicit or quoted) and (alone or quoted)
    if not letters:
        return (
            explicit and len(value) >= 6 and digits >= 4 and not re.fullmatch(r"[\d.,:/ -]+", value)
        )
    if not digits and not explicit and not quoted:  # "the password is wrong;it" and the like
        return bool(re.search(r"[!@#$%^&*?+=~]", value[:-1])) and len(value) >= 6
    if (
        not digits
        and not (quoted and alone and "." in value[:-1])
        and re.fullmatch(r"[^\W\d_]++[.,:;!?/'’()…-]++(?:[^\W\d_]++)?[.,:;!?)…]*+", value)
    ):
        return False  # two words with a mark between them, or one with a mark behind it
    if re.fullmatch(r"\d+(?:st|nd|rd|th|[-/]\w+)", value, re.I):  # 8-character, 3rd, 24/7
        return False
    return len(value) >= (5 if explicit else 6)


def _can_be_word(value: str, explicit: bool, quoted: bool, alone: bool) -> bool:
    """A password without a digit: only where nothing else can be meant."""
    if not explicit and not quoted:
        changes = sum(one != other for one, other in pairwise(map(_class, value)))
        return len(value) >= 8 and changes >= 0.4 * len(value)
    if not value.isascii() or len(value) < 6:
        return (not value.isascii() or quoted) and len(value) >= 5 and alone
    inner_upper = not value.islower() and not value.istitle() and not value.isupper()
    if (inner_upper and _CALLED.search(value)) or (value.isupper() and not quoted):
        return False
    return alone or quoted


def is_mixed(value: str) -> bool:
    """Whether letters of both cases, digits and marks change often."""
    classes = [_class(char) for char in value]
    changes = sum(one != other for one, other in pairwise(classes))
    return changes >= max(2, len(value) // 6)


def is_wordy(value: str) -> bool:
    """Whether a value is words between marks: an identifier, a slug, a host, a model's name."""
    parts = re.split(r"[-_./:,#]", value.strip("\"'"))
    if len(parts) < 2 or not any(map(str.isalpha, value)):
        return False
    plain = sum(
        len(part)
        for part in parts
        if (
            part.islower()
            and part.rstrip("0123456789").isalpha()
            and sum(map(str.isdigit, part)) < 3
        )
        or (part.isdecimal() and len(part) < 12)
        or len(part) < 4
    )
    return plain + len(parts) - 1 >= 0.75 * len(value) and (
        value.islower() or not is_scrambled(value)
    )


def _is_base58(value: str) -> bool:
    return value.isalnum() and not set(value) & {"0", "O", "I", "l"}


def _class(char: str) -> str:
    return "d" if char.isdigit() else "u" if char.isupper() else "l" if char.isalpha() else "s"
