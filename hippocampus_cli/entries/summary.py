"""What an entry says of its passage beside the topic: its first whole sentences (INDEX §5.1).

Whoever can read says it better: a ``describe`` task asks for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from hippocampus_cli.entries.passages import Passage, is_fence
from hippocampus_cli.entries.topic import contents
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.text.plain_text import plain_text, shorten
from hippocampus_cli.text.sentences import sentences_of
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.kinds import NoteKind

SUMMARY_CHARACTERS = 110
_LONGEST = 160  # characters of one sentence that stands whole
_ENOUGH = 0.55  # of the characters of a summary: then no further sentence is added
_READ = 40  # sentences at most
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_RULE = re.compile(r"\s*+(?:[-*_=]\s*+){3,}+$|[\s:|]*+-[\s:-]*+\|[\s:|-]*+$")
_LABEL = re.compile(r"[*_>\s]*[^\s:*|-][^:*|\n]{0,30}\**:\**\s+\S")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")
_COMMAND = re.compile(r"[A-Za-z./~$][^\s:,;=({]*\s+\S.*[^{(\[:,;]$")  # no data, remark or drawing
_HOLE = re.compile(r"\s?[(\[][\s,;/|]*[)\]]")


def summary_of(passage: Passage, topic: str, limit: int = SUMMARY_CHARACTERS) -> str:
    """One plain line of about ``limit`` characters; empty for data, and where the passage has no words at all.

    A sentence is never cut if another one fits. A note of several sections also says which.
    """
    if passage.kind is NoteKind.STATE:
        return ""
    line = _sentences_within(_main_part(passage), topic, limit)
    if passage.section is None and passage.kind is not NoteKind.DAILY:
        inside = contents(passage, limit - len(line) - 3)
        line = " · ".join(filter(None, (line, inside)))
    return line


def _main_part(passage: Passage) -> Passage:
    """The longest section of a day's log; other passages begin with what they are about."""
    sections = [section for section in passage.note.sections if section.level]
    if passage.kind is not NoteKind.DAILY or passage.section or not sections:
        return passage
    longest = max(sections, key=lambda section: section.end - section.start)
    return replace(passage, section=longest, direct=True)


def _sentences_within(passage: Passage, topic: str, limit: int) -> str:
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
        if len(text) > (limit - len(line) - 2 if line else _LONGEST):
            long = long or text
            continue
        line = f"{line} {text}" if line.endswith((".", "!", "?", "。")) else f"{line}; {text}"
        line = line.lstrip("; ")
        if len(line) >= limit * _ENOUGH:
            break
    return line or shorten(long or plain_line(next(statements(passage), "")), _LONGEST)


def statements(passage: Passage) -> Iterator[str]:
    """The sentences of a passage in order, as plain text: of paragraphs, bullets and rows of tables, and the first
    command of a block of code. What is struck through holds no longer; labels above the text are no text."""
    for unit in _units(passage):
        text = _HOLE.sub("", plain_text(_STRUCK.sub("", unit)))
        if text.endswith(":") and not unit.rstrip("*_ ").endswith(":"):
            continue  # a label of a picture that is no text
        yield from sentences_of(text)


def _units(passage: Passage) -> Iterator[str]:
    paragraph = ""
    begun = code = row = False
    for line, kind in passage.lines():
        bare = line.strip().lstrip(">").strip()
        bullet = _BULLET.match(line)
        ends = kind != Kind.TEXT or not bare or bullet or bare.startswith("|")
        if paragraph and (ends or _RULE.match(bare)):
            yield paragraph
            paragraph = ""
        if kind == Kind.CODE:
            if is_fence(line):
                code = True
            elif code and _COMMAND.match(bare):
                yield bare
                code = False
        elif bare.startswith("|"):
            if row and not _RULE.match(bare):
                yield _row(bare)
            row = True  # the first one names the columns
            continue
        elif bullet:
            begun = True
            paragraph = line[bullet.end() :]
        elif kind == Kind.TEXT and bare and not _RULE.match(bare):
            if not begun and not paragraph and _LABEL.match(bare):
                continue
            begun = True
            paragraph += f" {bare}"
        row = False
    if paragraph:
        yield paragraph


def _row(line: str) -> str:
    parts = (cell.strip() for cell in line.strip().strip("|").split("|"))
    name, *cells = [cell for cell in parts if cell and not cell.isdecimal()] or [""]
    return f"{name}: {', '.join(cells)}" if cells else name
