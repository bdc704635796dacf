"""Values that a word announces: ``password: …``, ``the PIN of the alarm is …``, ``--token …``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.ambiguous import is_setting
from hippocampus_cli.redaction.groups import (
    FOR,
    GLUE,
    MARKS,
    OPEN,
    PAREN,
    alike,
    in_a_list,
    in_groups,
    of_phrase,
)
from hippocampus_cli.redaction.judge import can_be, is_instance, is_telling, is_wordy
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import (
    AMBIGUOUS,
    ANNOUNCING,
    CODE,
    KEY_OF,
    LOGIN,
    NOT_AFTER,
    OPEN_KEYS,
    PASSWORD,
    PHRASE,
    PIN,
    TOKEN,
    USER,
)

_SIGNS = tuple(ANNOUNCING)
_ASCII_SIGNS = tuple(sign for sign in _SIGNS if sign.isascii())
_JOINT = (
    r"(?P<joint>"
    r"\??:\s{0,40}[&A-Za-z][\w.<>\[\]?]{0,40}(?:\s?\|\s?\w{1,20})?\s{0,40}=\s{0,40}(?=[\"'`])|\s{1,40}or(?=\s{1,40}[\"'])|\s{0,40}\?\?(?=\s{0,40}[\"'`])"
    r"|[\"']?\s{1,40}[Vv]alue\s{0,40}[=:]|\s{0,40}\{\s{0,40}(?:[a-z]+\s{0,40}=[^\n]*\n\s{0,40}){0,4}default\s{0,40}="
    r"|\s{0,40}(?::=|=>|->|→|⇒|[ ][-–—](?=[ ])|(?<![=!<>])=(?!=)|:(?!//)|：|\|+|>(?=[^<>\n]{4,80}</))"
    r"|\s{1,40}(?:is|was|ist|war|lautet|lautete|est|es|é|è|są|jest|är|er|on)"
    r"(?:\s{1,40}(?:now|currently|still|again|jetzt|nun|set to|changed to|ahora|maintenant|agora))?\s{0,40}:?(?=\s)"
    r"|\s{1,40}(?:changed|set|reset|updated|geändert|geaendert|gesetzt|rotated)\s{1,40}(?:to|auf)(?=\s)"
    r"|\s{0,40}(?:是|为|為|は|が|은|는)[:：]?"
    r")"
)
_VALUE = r"(?P<value>[^\s\"'`<>|，。；、」”“»]+)"
_AFTER = pattern(
    rf"(?:s|es|[ ]?[0-9]{{1,2}})?(?P<more>(?:[ _-][A-Za-z]{{2,14}}){{0,2}}?){MARKS}{PAREN}{FOR}{MARKS}"
    rf"{_JOINT}(?:\*\*|__|\*|_)?[ \t]*"
    rf"(?P<line>\r?\n[ \t]*(?:(?:\r?\n)?(?:```|~~~)\w*\r?\n[ \t]*)?)?(?P<open>{OPEN}){_VALUE}",
    re.IGNORECASE,
)
_CALLED = pattern(r"[\w.-]{0,20}[\"']\s*,\s*(?P<open>[\"'])(?P<value>[^\"'\n]{4,200})[\"']\s*\)")
_ARGUMENT = pattern(r"\(\s*[\"'][\w.-]*$")
_BRACKETED = pattern(
    r"(?:^|\s)(?P<open>[`\"']?)(?P<value>[^\s()`\"']{6,100})[`\"']?\s+(?:\((?:the\s|as\s)?|is\s(?:the|my|our)\s(?:\w+\s)?)$",
    re.MULTILINE,
)
_SIGNING = pattern(r"(?i)(?:jwt|session|cookie|signing|webhook|app|hmac|encryption)[_-]?$")
_LONG_KEY = pattern(r"[\"'`*]{0,3}[ \t]*[:=][ \t]*[\"'`*]{0,3}(?=[A-Za-z+/_~.-]*\d)[\w+/~.-]{28,}")
_SIGNED = pattern(r"\(| is ")
_LATER = pattern(
    rf"\s[^\n:=]{{0,40}}?\sauf\s+(?P<open>{OPEN}){_VALUE}[\"'`*]*\s+(?:ge|zurückge|umge)\w+"
)
_FLAG = pattern(rf"(?P<open>)(?:[ =]|\s)[\"'`]?{_VALUE}")
_BESIDE = pattern(rf"[ \t]+(?:\d )?(?P<open>{OPEN}){_VALUE}")
_NUMBERED = pattern(rf"[ \t]+(?:[^\W\d_-]{{2,14}}[ \t]+)?(?P<open>{OPEN})(?=\d){_VALUE}")
_BECAME = pattern(rf"{FOR}\s+(?:to|auf|as|zu)\s+(?P<open>{OPEN}){_VALUE}")
_CHANGED = pattern(
    r"(?i)(?:chang|set|reset|rotat|updat|geänder|geaender|gesetzt|änder|aender|setz)\w*\s[^\n]{0,60}$"
)
_HEADED = pattern(
    r"[ \t*_#:]*\r?\n(?:\r?\n)?[ \t]*(?:(?:```|~~~)\w*\r?\n[ \t]*)?"
    rf"(?P<open>{OPEN}){_VALUE}[\"'`*]*[ \t]*(?=\r?\n|$)"
)
_SCHEME = pattern(
    r"(?i)[\"'`]*+\s*+:?\s*+[\"'`]*+(?P<scheme>bearer|basic|token|apikey|digest)\s+(?P<value>[A-Za-z0-9+/=._~-]{8,})"
)
_BEARER = pattern(r"\s+(?P<value>[A-Za-z0-9+/=._~-]{16,})")
_PAIRS = pattern(r"(?P<name>[\w.-]{1,60})=(?P<value>[^\s;,\"'`]{8,})")
_PAIR = pattern(
    rf"s?{MARKS}{PAREN}{FOR}\s*(?::|=|\||->|→|：|\bis\b|\bare\b|\bsind\b|\blauten\b)\s*{OPEN}"
    rf"(?P<user>[\w.@+-]{{2,60}})[\"'`*]*\s?(?:/|:|\||,|\bund\b|\band\b|\bwith\b)\s?{OPEN}{_VALUE}"
)
_LOGIN = pattern(rf"s?\s+{OPEN}(?P<user>[\w.@+-]{{2,60}})[`*]*\s?/\s?(?P<open>{OPEN}){_VALUE}")
_PAGES = pattern(
    r"(?i)(?:next|doc|wiki|node|obj|file|folder|space|table|page|idempotency|continuation|change|pagination|cursor|sync|request|unit|client|product|lock"
    r"|action|文档|文件|表格|alt=media\\?&(?:#x26;|amp;)?)[ _-]?$"
)
_USED = pattern(rf"(?:[\"'`*]*\s?[:/]\s?|\s+(?:with|und|and|mit)\s+)(?P<open>{OPEN}){_VALUE}")
_AS = pattern(
    rf"\s(?:uses?|using|with|nutzt|hat|set)\s+(?P<open>{OPEN}){_VALUE}[\"'`*]*\s+(?:as|als)\s+(?:\w+\s+){{0,2}}$"
)
_DEFAULT = pattern(
    r"\s*[:=]+\s*[\w.]{0,40}\b(?:getenv|environ|env|ENV)\b[\w.]{0,40}[(\[]?[\"']?\w{0,40}[\"']?[)\]]?"
    rf"\s*(?:,|\bor\b|\|\||\?\?)\s*(?P<open>[\"'`]){_VALUE}"
)
_CONNECTION = pattern(r";(?=\w+=)")  # Password=…;Server=…
_NUMBER = pattern(r"\d")
_JOINED = pattern(
    r"[:=|>：→]|\s(?:is|was|ist|war|lautet|est|es|é|to|auf)\s|[是为為はが은는]|[\"'`„“«]|\n"
)
_LONG_WORD = pattern(r"\S{20}")
_SYNTAX = frozenset("(){}[]=;<>|")
_CLOSERS = "\"'`.,;:)]}»”’\\"


def signs_in(text: str, lowered: str) -> list[str]:
    """The signs of announcing words that a text has; ``lowered`` is the text in lower case, as long as it is."""
    signs = _ASCII_SIGNS if text.isascii() else _SIGNS
    return [sign for sign in signs if sign in lowered]


def announced(text: str, lowered: str, signs: Iterable[str]) -> Iterator[Span]:
    """The values in ``text`` that a word with one of ``signs`` announces."""
    done: set[int] = set()
    for sign in signs:
        words = [(word, kind, word.index(sign)) for word, kind in ANNOUNCING[sign].items()]
        found = lowered.find(sign)
        while found >= 0:
            for (
                word,
                kind,
                before,
            ) in words:  # the longest first: *password* is not *pass* and something
                at, end = found - before, found - before + len(word)
                if (
                    at >= 0
                    and lowered.startswith(word, at)
                    and at not in done
                    and _is_whole(text, at, end, kind, word)
                ):
                    done.add(at)
                    if _may_follow(text, end, kind):
                        yield from _values(text, at, end, word, kind)
            found = lowered.find(sign, found + len(sign))


def _may_follow(text: str, end: int, kind: str) -> bool:
    """Whether what follows a word can hold its value: most words announce nothing."""
    behind = text[end : end + 140]
    if kind == PHRASE:
        return True
    if kind == PASSWORD:
        return _JOINED.search(behind) is not None or _NUMBER.search(behind) is not None
    return _NUMBER.search(behind) is not None or _LONG_WORD.search(behind) is not None


def _is_whole(text: str, start: int, end: int, kind: str, word: str) -> bool:
    """Whether a word stands for itself: it may be the end of another (``dbPassword``), or joined by a mark."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if not text[start].isascii():
        return True
    if (
        before == ":" and text[max(0, start - 2) : start - 1].isalnum()
    ):  # a name of many parts (arn:…:secret:…)
        return False
    if after.isalpha() and after not in "s" and not (after.isupper() and text[end - 1].islower()):
        return False
    short = len(word) <= 4 or word in ("session", "account", "combination", "signature")
    joined = before.isalpha() and not (text[start].isupper() and before.islower())
    if joined and short:
        return word in ("pass", "pw") and text[max(0, start - 4) : start].lower().endswith(
            ("db", "bind", "root")
        )
    if word.endswith("key") and kind == TOKEN and word == "key":
        return _is_key_of(text, start) or (
            _LONG_KEY.match(text, end) is not None and not _is_open(text, start)
        )
    return True


def _is_open(text: str, start: int) -> bool:
    before = re.split(r"[^a-z]+", text[max(0, start - 24) : start].lower())
    return not OPEN_KEYS.isdisjoint(before[-3:])


def _is_key_of(text: str, start: int) -> bool:
    """Whether a *key* is one that opens something."""
    found = re.search(r"([A-Za-z]+)[\s_-]?$", text[max(0, start - 24) : start])
    if not found:
        return False
    last = re.split(r"(?<=[a-z])(?=[A-Z])", found[1])[-1].lower()
    return last in KEY_OF or _is_wireless(text, start)


def _is_wireless(text: str, start: int) -> bool:
    """Whether the line speaks of a wireless network."""
    before = text[max(0, start - 60) : start].lower().rpartition("\n")[2]
    return (
        ("fi" in before and ("wifi" in before or "wi-fi" in before))
        or "wlan" in before
        or "ssid" in before
    )


def _values(text: str, start: int, end: int, word: str, kind: str) -> Iterator[Span]:
    if word in AMBIGUOUS and not is_setting(text, start, end):
        return
    if word in ("bearer", "auth", "cookie", "session", "sid") or kind == TOKEN:
        yield from _of_http(text, start, end, word)
    if kind == LOGIN:
        yield from _of_pair(text, end)
        return
    if kind == USER:
        if not re.search(r"[\w.(\[/-]$", text[max(0, start - 1) : start]):
            yield from _of_user(text, end)
        return
    if kind == PHRASE:
        yield from of_phrase(text, end)
        if not word.endswith("phrase"):
            return
        kind = PASSWORD
    flag = text[max(0, start - 24) : start]
    if re.search(r"--[\w-]*$", flag) and (found := _FLAG.match(text, end)):
        yield from _judged(text, found, kind, explicit=True)
        return
    if kind == PASSWORD and (found := _AS.search(text, max(0, start - 90), start)):
        yield from _beside(text, found, kind)
        return
    if called := _CALLED.match(text, end):
        if _ARGUMENT.search(text, max(0, start - 60), start):
            yield from _judged(text, called, kind, explicit=True)
        return
    if default := _DEFAULT.match(text, end):
        yield from _judged(text, default, kind, explicit=True)
        return
    word, kind = _meant(text, start, end, word, kind)
    if kind == PASSWORD and (bracketed := _bracketed(text, start)):
        yield from _beside(text, bracketed, kind)
    if grouped := [*in_groups(text, start, end, kind), *in_a_list(text, end, kind)]:
        yield from grouped
    elif kind in (PASSWORD, PIN) and (found := _became(text, start, end)):
        yield from _judged(text, found, kind, explicit=False)
    else:
        yield from _behind(text, start, end, word, kind)


def _meant(text: str, start: int, end: int, word: str, kind: str) -> tuple[str, str]:
    """The word and the kind of value as what stands around it tells."""
    if word in AMBIGUOUS:
        return "password", kind  # WIFI_PASS
    if word == "secret" and _SIGNING.search(text, max(0, start - 16), start):
        return word, PASSWORD  # chosen by a person, as a password is
    if word == "key" and _is_wireless(text, start):
        return word, PASSWORD
    if word == "passcode" and re.match(r"\W{1,6}\d{4,10}(?!\w)", text[end : end + 20]):
        return word, PIN
    return word, kind


def _became(text: str, start: int, end: int) -> re.Match[str] | None:
    """``changed the password to …``, ``Passwort wurde auf … geändert``."""
    found = _BECAME.match(text, end)
    if found and _CHANGED.search(text, max(0, start - 80), start):
        return found
    return _LATER.match(text, end)


def _behind(text: str, start: int, end: int, word: str, kind: str) -> Iterator[Span]:
    """What follows a word and a joint, beside it, or below the heading that it is."""
    found = _AFTER.match(text, end)
    if found:
        if _is_other_thing(found) or _is_page_token(text, start, word):
            return
        joint = found["joint"].strip()
        said = text[start - 1 : start] == "_" or "*" in found["open"]
        if joint == "|" and said and found["value"].strip("*").isalpha():
            return  # a table that tells what each setting is for, or how a test went
        explicit = not joint[:1].isalpha() or not joint.isascii()
        for one in _judged(text, found, kind, explicit=explicit):
            yield from alike(text, one) if text[end : end + 1] == "s" else (one,)
    elif found := (
        _BESIDE.match(text, end) if not word.endswith("code") else _NUMBERED.match(text, end)
    ):
        yield from _beside(text, found, kind)
    elif _is_heading(text, start) and (found := _HEADED.match(text, end)):
        yield from _judged(text, found, kind, explicit=True)


def _bracketed(text: str, start: int) -> re.Match[str] | None:
    """``Tulip77! (password)``."""
    if not {"(", " is "}.intersection(_SIGNED.findall(text[max(0, start - 24) : start])):
        return None
    return _BRACKETED.search(
        text, text.rfind("\n", max(0, start - 120), start) + 1 or max(0, start - 120), start
    )


def _is_page_token(text: str, start: int, word: str) -> bool:
    """Whether a *token* is where a list goes on, or tells one request from another."""
    return word == "token" and _PAGES.search(text, max(0, start - 24), start) is not None


def _is_other_thing(found: re.Match[str]) -> bool:
    more = re.split(r"[ _-]", found["more"].lower().strip(" _-")) if found["more"] else ()
    if any(part in NOT_AFTER for part in more):
        return True
    spoken = found["more"][:1] == " "
    return spoken and found["joint"].strip() not in (
        ":",
        "=",
        "：",
        "|",
        "→",
        "->",
        "is",
        "ist",
        "lautet",
    )


def _judged(text: str, found: re.Match[str], kind: str, *, explicit: bool) -> Iterator[Span]:
    """The value of a match, if it can be one. What quotes it in ends it."""
    opened = found["open"] or ""
    start, end = found.span("value")
    quote = next((mark for mark in opened if mark in "\"'`„“«‘”"), "") or (
        text[start - 1] if text[start - 1] in "\"'`" else ""
    )
    quoted = bool(quote)
    if quoted:
        close = {"„": "“”", "“": "”", "«": "»", "‘": "’"}.get(quote, quote)
        stop = min((at for mark in close if (at := text.find(mark, start)) >= 0), default=-1)
        newline = text.find("\n", start)
        if 0 <= stop <= start + 200 and (newline < 0 or stop < newline):
            end = stop
            if end > start and text[end - 1] == "\\":
                end -= 1
    value = text[start:end]
    if not quoted:
        value = _bare(_CONNECTION.split(value)[0], opened)
        end = start + len(value)
        if text.startswith(("...", "…"), end):
            return  # the beginning of one
        if opened.endswith("*") and "*" not in text[end : end + 1] and not opened.endswith("**"):
            start, value = start - 1, f"*{value}"  # no emphasis, but the first sign of it
    elif " " in value and kind != PASSWORD:
        return
    rest = text[end : end + 40].split("\n", 1)[0].strip("\r \t\"'`*_.,;)]}|\\»”")
    alone = not rest or rest[:1] in "(#<" or rest.startswith(("//", "--", "—", "–"))
    if " " in value:  # a passphrase in quotation marks
        words = value.split()
        if (
            not found.groupdict().get("line")
            and "\n" not in (found.groupdict().get("joint") or "")
            and value[-1] not in ".:,"
            and not _SYNTAX.intersection(value)
            and " -" not in value
            and len(value) <= 80
            and not is_instance(value)
            and not GLUE.intersection(words)
            and (any(map(str.isdigit, value)) or len(words) in range(3, 9))
        ):
            yield Span(start, end, kind)
        return
    if "line" in found.re.groupindex and found["line"] and not alone:
        return
    if can_be(value, kind, explicit=explicit, quoted=quoted, alone=alone):
        yield Span(start, end, kind)


def _bare(value: str, opened: str) -> str:
    """A value without what closes a sentence, a bracket or an emphasis behind it."""
    if not value.endswith("***"):
        value = value.removesuffix("**")  # of an emphasis that began before the word
    return value.rstrip(_CLOSERS + "".join(mark for mark in "*_" if mark in opened))


def _beside(text: str, found: re.Match[str], kind: str) -> Iterator[Span]:
    """``and password Tulip77!``: nothing stands between, so it must look like one."""
    if (
        kind == PASSWORD
        and found["open"][-1:] in ("`", '"', "„", "“")
        and " " in text[found.end() : found.end() + 1]
    ):
        yield from _judged(text, found, kind, explicit=False)
        return
    value = _bare(found["value"], found["open"])
    digits, letters = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    quoted = any(mark in "\"'`„“«" for mark in found["open"])
    if kind == PIN:
        sure = value.isdecimal() and 4 <= len(value) <= 8
    elif kind == CODE:
        sure = 4 <= sum(map(str.isdigit, value)) <= 10 and len(value) <= 12
    elif kind == PASSWORD and value.isdecimal():
        sure = len(value) >= 16
    elif kind == TOKEN:
        sure = len(value) >= 24 and digits and letters and value.isalnum()
    else:
        odd = re.search(r"[!@#$%^&*?+=~]", value[:-1]) is not None
        sure = len(value) >= 6 and (digits or odd) and letters
        sure = sure and (not value[0].isdecimal() or len(value) >= 8)
        sure = sure or (quoted and len(value) >= 6 and digits and letters)
    if sure and can_be(value, kind, explicit=False, quoted=quoted, alone=False):
        start = found.start("value")
        yield Span(start, start + len(value), kind)


def _of_user(text: str, end: int) -> Iterator[Span]:
    """``admin / Tulip77``, ``root:Tulip77``."""
    found = _USED.match(text, end)
    if found and found["value"][0] not in "./~" and "/" not in found["value"]:
        if not is_telling(found["value"]) or is_wordy(found["value"]):
            return
        yield from _beside(text, found, PASSWORD)


def _is_heading(text: str, start: int) -> bool:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return line.lstrip().startswith("#")


def _of_http(text: str, start: int, end: int, word: str) -> Iterator[Span]:
    """What is in the head of a request: ``Authorization: Bearer …``, ``Cookie: sid=…``."""
    if word == "bearer":
        found = _BEARER.match(text, end)
        if found and can_be(found["value"], TOKEN, explicit=True, quoted=False, alone=True):
            yield Span(*found.span("value"), TOKEN)
    elif word.startswith("auth"):
        found = _SCHEME.match(text, end)
        if found and can_be(found["value"], TOKEN, explicit=True, quoted=False, alone=True):
            yield Span(*found.span("value"), TOKEN)
    elif word == "cookie" and re.match(r"[\"'`*]*\s*[:=]", text[end : end + 8]):
        stop = text.find("\n", end)
        for one in _PAIRS.finditer(text, end, len(text) if stop < 0 else stop):
            if can_be(one["value"], TOKEN, explicit=True, quoted=False, alone=True):
                yield Span(*one.span("value"), "cookie")


def _of_pair(text: str, end: int) -> Iterator[Span]:
    """``login: bob / Tulip77``."""
    found = _PAIR.match(text, end)
    if found:
        value = _bare(found["value"], found[0])
        start = found.start("value")
        alone = text[start + len(value) : start + len(value) + 2].strip(" `\"'*|.") in ("", "\n")
        named = is_wordy(value) and is_wordy(found["user"])  # google-gemini-cli/gemini-3-flash
        if (
            is_telling(value)
            and not named
            and can_be(value, PASSWORD, explicit=True, quoted=False, alone=alone)
        ):
            yield Span(start, start + len(value), PASSWORD)
    elif found := _LOGIN.match(text, end):
        yield from _beside(text, found, PASSWORD)
