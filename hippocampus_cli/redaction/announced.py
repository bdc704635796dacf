"""Values that a word announces: ``password: …``, ``the PIN of the alarm is …``, ``--token …``. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.judge import can_be, is_instance, is_telling, is_wordy
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import (
    ANNOUNCING,
    CODE,
    FORMS,
    JUDGED_AS,
    LISTS,
    PASSWORD,
    PIN,
    TOKEN,
)

_ASCII_SIGNS = tuple(filter(str.isascii, ANNOUNCING))
_WORDS = {
    sign: [
        (word, kind, word.index(sign))
        for word, kind in sorted(words.items(), key=lambda item: -len(item[0]))
    ]
    for sign, words in ANNOUNCING.items()
}
"""By the sign of each word: it, its kind, and what of it stands before the sign; the longest first."""
_GLUE, _PLAIN = frozenset(LISTS["glue"]), frozenset(LISTS["plain"])
_WIRELESS = pattern(r"(?i)wi-?fi|wlan|ssid")
_LONG_KEY = pattern(r"[\"'`*]{0,3}[ \t]*[:=][ \t]*[\"'`*]{0,3}(?=[A-Za-z+/_~.-]*\d)[\w+/~.-]{28,}")
_SETTING = pattern(
    r"[\"'`*_]{0,3}(?:\s*:?[=:]\s*|\s+(?=[\"']))[\"'`*_]{0,3}(?P<value>[^\s\"'`<>|]+)[\"'`*;,)}]*\s*(?=\n|\r|$|#)"
)
_QUOTES = {"„": "“”", "“": "”", "«": "»", "‘": "’", '"': '"', "'": "'", "`": "`"}
_CLOSERS = "\"'`.,;:)]}»”’\\"
_NEXT = pattern(r"(?:\s*[,;]\s*|[ \t]+|\s*\r?\n\s*(?:[-*+]\s+|\d{1,2}[.)]\s*)?)[`\"']?")

Match = re.Match[str]


def flatten(lowered: str) -> str:
    """A text in lower case with a space for every mark that may join the parts of a word."""
    return lowered.replace("_", " ").replace("-", " ")


def signs_in(flat: str) -> list[str]:
    """The signs of announcing words in a flat text."""
    signs = _ASCII_SIGNS if flat.isascii() else ANNOUNCING
    return [sign for sign in signs if sign in flat]


def announced(text: str, flat: str, signs: Iterable[str]) -> Iterator[Span]:
    """The values in ``text`` that a word with one of ``signs`` announces; ``flat`` is the text, flattened."""
    done: set[int] = set()
    for start, word, kind in _words(flat, signs):
        end = start + len(word)
        if end not in done and _is_whole(text, start, end):
            done.add(end)
            if meant := _meant(text, start, end, kind):
                yield from _values(text, start, end, meant)


def _words(flat: str, signs: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """Where each announcing word stands, and its kind; of those that end at one place the longest first."""
    for sign in signs:
        position = flat.find(sign)
        while position >= 0:
            for word, kind, before in _WORDS[sign]:
                if position >= before and flat.startswith(word, position - before):
                    yield position - before, word, kind
            position = flat.find(sign, position + len(sign))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a word stands for itself: or, if it is long, is the end of another (``dbPassword``)."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if not text[start].isascii():
        return True
    if after.isalpha() and after != "s" and not (after.isupper() and text[end - 1].islower()):
        return False
    is_joined = before.isalpha() and not (text[start].isupper() and before.islower())
    return not is_joined or end - start > 4


def _meant(text: str, start: int, end: int, kind: str) -> str:
    """The kind of value that a word announces where it stands; empty for none."""
    line = text[text.rfind("\n", 0, start) + 1 : start][-60:]
    if kind == "key":
        if _WIRELESS.search(line):
            return PASSWORD
        return TOKEN if _LONG_KEY.match(text, end) else ""
    if kind == "setting":
        return PASSWORD if _is_setting(text, end) else ""
    return "" if kind == "open" else kind


def _is_setting(text: str, end: int) -> bool:
    """Whether a word that means other things as well is the name of a setting, and its value looks like a password:
    ``RELAY_PASS=…``, ``pass = …``; not ``PASS: gateway``, ``boarding pass: …``."""
    setting = _SETTING.match(text, end)
    return setting is not None and is_telling(setting["value"]) and not is_wordy(setting["value"])


def _values(text: str, start: int, end: int, kind: str) -> Iterator[Span]:
    """The values beside a word: what the first form finds that has some."""
    for form in FORMS:
        if kind not in form.kinds:
            continue
        if form.before:
            match = form.pattern.search(text, max(0, start - 120), start)
        else:
            match = form.pattern.match(text, end)
        if match:
            spans = [*_TESTS[form.test](text, match, JUDGED_AS.get(kind, kind))]
            if spans:
                yield from spans
                return


def _explicit(text: str, match: Match, kind: str) -> Iterator[Span]:
    return _judged(text, match, kind, explicit=True)


def _said(text: str, match: Match, kind: str) -> Iterator[Span]:
    return _judged(text, match, kind, explicit=False)


def _judged(
    text: str, match: Match, kind: str, *, explicit: bool, beside: bool = False
) -> Iterator[Span]:
    """The value of a match, if it can be one. What quotes it in ends it."""
    parts = match.groupdict()
    opened = parts.get("open") or ""
    start, end = match.span("value")
    quote = next(filter(_QUOTES.get, opened), "") or text[start - 1].strip("*_([\\ \n")
    stop = _closing(text, start, _QUOTES.get(quote, ""))
    quoted = quote in _QUOTES
    if stop:
        end = stop
    value = text[start:end]
    if not quoted:
        value = _bare(value, opened)
        end = start + len(value)
        if text.startswith(("...", "…"), end):
            return  # the beginning of one
        if opened.endswith("*") and "*" not in text[end : end + 1] and not opened.endswith("**"):
            start, value = start - 1, f"*{value}"  # no emphasis, but the first sign of it
    if " " in value:
        if kind not in (PIN, CODE, TOKEN) and "\n" not in match[0] and _is_phrase(value):
            yield Span(start, end, kind)
        return
    rest = text[end : end + 40].split("\n", 1)[0].strip("\r \t\"'`*_.,;)]}|\\»”")
    alone = not beside and (
        not rest or rest[:1] in "(#<" or rest.startswith(("//", "--", "—", "–"))
    )
    if (alone or not parts.get("line")) and can_be(
        value, kind, explicit=explicit, quoted=quoted, alone=alone
    ):
        yield Span(start, end, kind)


def _closing(text: str, start: int, closers: str) -> int:
    """Where what is quoted ends on its line; 0 where it does not."""
    newline = text.find("\n", start, start + 200)
    limit = newline if newline >= 0 else start + 200
    stops = [at for mark in closers if (at := text.find(mark, start, limit)) >= 0]
    return min(stops, default=0)


def _is_phrase(value: str) -> bool:
    """Whether words in quotation marks are a passphrase."""
    words = value.split()
    if len(value) > 80 or " -" in value:
        return False
    if is_instance(value) or not _GLUE.isdisjoint(words):
        return False
    return any(map(str.isdigit, value)) or len(words) in range(3, 9)


def _bare(value: str, opened: str) -> str:
    """A value without what closes a sentence, a bracket or an emphasis behind it."""
    if not value.endswith("***"):
        value = value.removesuffix("**")  # of an emphasis that began before the word
    return value.rstrip(_CLOSERS + "".join(mark for mark in "*_" if mark in opened))


def _beside(text: str, match: Match, kind: str) -> Iterator[Span]:
    """``and password Tulip77!``: nothing stands between, so it must look like one."""
    return _judged(text, match, kind, explicit=False, beside=True)


def _told(text: str, match: Match, kind: str) -> Iterator[Span]:
    """``admin / Tulip77``, ``login: bob / Tulip77``; not ``login: provider/some-model``."""
    value = match["value"]
    if value[0] not in "./~" and "/" not in value and is_telling(value) and not is_wordy(value):
        yield from _beside(text, match, kind)


def _taken(text: str, match: Match, kind: str) -> Iterator[Span]:
    if not is_instance(match["value"]):
        yield Span(*match.span("value"), kind)


def _listed(text: str, match: Match, kind: str) -> Iterator[Span]:
    """A value in a list, and those of the same shape that follow it there: recovery codes, keys of a vault."""
    for first in _explicit(text, match, kind):
        end = first.end
        yield first
        shape = re.sub(r"[A-Za-z0-9]", "x", re.escape(text[first.start : end]))
        alike = re.compile(shape.replace("x", "[A-Za-z0-9]"))
        while (mark := _NEXT.match(text, end)) and (following := alike.match(text, mark.end())):
            if not any(map(str.isdigit, following[0])):
                return
            end = following.end()
            yield Span(*following.span(), kind)


def _phrase(text: str, match: Match, kind: str) -> Iterator[Span]:
    """The words of a seed or of a passphrase."""
    words = re.findall(r"[a-zäöüß]+", match["value"])
    own = [word for word in words if word not in _GLUE]
    end = match.end()
    closed = not text[end : end + 20].split("\n", 1)[0].strip(" \t\r`\"'*_)”»")
    sentence = len(words) >= 5 and len(own) >= 3 and closed and _PLAIN.isdisjoint(own)
    if len(words) >= 3 and (len(own) == len(words) or sentence):
        yield Span(*match.span("value"), "passphrase")


_TESTS: dict[str, Callable[[str, Match, str], Iterator[Span]]] = {
    "explicit": _explicit,
    "said": _said,
    "beside": _beside,
    "told": _told,
    "taken": _taken,
    "listed": _listed,
    "words": _phrase,
}
"""How a form's value is judged."""
