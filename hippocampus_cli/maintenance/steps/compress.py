"""Summaries without what their heading or their pointers say already (INDEX §8.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.index.pointers import parse_pointers
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, changed
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.sameness import target

_DRAFTED = (Source.AUTO, Source.RETRIEVAL, Source.DEFRAG)
_WORD = re.compile(r"\w+")
_FIRST = re.compile(
    r"(.{1,120}?)(?:[.:!?。：]|\s[–—-])(?:\s+|$)"
)  # a sentence, or what a colon introduces
_SEE = re.compile(
    r"(?:^|(?<![\s,;(–—-])[\s,;(–—-]+)(?:see(?: also)?:?\s+|(?:→|->)\s*)(?P<place>[^()]{1,200}+)[).\s]*+$",
    re.I,
)
_PARTS = re.compile(r":\s|\s[–—-]\s|\s>\s|\s?[()]")
_ARTICLES = frozenset(("a", "an", "the"))


def compress(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Shorter summaries for entries that were drafted; what a person, or another tool, wrote is left alone."""
    strangers = {key for key, known in snapshot.described.items() if not known.own}
    shorter = {
        one.key: summary
        for one in index.entries
        if one.entry.src in _DRAFTED and one.entry.id not in strangers
        if one.entry.summary and snapshot.may(Kind.COMPRESS, one)
        if (summary := compressed(one.entry)) != one.entry.summary
    }
    result, done = changed(
        index, {key: partial(_with_summary, summary=summary) for key, summary in shorter.items()}
    )
    return Planned(result, tuple(_action(index, key, shorter[key]) for key in done))


def compressed(entry: Entry) -> str:
    """The summary without leading repetitions of the topic and trailing ones of a pointer; maybe empty.

    What is cut is in the topic or in a pointer word for word, so no word is lost. In front it must be
    the whole of a name or of its part: "Ines: ..." under "Ines in Bremen" says who is speaking.
    """
    names = [entry.topic, *(pointer.section or pointer.path for pointer in entry.pointers)]
    parts = [_words(part) for name in names for part in (name, *_PARTS.split(name))]
    summary = _without_places(entry.summary, entry)
    while (first := _FIRST.match(summary)) and _words(first[1]) in parts:
        summary = summary[first.end() :]
    if _says_nothing(summary, [entry.topic, *map(str, entry.pointers)]):
        summary = ""
    try:
        after = _with_summary(entry, summary)
    except IndexRefused:
        return entry.summary
    return summary if after.summary == summary else entry.summary


def _without_places(summary: str, entry: Entry) -> str:
    """``summary`` without references at its end that a pointer makes already."""
    targets = {target(pointer) for pointer in entry.pointers}
    targets |= {pointer._replace(section=None) for pointer in targets}
    while found := _SEE.search(summary):
        named = parse_pointers(found["place"].rstrip(". \t"))
        if not named or not all(target(pointer) in targets for pointer in named):
            break
        summary = summary[: found.start()].rstrip()
    return summary


def _says_nothing(text: str, known: Sequence[str]) -> bool:
    """Whether the words of ``text`` stand side by side in one of ``known``."""
    words = _words(text)
    count = len(words)
    return any(
        words == said[at : at + count]
        for said in map(_words, known)
        for at in range(len(said) - count + 1)
    )


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _ARTICLES]


def _with_summary(entry: Entry, summary: str) -> Entry:
    if summary == entry.summary:
        return entry
    shorter = entry.with_summary(summary)
    return shorter.with_value("ver", str(entry.ver + 1))


def _action(index: Hierarchy, key: str, summary: str) -> Action:
    before = index.by_key[key].entry.summary
    reason = "repeats its heading or its pointers"
    return Action(Kind.COMPRESS, key, reason, before, summary)
