"""What an entry says of its passage beside the topic: its first whole sentences (INDEX §5.1).

Whoever can read says it better: a ``describe`` task asks for that.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.statements import sentences, statements
from hippocampus_cli.entries.topic import contents
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.kinds import NoteKind

SUMMARY_CHARACTERS = 110
_LONGEST = 160  # characters of one sentence that stands whole
_ENOUGH = 0.55  # of the characters of a summary: then no further sentence is added
_READ = 40  # sentences at most


def summary_of(passage: Passage, topic: str) -> str:
    """One plain line of about :data:`SUMMARY_CHARACTERS`; empty for data, and where the passage has no words at all.

    A sentence is never cut if another one fits. A note of several sections also says which.
    """
    if passage.kind is NoteKind.STATE:
        return ""
    line = _first_sentences(_main_part(passage), topic)
    if not line or (passage.section is None and passage.kind is not NoteKind.DAILY):
        inside = contents(passage, SUMMARY_CHARACTERS - len(line) - 3)
        line = " · ".join(filter(None, (line, inside)))
    return line


def _main_part(passage: Passage) -> Passage:
    """The longest section of a day's log; other passages begin with what they are about."""
    sections = [section for section in passage.note.sections if section.level]
    if passage.kind is not NoteKind.DAILY or passage.section or not sections:
        return passage
    longest = max(sections, key=lambda section: section.end - section.start)
    return replace(passage, section=longest, direct=True)


def _first_sentences(passage: Passage, topic: str) -> str:
    known = set(telling_terms(topic))
    line = long = announced = ""
    for sentence in islice(statements(passage), _READ):
        text = plain_line(sentence).rstrip(" ;,")
        if text.endswith((":", "：")):
            announced = text
            continue
        text, announced = f"{announced} {text}".strip(), ""
        if len(set(telling_terms(text)) - known) < 2:
            continue
        if len(text) > (SUMMARY_CHARACTERS - len(line) - 2 if line else _LONGEST):
            long = long or text
            continue
        line = f"{line} {text}" if line.endswith((".", "!", "?", "。")) else f"{line}; {text}"
        line = line.lstrip("; ")
        if len(line) >= SUMMARY_CHARACTERS * _ENOUGH:
            break
    first = shorten(long or plain_line(next(sentences(passage), "")), _LONGEST)
    return line or ("" if first in topic else first)
