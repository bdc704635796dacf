"""A question that keeps coming back becomes a phrase of the entry that answered it for sure (INDEX §8.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from hippocampus_cli.index import metadata
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.maintenance.actions import Action, Kind, Planned, edited, with_values
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.redactor import holds_placeholder
from hippocampus_cli.text.terms import telling_terms

DAYS = 5
"""On so many days a question must have been asked: chance and one long day bring none back so often."""
MOST = 8  # phrases of an entry
_LONGEST = 80  # characters of a phrase

Words = frozenset[str]


def learn_aliases(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The key ``also`` of what finally answered a question that was asked on ``DAYS`` days, in whatever order of
    words. An answer that was called wrong, or was not sure, is none."""
    days, answers = _asked(snapshot)
    learned: dict[str, list[str]] = defaultdict(list)
    for words, (question, key) in answers.items():
        located = index.find(key)
        if len(days[words]) < DAYS or located is None or not snapshot.may(Kind.ALIAS, located):
            continue
        entry, phrase = located.entry, plain_line(question).replace(";", ",")
        phrases = [*entry.also, *learned[located.key]]
        fits = len(phrase) <= _LONGEST and len(phrases) < MOST and not holds_placeholder(phrase)
        if fits and entry.hx_span and words - _words_of(entry, phrases):
            learned[located.key].append(phrase)
    edits = []
    for key, phrases in learned.items():
        action = Action(Kind.ALIAS, key, f"asked on {DAYS} days or more", after="; ".join(phrases))
        also = metadata.write_text(";".join((*index.by_key[key].entry.also, *phrases)))
        edits += [with_values({"also": also}, action)] if phrases else []
    return edited(index, edits)


def _asked(snapshot: Snapshot) -> tuple[dict[Words, set[date]], dict[Words, tuple[str, str]]]:
    """The days of each question, and of those that were answered, how it was put and by which entry."""
    days: dict[Words, set[date]] = defaultdict(set)
    answers: dict[Words, tuple[str, str]] = {}
    for event in snapshot.events:
        if event.at > snapshot.now:
            continue
        words = frozenset(telling_terms(event.query))
        days[words].add(event.at.astimezone(snapshot.now.tzinfo).date())
        if event.used:
            answers[words] = event.query, event.used[0]
        for wrong in event.wrong:
            answers = {words: answer for words, answer in answers.items() if answer[1] != wrong}
    return days, answers


def _words_of(entry: Entry, phrases: Sequence[str]) -> set[str]:
    return set(telling_terms(" ".join((entry.topic, entry.summary, *entry.tags, *phrases))))
