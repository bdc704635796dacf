"""Text as the things it speaks of: sums, times, days, quantities, code, names; and which it says are over. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.text.tokenizer import ALL_MONTHS, is_stop, stem_text

VALUES = frozenset(("money", "time", "day", "weekday", "quantity", "number", "code"))
"""The kinds of things that can take another value; a ``name`` can only be replaced by another."""
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_WEEKDAYS = {day[:3]: day for day in _DAYS.split()}
_UNITS = frozenset(
    (
        *("mg", "g", "kg", "ml", "l", "ms", "s", "min", "h", "hours", "km", "m", "cm", "mm"),
        *("gb", "mb", "kb", "tb", "%", "€", "eur", "euro", "euros", "nok"),
    )
)
_CURRENCIES = frozenset(("€", "eur", "euro", "euros", "nok"))
_CJK_NUMBER = "[〇零一二两三四五六七八九十百千万]"
_CJK_STARTS = frozenset("〇零一二两三四五六七八九十百千万周星礼")
_STOPS = frozenset(".;:(),!?\n")
_ENDED = frozenset(("withdrawn", "cancelled", "revoked", "retired", "superseded"))
_OVER = _ENDED | {"gone", "dead", "wrong", "obsolete", "replaced"}
_MOVED = frozenset(
    (
        *("moved", "moving", "switched", "changed", "migrated", "renamed", "umgestellt"),
        *("gewechselt", "umgezogen", "geändert", "verlegt", "erhöht", "gesenkt"),
    )
)
_FROM_TO = {"from": "to", "von": "auf"}
_CJK_FROM = frozenset("从由")
_CJK_INTO = frozenset(("换成", "改为", "改成", "调整为", "变为", "换到", "改到"))
_COPULAS = frozenset(("is", "are", "was", "were", "been"))
_INSTEAD = (
    ("instead", "of"),
    ("rather", "than"),
    ("in", "place", "of"),
    ("no", "longer"),
    ("replaces",),
    ("statt",),
    ("nicht", "mehr"),
    ("anstelle", "von"),
    ("au", "lieu", "de"),
    ("en", "vez", "de"),
    ("ya", "no"),
)
_ONCE = frozenset(["was", "were", "before", "formerly", "previously"])
# Substrings, not a pattern: most texts have none of them, and to look for them so is ten times as fast.
_CHANGES = (
    *("→", "chang", "move", "moving", "switch", "replac", "raise", " cut", "reverse"),
    *("take over", "takes over", "instead", "longer", "from today", "down to", "up to"),
)
_SIGNS = (
    *("→", "(was ", "(were ", "(from ", "(until ", "(before", "(formerly", "(previously"),
    *(
        "before:",
        "before that",
        "instead of",
        "rather than",
        "in place of",
        "no longer",
        "replaces",
        *("statt ", "nicht mehr", "anstelle von", "au lieu de", "en vez de", "ya no "),
    ),
    *("old `", *sorted(_OVER)),
)
_LEADS = ("was ", "were ", "before", "formerly", "previously")
_ANY = tuple(dict.fromkeys((*_CHANGES, *_SIGNS, *_LEADS, "from ", "von ", *_CJK_INTO)))
_SHORT = tuple(sign for sign in _ANY if not any(one in sign for one in _ANY if one != sign))
"""One of these is in every text of which :func:`is_changing` holds or that :func:`over` finds something in."""

_LEADING = pattern(
    r"(?:^|[.!?](?=\s)|(?<![\s*-])(?=\n))[\s*-]*+(?:was|were|before|formerly|previously)\b"
)
_FROM_ON = pattern(
    r"\bfrom (?:next )?(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun))",
    re.IGNORECASE,
)


_DATED = frozenset(("day", "time", "money"))
_NEAR = 8  # words and signs on either side of an arrow

_INSTEAD_FIRST = frozenset(phrase[0] for phrase in _INSTEAD)


class Value(NamedTuple):
    """One word or value of a text.

    ``key`` is what it is compared by, in stems with spaces between; empty for a plain word, of which there are many.
    """

    kind: str
    text: str
    key: str


_ARROWS = pattern(
    r"(?<=[\w*%€~]) -{1,2}> (?=[\w*€$£~])|(?<=\d)-{1,2}>(?=\d)"
)  # code has other ones
_STRUCK = pattern(r"~~([^~\n]{1,80})~~[ \t]*(?:→[ \t]*)?(?=\S)")
_ORDINALS = pattern(
    r"(?<![\d.,])(\d{1,2})\.[ \t]?(?=(?:jan|feb|m[aä]r|apr|mai|jun|jul|aug|sep|okt|nov|dez)[a-z]*\b)",
    re.I,
)
_NUMERIC = pattern(r"(?<![\d.,])([0-3]?\d)\.([01]?\d)\.(?:(?:20)?\d\d\b)?(?!\d)")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def spelled_out(text: str) -> str:
    """``text`` with one sign for what came instead (``->``, what is struck through before something) and days as
    ``11 April`` (``11. April``, ``11.04.2026``)."""
    if ">" in text:
        text = _ARROWS.sub(" → ", text)
    if "~~" in text:
        text = _STRUCK.sub(r"\1 → ", text)
    if "." in text:
        text = _NUMERIC.sub(_day_and_month, _ORDINALS.sub(r"\1 ", text))
    return text


def _day_and_month(found: re.Match[str]) -> str:
    day, month = int(found[1]), int(found[2])
    return f"{day} {_MONTHS[month - 1]}" if 0 < day < 32 and 0 < month < 13 else found[0]


def values_of(text: str) -> list[Value]:
    """``text`` as things in their order; a name of several words is one, ``12 May`` and ``2.5 mg`` are too."""
    found: list[Value] = []
    for written in _pattern().findall(text.replace("**", "").replace("~~", "")):
        thing = _thing(written)
        if joined := _joined(found[-1], thing) if found else None:
            found[-1] = joined
        else:
            found.append(thing)
    return found


def sentences_of(things: Sequence[Value]) -> Iterator[list[Value]]:
    """The things of each sentence or line."""
    sentence: list[Value] = []
    for thing in things:
        if thing.text in ".!?\n" and thing.kind == "sign":
            yield sentence
            sentence = []
        else:
            sentence.append(thing)
    yield sentence


class Retracted(NamedTuple):
    """A thing that is so no more, and what is so instead, where the sentence says that."""

    thing: Value
    now: Value | None = None


def over(text: str) -> list[Retracted]:
    """What ``text`` says is so no more: ``was X``, ``X → Y``, ``instead of X``, ``from X to Y``, ``X is retired``."""
    return retracted_in(values_of(text), text) if may_tell(text) else []


def retracted_in(things: Sequence[Value], text: str) -> list[Retracted]:
    """As :func:`over`, of a text that is taken apart already."""
    found: list[Retracted] = []
    changing = is_changing(text)
    for sentence in sentences_of(things):
        for at in range(len(sentence)):
            found.extend(one for one in _over_at(sentence, at, changing) if one.thing.key)
    return found


def is_changing(text: str) -> bool:
    """Whether ``text`` may say that something is from now on other than before."""
    lowered = text.lower()
    return any(sign in lowered for sign in _CHANGES) or bool(_FROM_ON.search(text))


def worth_reading(texts: Sequence[str]) -> list[bool]:
    """Whether each of ``texts`` may say that something changes or is over: looked for in all of them at once."""
    lowered = [text.lower() for text in texts]
    together = "\n".join(lowered)
    signs = [sign for sign in _SHORT if sign in together]
    return [any(sign in text for sign in signs) for text in lowered]


def may_tell(text: str) -> bool:
    """Whether it is worth taking a text apart to see what is over, which costs more than to look."""
    lowered = text.lower()
    if any(sign in lowered for sign in _SIGNS) or _may_lead_from(lowered):
        return True
    return any(lead in lowered for lead in _LEADS) and bool(_LEADING.search(lowered))


def _may_lead_from(lowered: str) -> bool:
    return any(word in lowered and _FROM_TO[word] in lowered for word in _FROM_TO) or any(
        into in lowered for into in _CJK_INTO
    )


def _over_at(sentence: Sequence[Value], at: int, changing: bool) -> Iterator[Retracted]:
    word = sentence[at].text.lower()
    before = sentence[at - 1] if at else None
    if word == "→" and before is not None:
        after = _first_value(sentence[at + 1 : at + 3])
        kinds = VALUES | {"name"} if changing else VALUES
        if after and before.kind == after.kind and before.kind in kinds:
            yield Retracted(before, after)
        else:
            yield from _across(sentence, at)
    elif _opens(word, before):
        yield from _replaced(sentence, at, _within(sentence, at + 1))
    elif word == "before" and _texts(sentence, at + 1) in (":", "that"):
        yield from _replaced(sentence, at, _within(sentence, at + 2))
    elif at + 3 < len(sentence) and sentence[at + 2].text.lower() == _FROM_TO.get(word):
        old, new = sentence[at + 1], sentence[at + 3]
        moved = _is_moved(sentence, at) and old.kind == "name"
        if moved or (old.kind == new.kind and old.kind in VALUES - {"day"}):
            yield Retracted(old, new)
    elif word in _CJK_FROM and at + 3 < len(sentence) and sentence[at + 1].kind in VALUES:
        old, new = sentence[at + 1], sentence[at + 3]
        if old.kind == new.kind and sentence[at + 2].text in _CJK_INTO:
            yield Retracted(old, new)
    elif word == "old" and at + 1 < len(sentence) and sentence[at + 1].kind == "code":
        yield Retracted(sentence[at + 1])
    elif word in _OVER and at:
        yield from map(Retracted, _subject(sentence, at))
    for phrase in _INSTEAD if word in _INSTEAD_FIRST else ():
        if tuple(one.text.lower() for one in sentence[at : at + len(phrase)]) == phrase:
            yield from _replaced(sentence, at, _following(sentence, at + len(phrase)))


def _across(sentence: Sequence[Value], at: int) -> Iterator[Retracted]:
    """The nearest day, time or sum before an arrow, and the nearest of its kind after it, with words between."""
    for kind in sorted(_DATED):
        old = next(
            (one for one in reversed(sentence[max(at - _NEAR, 0) : at]) if one.kind == kind), None
        )
        new = next((one for one in sentence[at + 1 : at + 1 + _NEAR] if one.kind == kind), None)
        if old and new and old.key != new.key:
            yield Retracted(old, new)


def _is_moved(sentence: Sequence[Value], at: int) -> bool:
    """Whether a word of moving stands before ``from X to Y``, or at its end as in German."""
    around = [*sentence[max(at - 1, 0) : at], *sentence[at + 4 : at + 6]]
    return any(one.text.lower() in _MOVED for one in around)


def _replaced(sentence: Sequence[Value], at: int, things: Iterable[Value]) -> Iterator[Retracted]:
    """Each of ``things``, with the nearest of its kind before ``at`` as what came instead."""
    for thing in things:
        now = (one for one in reversed(sentence[:at]) if one.kind == thing.kind)
        yield Retracted(thing, next(now, None))


def _opens(word: str, before: Value | None) -> bool:
    """Whether a word begins what was: ``(was X``, ``(from X)``, or ``Before`` at the beginning of a sentence."""
    if before is None:
        return word in _ONCE
    return before.text == "(" and (word in _ONCE or word in ("from", "until"))


def _within(sentence: Sequence[Value], at: int) -> Iterator[Value]:
    """The things up to the closing bracket; after ``until`` only what stands behind a colon."""
    telling = sentence[at - 1].text.lower() != "until"
    for thing in sentence[at : at + 8]:
        if thing.text == ")":
            return
        if thing.text == ":":
            telling = True
        elif thing.text in ("until", "in", "since", "now", "but"):
            return
        elif telling and thing.kind not in ("word", "sign"):
            yield thing
            if thing.kind == "name":
                return


def _following(sentence: Sequence[Value], at: int) -> Iterator[Value]:
    """The first thing of value right after; for ``replaces: make ship`` the words to the end of the line."""
    at += _texts(sentence, at) == ":"
    rest: list[Value] = []
    for thing in sentence[at : at + 5]:
        if thing.kind == "sign":
            break
        rest.append(thing)
    first = _first_value(rest[:3])
    if first and (first.kind != "name" or first in rest[:1] or len(rest) <= 2):
        yield first
    elif sentence[at - 1].text == ":" and len(rest) > 1:
        yield _worded("code", rest)


def _subject(sentence: Sequence[Value], at: int) -> Iterator[Value]:
    """What stands before ``is retired`` or ``withdrawn``, without a remark in brackets."""
    end = at - (sentence[at - 1].text in _COPULAS)
    if end == at and sentence[at].text.lower() not in _ENDED:
        return
    if end > 0 and sentence[end - 1].text == ")":
        opened = [i for i in range(end) if sentence[i].text == "("]
        end = opened[-1] if opened else end
    first = end
    while first > 0 and end - first < 3 and sentence[first - 1].kind != "sign":
        first -= 1
    words = [
        one for one in sentence[first:end] if one.kind != "sign" and not is_stop(one.text.lower())
    ]
    if end > 0 and (not words or words[-1] is not sentence[end - 1]):
        return
    if words and words[-1].kind not in ("word", "sign"):
        yield words[-1]
    elif words:
        yield _worded("word", words)


def _worded(kind: str, things: Sequence[Value]) -> Value:
    text = " ".join(one.text for one in things)
    return Value(kind, text, stem_text(text))


def _first_value(things: Sequence[Value]) -> Value | None:
    return next((one for one in things if one.kind not in ("word", "sign")), None)


def _texts(sentence: Sequence[Value], at: int) -> str:
    return sentence[at].text if at < len(sentence) else ""


@lru_cache(maxsize=8192)  # most words of most texts are the same few thousand
def _thing(written: str) -> Value:
    first = written[0]
    if first == "`":
        return Value("code", written, stem_text(written))
    if first in "€$£":
        return Value("money", written, stem_text(written))
    if first.isdigit():
        kind = "time" if ":" in written else "number"
        return Value(kind, written, stem_text(written))
    if first in _STOPS or written == "→":
        return Value("sign", written, "")
    if cjk := _cjk_kind(written):
        return Value(cjk, written, written)
    weekday = _WEEKDAYS.get(written[:3].lower())
    plain = written.lower().rstrip("s")
    if weekday and first.isupper() and (weekday.startswith(plain)):
        return Value("weekday", written, weekday[:3])
    if first.isupper() and not is_stop(written.lower()):
        return Value("name", written, stem_text(written))
    return Value("word", written, "")


def _cjk_kind(written: str) -> str:
    """The kind of a value that is written in Chinese; empty for a word."""
    if written[0] not in _CJK_STARTS:
        return ""
    if written[0] in "周星礼":
        return "weekday" if len(written) <= 3 and written[-1] in "一二三四五六日天" else ""
    return "money" if any(unit in written for unit in "块元欧") else "number"


def _joined(last: Value, thing: Value) -> Value | None:
    """Two that are one: a name's words, a number with its unit or month."""
    text = f"{last.text} {thing.text}"
    if last.kind == "number":
        month = ALL_MONTHS.get(thing.text.lower())
        if month and last.text.isdigit() and int(last.text) < 32:
            return Value("day", text, stem_text(f"{int(last.text)} {_MONTHS[month - 1]}"))
        if thing.text.lower() in _UNITS:
            kind = "money" if thing.text.lower() in _CURRENCIES else "quantity"
            return Value(kind, text, stem_text(text))
    if last.kind == "name" == thing.kind:
        return Value("name", text, stem_text(text))
    return None


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        r"`[^`\n]+`|[€$£]\s?\d(?:[\d.,]*\d)?|\d{1,2}:\d\d|\d(?:[\d.,]*\d)?|%|€"
        rf"|(?:周|星期|礼拜)[一二三四五六日天]|{_CJK_NUMBER}+[块元欧]{_CJK_NUMBER}*|{_CJK_NUMBER}{{2,}}"
        rf"|从|由|换成|改为|改成|调整为|变为|换到|改到"
        rf"|{_CJK_NUMBER}(?=[张个台点号楼岁人次页])|[^\W\d_](?:(?!{_CJK_NUMBER}|周[一二三四五六日]|[从由]|换成|改[为成到]|调整为)[\w'’-])*|→|[.;:(),!?\n]"
    )
