"""Secrets in a text: keys in a published format, private keys, announced values, columns of tables. Pure.

Nothing is looked for that cheap signs do not promise: most texts cost a split at white space and a search for some
words. A value that a word announces (``password: …``) is judged by :mod:`judge`; a value that was found once is found
wherever else it is in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.announced import announced, flatten, signs_in
from hippocampus_cli.redaction.columns import in_columns
from hippocampus_cli.redaction.judge import (
    can_be,
    is_instance,
    is_scrambled,
    is_wordy,
)
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import FORMATS, PASSWORD, PLACES, TOKEN, SecretRule

_NEAR = 160  # characters before a value
_LONG = 20  # characters without white space that every format has
_BARE = 32  # characters from which a random string is a secret without a word that says so
_MOST_BARE = 200
_CLASSES = bytes(
    120 if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "_-") else 32
    for byte in range(256)
)
_RUN = b"x" * _LONG
_PLAIN_RUN = pattern(r"[A-Za-z0-9+/_-]{32,}={0,2}")
_SUM = pattern(r"(?i)(?:\$|sha\d+|md5|blake\w*|checksum|digest|integrity|etag|h1|cid)[-:=\"']*$")
_PUBLIC_PART = pattern(
    r"\"(?:n|x|y|kid|x5\w{1,2})\"\s{0,20}:\s{0,20}\[?\s{0,20}\"$"
)  # of a key whose other parts are secret
_PUBLIC_LINE = pattern(
    r"(?i)ssh-|ecdsa-|sha\d|checksum|integrity|public|fingerprint|base64|certificate|\bhash\b|digest|\bid\b"
    r"|(?-i:[a-z]Id\b)|[_-]id\b|verification|next\w{0,40}token|revision|cursor|https?:|/\w+/\w+/"
)
_ODD = pattern(r"[!@#$%^&*?+=~]")
_ADDRESSED = pattern(
    r"(?i)\d{1,3}(?:\.\d{1,3}){3}|://"
    r"|\b(?:log ?in|user|ssh|admin|root|cred|account|access|konto|benutzer)|[\w-]\.(?:lan|local)\b"
)


def find_secrets(text: str) -> list[Span]:
    """The secrets in ``text``; they may overlap, and are in no order."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    flat = flatten(lowered)
    spans = [*_in_formats(text)] if _holds_long_run(text) else []
    spans += (span for rule in PLACES if rule.sign in text for span in _in_places(text, rule))
    if signs := signs_in(flat):
        spans += announced(text, flat, signs)
        spans += in_columns(text, flat, signs)
    return list(dict.fromkeys((*spans, *_again(text, spans))))


def _holds_long_run(text: str) -> bool:
    """Whether there are 20 letters, digits, ``_`` and ``-`` in a row, as in every secret of a published format."""
    return _RUN in text.encode("utf-8", "replace").translate(_CLASSES)


def _in_formats(text: str) -> Iterator[Span]:
    long = [word for word in text.split() if len(word) >= _LONG]
    joined = "\n".join(long)
    for rule in FORMATS:
        if rule.sign in joined and rule.pattern.search(joined):
            for match in rule.pattern.finditer(text):
                value = match[match.lastindex or 0]
                near = text[max(0, match.start() - _NEAR) : match.start()].lower()
                if rule.near in near and not is_instance(value) and not is_wordy(value):
                    yield Span(*match.span(match.lastindex or 0), rule.kind)
    yield from _bare(text, long)


def _in_places(text: str, rule: SecretRule) -> Iterator[Span]:
    for match in rule.pattern.finditer(text):
        value = match[match.lastgroup or 0]
        if rule.test == "any" or (not is_instance(value) and _is_judged(text, rule, match, value)):
            yield Span(*match.span(match.lastgroup or 0), rule.kind)


def _is_judged(text: str, rule: SecretRule, match: re.Match[str], value: str) -> bool:
    """Whether a value that is no example is a secret in the place of ``rule``."""
    if rule.test == "login":
        return _is_login(text, match, value)
    if rule.test == "filled":
        return True
    return can_be(value, rule.kind, explicit=True, quoted=False, alone=False)


def _is_login(text: str, match: re.Match[str], value: str) -> bool:
    """``nas: admin / Tulip77!``: a name and what nobody would write behind a slash but a password."""
    line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()][-200:]
    if not _ODD.search(value) and not _ADDRESSED.search(line):
        return False
    return can_be(value, PASSWORD, explicit=True, quoted=False, alone=True)


def _bare(text: str, long: Iterable[str]) -> Iterator[Span]:
    """Random strings that nothing announces, outside of addresses, checksums, images and public keys."""
    for word in dict.fromkeys(long):
        if not _BARE <= len(word) <= _MOST_BARE or "base64," in word:
            continue
        for run in _PLAIN_RUN.finditer(word):
            value = run[0]
            if is_scrambled(value) and not _is_public(text, word, run):
                yield from _all(text, value, TOKEN)


def _is_public(text: str, word: str, run: re.Match[str]) -> bool:
    """Whether a random string is part of what anybody may see: a checksum, a public key, lines of encoded data."""
    position = text.find(word)
    before = text[max(0, position + run.start() - 24) : position + run.start()]
    if _SUM.search(word[: run.start()]) or _PUBLIC_PART.search(before):
        return True
    start, end = text.rfind("\n", 0, position) + 1, text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    if _PUBLIC_LINE.search(line):
        return True
    begun = text.rfind("-----BEGIN", 0, position)
    if begun >= 0 and text.find("-----END", begun) > position:
        return True
    above = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)].strip()
    return len(above) >= _BARE and " " not in above


def _again(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Where else in the text a value stands that was found in it."""
    values = {text[span.start : span.end]: span.kind for span in spans}
    for value, kind in values.items():
        unique = len(value) >= 8 or (len(value) >= 6 and not value.isalpha())
        if unique and not value.isdecimal():
            yield from _all(text, value, kind)


def _all(text: str, value: str, kind: str) -> Iterator[Span]:
    for match in re.finditer(re.escape(value), text):
        yield Span(*match.span(), kind)
