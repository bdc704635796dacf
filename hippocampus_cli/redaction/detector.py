"""Secrets in a text: keys in a published format, private keys, announced values, columns of tables. Pure.

Nothing is looked for that cheap signs do not promise: most texts cost a split at white space and a search for some
words. A value that a word announces (``password: …``) is judged by :mod:`judge`; a value that was found once is found
wherever else it is in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.announced import announced, signs_in
from hippocampus_cli.redaction.judge import (
    can_be,
    is_encoded,
    is_identifier,
    is_instance,
    is_mixed,
    is_random,
    is_scrambled,
    is_wordy,
)
from hippocampus_cli.redaction.programs import of_programs
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import (
    AMBIGUOUS,
    ANNOUNCING,
    FORMATS,
    LOCKS,
    PASSWORD,
    PIN,
    TOKEN,
)

_WORDS = "|".join(
    word
    for words in ANNOUNCING.values()
    for word, kind in words.items()
    if kind == PASSWORD and word not in AMBIGUOUS
)
_HEAD = pattern(
    r"(?:\w[\w/ -]{0,24}[ _/-]|[\u3400-\u9fff]{1,6})?"
    rf"(?P<word>passw(?:or[dt]|d)s|passphrase|passcode|secrets?|token|pin|puk|code"
    rf"|api[ _-]?key"
    rf"|access[ _-]?key|credentials?|key|{_WORDS})"
)
_SIGNS = frozenset(
    {"pass", "secret", "token", "pin", "puk", "code", "key", "cred"}
    | {sign for sign, words in ANNOUNCING.items() if PASSWORD in words.values()}
)
_RULED = pattern(r"[ \t]*+(?:\|[ \t]*+)?:?-[-| :\t]*+\r?(?:\n|$)")
_ROW = pattern(r"\|[^\n]*\n$")
_CELL_MARKS = " \t*_`\"'"
_PINS = ("pin", "puk")
_TOKENS = ("secret", "token", "key", "credential")
_BETWEEN = "|,;\t"


def in_columns(text: str, lowered: str, signs: Iterable[str]) -> Iterator[Span]:
    """The secrets below a head that announces them, in markdown tables and in values between commas.

    ``lowered`` is the text in lower case, as long as it is; ``signs`` are those of announcing words that it has.
    """
    heads = set()
    for sign in _SIGNS.intersection(signs):
        at = lowered.find(sign)
        while at >= 0:
            if _stands_between(lowered, at):
                heads.add(lowered.rfind("\n", 0, at) + 1)
            at = lowered.find(sign, at + len(sign))
    for start in sorted(heads):
        yield from _below(text, start)


def _stands_between(lowered: str, at: int) -> bool:
    """Whether a sign is in a short cell of a line that has several."""
    start, end = max(0, at - 30), at + 30
    around = lowered[lowered.rfind("\n", start, at) + 1 or start : end]
    return any(sign in around for sign in _BETWEEN)


def _below(text: str, start: int) -> Iterator[Span]:
    head, *_ = text[start : start + 400].split("\n", 1)
    sign = max(_BETWEEN, key=head.count)
    if sign != "|" and (head.rstrip().endswith(sign) or "'" in head or head[:1].isspace()):
        return  # a list in a program
    at = start + len(head) + 1
    if sign == "|" and not _RULED.match(text, at) and _ROW.search(text, max(0, start - 400), start):
        return  # a row in the middle of a table
    columns = _announcing(head, sign)
    while columns and at < len(text):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if not line.strip() or abs(line.count(sign) - head.count(sign)) > 1:
            return
        yield from _cells(line, sign, at, columns)
        at += len(line) + 1


def _announcing(line: str, sign: str) -> dict[int, str]:
    """The columns whose head is such a word, each with its kind; none where the line is no head."""
    cells = line.rstrip("\r").split(sign)
    if len([cell for cell in cells if cell.strip()]) < 2 or any(len(cell) > 40 for cell in cells):
        return {}
    found = {}
    for number, cell in enumerate(cells):
        head = cell.strip(_CELL_MARKS).lower()
        match = _HEAD.fullmatch(head)
        if match:
            found[number] = _kind_of(match["word"], line)
    if any(character.isdigit() for character in line):
        return {}
    return found


def _kind_of(word: str, line: str) -> str:
    """The kind of value below a head with this word; empty for a code that opens nothing."""
    if word.endswith("code") and word != "passcode":
        return PIN if LOCKS.intersection(re.findall(r"\w+", line.lower())) else ""
    if word.startswith(_TOKENS) or "key" in word:
        return TOKEN
    return PIN if word in _PINS else PASSWORD


def _cells(line: str, sign: str, at: int, columns: dict[int, str]) -> Iterator[Span]:
    for number, cell in enumerate(line.rstrip("\r").split(sign)):
        kind = columns.get(number)
        if kind:
            value = cell.strip(_CELL_MARKS)
            start = at + cell.find(value)
            if " " not in value and can_be(
                value, kind, explicit=kind != PIN, quoted=False, alone=True
            ):
                yield Span(start, start + len(value), kind)
        at += len(cell) + len(sign)


_NEAR = 160  # characters before a value
_LONG = 20  # characters without white space that every format has
_BARE = 32  # characters from which a random string is a secret without a word that says so
_MOST_BARE = 200
_CLASSES = bytes(
    120 if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "_-") else 32
    for byte in range(256)
)
_RUN = b"x" * 20
_BEFORE = r"(?:(?<![A-Za-z0-9])|(?<=[\[;\d]\dm)|(?<=\[m)|(?<=\\[nrt]))"
"""Nothing that the key could go on from; the ``m`` ends a colour of a terminal, the letters stand for an escape."""
_ARMOURED = pattern(
    r"-----BEGIN (?P<what>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----(?:(?!-----BEGIN).)*?-----END (?P=what)-----"
    r"|-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:\\n|[>|*\s])*+[A-Za-z0-9+/=:,-]{16,}+)*+",
    re.DOTALL,
)
_BODY = pattern(r"[A-Za-z0-9+/=]{16}")  # documentation shows one without
_PUTTY = pattern(r"(?<=Private-Lines: )\d+(?:\r?\n[A-Za-z0-9+/=]{4,})+")
_URL_LOGIN = pattern(
    r"://(?P<user>[^\s/:@\"'`<>]{0,80}):(?P<value>[^\s/\"'`<>]{4,200}?)@(?=[\w\[{$.-])"
)
_URL_TOKEN = pattern(r"://(?P<value>(?=[\w-]*\d)[\w-]{24,200})@(?=\w)")
_UUID = pattern(
    r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
)  # who may see the page may see it
_URL_VALUE = pattern(
    r"(?<!alt=media)[?&#](?:[\w.-]*(?:token|secret|password|passwd|pwd|api_?key|apikey|signature|credential|auth)|sig|key|code)"
    r"=(?P<value>[^\s&#\"'`<>)\]]{12,})",
    re.IGNORECASE,
)
_JWK = pattern(r"\"(?:k|d|p|q|dp|dq|qi)\"\s*:\s*\"(?P<value>[\w-]{20,2000})\"")
_PUBLIC_PART = pattern(
    r"\"(?:n|x|y|kid|x5\w{1,2})\"\s{0,20}:\s{0,20}\[?\s{0,20}\"$"
)  # of such a key
_WIFI = pattern(
    r"WIFI:[^\n]{0,200}?\bP:(?P<value>(?:\\.|[^;\\\n]){4,80});"
)  # what codes for cameras hold
_PGPASS = pattern(r"^[\w.*-]+:5432:[\w*-]+:[\w*-]+:(?P<value>[^\s:]{4,100})$", re.MULTILINE)
_NAMED = pattern(r"(?<![\w/])[`*]{0,2}[A-Za-z][\w.@-]{1,40}(?P<quote>[`*]{0,2})$")
_PASSED = pattern(
    r"[`*]{0,2}(?P<value>[^\s`|/]{8,80})[`*]{0,2}\s*(?=[|,;(]|\.(?=\s|$)|$|(?:and|und|on|for|auf)\b)",
    re.MULTILINE,
)
_TOLD = pattern(
    r"(?i)\d{1,3}(?:\.\d{1,3}){3}|://"
    r"|\b(?:log ?in|user|ssh|admin|root|cred|account|access|konto|benutzer)|[\w-]\.(?:lan|local)\b"
)
_ODD = pattern(r"[!@#$%^&*?+=~]")
_PLAIN_RUN = pattern(r"[A-Za-z0-9+/_-]{32,}={0,2}")


def find_secrets(text: str) -> list[Span]:
    """The secrets in ``text``; they may overlap, and are in no order."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    found = [*_formats(text)] if _holds_long_run(text) else []
    if "://" in text:
        found += _in_urls(text)
    found += of_programs(text)
    if " / " in text:
        found += _logins(text)
    if ":5432:" in text:
        found += (Span(*one.span("value"), PASSWORD) for one in _PGPASS.finditer(text))
    if '"kty"' in text:
        secrets = (one for one in _JWK.finditer(text) if not is_instance(one["value"]))
        found += (Span(*one.span("value"), "private-key") for one in secrets)
    if "WIFI:" in text:
        found += (Span(*one.span("value"), PASSWORD) for one in _WIFI.finditer(text))
    if signs := signs_in(text, lowered):
        found += _armoured(text) if "key" in signs else ()
        found += announced(text, lowered, signs)
        found += in_columns(text, lowered, signs)
    return [*found, *_again(text, found)] if found else found


def _holds_long_run(text: str) -> bool:
    """Whether there are 20 letters, digits, ``_`` and ``-`` in a row, as in every secret of a published format."""
    return _RUN in text.encode("utf-8", "replace").translate(_CLASSES)


def _armoured(text: str) -> Iterator[Span]:
    if "PRIVATE KEY" in text:
        blocks = (one for one in _ARMOURED.finditer(text) if _BODY.search(one[0]))
        yield from (Span(*one.span(), "private-key") for one in blocks)
    if "Private-Lines" in text:
        yield from (Span(*one.span(), "private-key") for one in _PUTTY.finditer(text))


def _formats(text: str) -> Iterator[Span]:
    long = [word for word in text.split() if len(word) >= _LONG]
    joined = "\n".join(long)
    for number, (kind, sign, _, random, word) in enumerate(FORMATS):
        if sign in joined and _compiled(number).search(joined):
            for one in _compiled(number).finditer(text):
                group = one.lastindex or 0
                value = one[group]
                near = text[max(0, one.start() - _NEAR) : one.start()].lower()
                words = is_instance(value) or is_wordy(value)
                if not words and (not random or is_random(value)) and word in near:
                    yield Span(*one.span(group), kind)
    yield from _bare(text, long)


@cache
def _compiled(number: int) -> re.Pattern[str]:
    return re.compile(_BEFORE + FORMATS[number].pattern)


def _logins(text: str) -> Iterator[Span]:
    """``nas: admin / Tulip77!``: a name and what nobody would write behind a slash but a password."""
    at = text.find(" / ")
    while at >= 0:
        name = _NAMED.search(text, max(0, at - 60), at)
        one = name and _PASSED.match(text, at + 3)
        if name and one:
            value = one["value"].rstrip("`*.,;")
            line = text.rfind("\n", 0, at) + 1
            sure = any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and is_mixed(value)
            named = is_identifier(value) or (value.isupper() and is_wordy(value.lower()))
            sure = sure and not named and ")" not in value
            told = _ODD.search(value) or _TOLD.search(text, max(line, at - 200), at)
            if sure and told and can_be(value, PASSWORD, explicit=True, quoted=False, alone=True):
                yield Span(one.start("value"), one.start("value") + len(value), PASSWORD)
        at = text.find(" / ", at + 3)


def _in_urls(text: str) -> Iterator[Span]:
    at = text.find("://")
    while at >= 0:
        if (alone := _URL_TOKEN.match(text, at)) and not is_instance(alone["value"]):
            yield Span(*alone.span("value"), TOKEN)
        one = _URL_LOGIN.match(text, at)
        if one and _is_login(one["user"].lower(), one["value"]):
            yield Span(*one.span("value"), PASSWORD)
        at = text.find("://", at + 3)
    if "?" in text or "#" in text:
        for one in _URL_VALUE.finditer(text):
            value = one["value"]
            if is_random(value) and not _refers(value):
                yield Span(*one.span("value"), TOKEN)


def _refers(value: str) -> bool:
    """Whether a value of an address holds the place of one: a variable, an example."""
    return value[0] in "$%" or is_instance(value) or ("_" in value and value.isupper())


def _is_login(user: str, value: str) -> bool:
    if value.lower() in ("password", "pass", "pwd", "passwort", user):
        return False
    return not is_instance(value) and value[0] != "$" and not set(value) & set("()[]\\|")


def _bare(text: str, long: Iterable[str]) -> Iterator[Span]:
    """Random strings that nothing announces, outside of addresses, checksums, images and public keys."""
    for word in dict.fromkeys(long):
        if (
            len(word) < _BARE
            or len(word) > _MOST_BARE
            or "://" in word
            or "base64," in word
            or "arn:" in word
        ):
            continue
        for run in _PLAIN_RUN.finditer(word):
            random = (
                is_scrambled(run[0])
                and not is_instance(run[0])
                and not is_encoded(run[0].rpartition("/")[2])
            )
            cut = word.startswith(("...", "…"), run.end())
            if random and not cut and not _is_public(text, word, run):
                yield from _all(text, run[0], TOKEN)


def _is_public(text: str, word: str, run: re.Match[str]) -> bool:
    """Whether a random string is part of what anybody may see: a checksum, a public key, lines of encoded data."""
    if re.search(
        r"(?i)(?:\$|sha\d+|md5|blake\w*|checksum|digest|integrity|etag|h1|cid)[-:=\"']*$",
        word[: run.start()],
    ):
        return True
    at = text.find(word)
    if _PUBLIC_PART.search(text, max(0, at + run.start() - 24), at + run.start()):
        return True
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    if re.search(
        r"(?i)ssh-|ecdsa-|sha\d|checksum|integrity|public|fingerprint|base64|certificate|\bhash\b|digest|\bid\b"
        r"|(?-i:[a-z]Id\b)|[_-]id\b|verification|next\w{0,40}token|revision|cursor|https?:|/\w+/\w+/",
        line,
    ):
        return True
    begun = text.rfind("-----BEGIN", 0, at)
    if begun >= 0 and text.find("-----END", begun) > at:
        return True
    above = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)].strip()
    return line.strip() == word and len(above) >= _BARE and " " not in above


def _again(text: str, found: Iterable[Span]) -> Iterator[Span]:
    """Where else in the text a value stands that was found in it."""
    values = {text[one.start : one.end]: one.kind for one in found}
    for value, kind in values.items():
        told = len(value) >= 8 or (len(value) >= 6 and not value.isalpha())
        if told and "\n" not in value and text.count(value) > 1 and not value.isdecimal():
            yield from _all(text, value, kind)


def _all(text: str, value: str, kind: str) -> Iterator[Span]:
    at = text.find(value)
    while at >= 0:
        yield Span(at, at + len(value), kind)
        at = text.find(value, at + len(value))
