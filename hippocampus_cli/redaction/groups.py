"""Secrets of several parts: phrases of words, keys in groups of four, lists of codes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.judge import can_be, is_instance
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import PASSWORD, PHRASE, PLAIN_WORDS, TOKEN

MARKS = r"[\\\"'`*_\])»”’]{0,6}"
OPEN = r"(?:«\s|[\\\"'`*_„“”«‘’\[(]{0,4})"
FOR = (
    r"(?:\s+(?:for|of|to|on|at|in|from|für|fuer|von|zum|zur|zu|vom|am|de|del|du|la|le|para|pour|do|da|per|di|van|voor|från|för|till|til|od|от|для|к|на)"
    r"\s[^\n:=|?(]{1,60}?)?"
)
PAREN = r"(?:\s*\([^()\n]{0,40}\))?"
_QUARTERS = pattern(
    r"[\s:=`\"'*]{1,6}(?P<value>(?=[a-z0-9 ]*\d)(?:[a-zA-Z0-9]{4} ){3,15}[a-zA-Z0-9]{4})(?![\w-])"
)
_GROUPS = pattern(
    r"[\s:=`\"'*]{1,6}(?P<value>[a-z]{4}(?P<mark>[ -])(?:[a-z]{4}(?P=mark)){2}[a-z]{4})(?![\w-])"
)
_LISTED = pattern(
    r"[^\n:]{0,40}:?[ \t]*\r?\n\s*(?:[-*+]\s+|\d{1,2}[.)]\s*)[`\"']?(?P<value>[^\s`\"']{6,100})"
    r"[`\"',;]*[ \t]*(?=\r?\n|$|\()"
)
_NEXT = pattern(r"(?:\s*[,;]\s*|[ \t]+|\s*\r?\n\s*(?:[-*+]\s+|\d{1,2}[.)]\s*)?)[`\"']?")
_PHRASE = pattern(
    rf"s?{MARKS}{PAREN}{FOR}(?:\s*(?::|=|\||->|→|：|\bis\b|\bist\b|\blautet\b)"
    rf"|(?=\s+1[.)]|[ \t]*\r?\n(?:[a-z]{{3,8}} ){{11}}))"
    rf"\s*(?P<line>\r?\n\s*(?:```\w*\r?\n)?)?{OPEN}"
    r"(?P<value>(?:\d{1,2}[.)]\s*)?[a-zäöüß]{1,12}(?:(?:[ ,\t]+|\r?\n\s*(?=\d{1,2}[.)]))"
    r"(?:\d{1,2}[.)]\s*)?[a-zäöüß]{1,12}){2,23})(?![\w])"
)
_SHAPES = {"d": r"[A-Za-z0-9]", "l": r"[A-Za-z0-9]"}
_GLUE_TEXT = """
a an in is of to as by or on at it the and for with from that this what when where who why how see ask use
keep store stored written must can may should will was were are been has have had you your our their its his
her not never always every each some any all der die das und für mit von wird ist sind nicht auch nur noch
"""
GLUE = frozenset(_GLUE_TEXT.split())


def in_groups(text: str, start: int, end: int, kind: str) -> Iterator[Span]:
    """What follows, in groups of four, the word between ``start`` and ``end``: app passwords, seeds of codes."""
    if kind == PASSWORD and (found := _GROUPS.match(text, end)):
        if is_instance(found["value"]):
            return
        if found["mark"] == "-" or "app" in text[max(0, start - 30) : start].lower():
            yield Span(*found.span("value"), kind)
    elif kind == TOKEN and (found := _QUARTERS.match(text, end)):
        yield Span(*found.span("value"), kind)


def in_a_list(text: str, end: int, kind: str) -> Iterator[Span]:
    """The items of a list below a word in the plural."""
    found = _LISTED.match(text, end) if text[end : end + 1] == "s" and kind != PASSWORD else None
    value = found["value"].rstrip(",;.") if found else ""
    if found and can_be(value, kind, explicit=True, quoted=False, alone=True):
        start = found.start("value")
        yield from alike(text, Span(start, start + len(value), kind))


def of_phrase(text: str, end: int) -> Iterator[Span]:
    """The words of a seed or of a passphrase."""
    found = _PHRASE.match(text, end)
    if found:
        words = re.findall(r"[a-zäöüß]+", found["value"])
        told = [word for word in words if word not in GLUE]
        sentence = (
            len(words) >= 5 and not PLAIN_WORDS.intersection(told) and _ends(text, found.end())
        )
        if len(words) >= 3 and (len(told) == len(words) or (sentence and len(told) >= 3)):
            yield Span(*found.span("value"), PHRASE)


def _ends(text: str, at: int) -> bool:
    """Whether nothing more is on the line."""
    return not text[at : at + 20].split("\n", 1)[0].strip(" \t\r`\"'*_)”»")


def alike(text: str, first: Span) -> Iterator[Span]:
    """A value in a list, and those of the same shape that follow it there: recovery codes, keys of a vault."""
    value = text[first.start : first.end]
    if value.isdecimal() and re.match(rf" \d{{{len(value)}}}(?!\d)", text[first.end :]):
        value = text[first.start : first.end + 1 + len(value)]
    shape = re.compile("".join(_SHAPES.get(_kind(char), re.escape(char)) for char in value))
    end = first.start + len(value)
    yield Span(first.start, end, first.kind)
    while (mark := _NEXT.match(text, end)) and (found := shape.match(text, mark.end())):
        if not any(map(str.isdigit, found[0])):
            return
        end = found.end()
        yield Span(*found.span(), first.kind)


def _kind(char: str) -> str:
    return "d" if char.isdigit() else "l" if char.isalpha() else ""
