"""Summaries without what their heading or their pointers say already, word for word (INDEX §8.2)."""

from __future__ import annotations

import re

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind, Planned, becoming, edited
from hippocampus_cli.maintenance.snapshot import Snapshot

_WORD = re.compile(r"\w+")
_AFTER_NAME = re.compile(r"[:.]\s+|\s+[–—-]\s+|[.:]?$")


def compress(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """Shorter summaries for entries that were drafted; what a person, or another tool, wrote is left alone."""
    strangers = {key for key, known in snapshot.described.items() if not known.own}
    edits = []
    for located in index.entries:
        before, drafted = located.entry.summary, located.entry.src in DRAFTED
        if (
            before
            and drafted
            and located.key not in strangers
            and snapshot.may(Kind.COMPRESS, located)
        ):
            after = compressed(located.entry)
            if after != before:
                reason = "repeats its heading or its pointers"
                action = Action(Kind.COMPRESS, located.key, reason, before, after)
                edits.append(becoming(_shorten(located.entry, after), action))
    return edited(index, edits)


def compressed(entry: Entry) -> str:
    """The summary without the topic in front, and empty where a pointer or the topic says all of it."""
    summary = entry.summary
    while summary[: len(entry.topic)].casefold() == entry.topic.casefold() and (
        end := _AFTER_NAME.match(summary, len(entry.topic))
    ):
        summary = summary[end.end() :]
    words = _WORD.findall(summary.casefold())
    if any(words == _WORD.findall(str(name).casefold()) for name in (entry.topic, *entry.pointers)):
        summary = ""
    try:
        reads_back = _shorten(entry, summary).summary == summary
    except IndexRefused:
        return entry.summary
    return summary if reads_back else entry.summary


def _shorten(entry: Entry, summary: str) -> Entry:
    return entry.with_summary(summary).with_value("ver", str(entry.ver + 1))
