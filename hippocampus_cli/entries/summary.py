"""The summary of an entry: one line that says what the heading does not (INDEX §5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.entries.passages import Passage, is_fence
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import ELSEWHERE, clean, plain_text, shorten
from hippocampus_cli.text.words import tellers, words
from hippocampus_cli.workspace.kinds import NoteKind

_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_QUOTE = re.compile(r"(?:\s*>)+\s?")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$|\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$")
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?:\s+(?=[^\Wa-z_])|(?<=[。！？])(?=\S))")
_REMARK = re.compile(r"\s*(?:#|//|--|;|<!--|/\*)")
_SAYS = re.compile(r"[^\W_]{2}")  # a drawing or a bare bracket does not
_PROMPT = re.compile(r"^\s*(?:[$%>]\s+)")
_MOST_LINES = 400
_PARAGRAPH = 600


def sentences(passage: Passage) -> Iterator[str]:
    """Plain sentences in order. A code block gives its first command, a table the first cells of its rows."""
    for markdown, code in _pieces(passage):
        if code:
            yield " ".join(markdown.split())[:_PARAGRAPH]
            continue
        text = plain_text(markdown)
        if text:
            yield from (part for part in _SENTENCE.split(text) if part.strip())


def _pieces(passage: Passage) -> Iterator[tuple[str, bool]]:
    """``(markdown, is it code)`` of each paragraph, bullet, table and code block near the start."""
    paragraph: list[str] = []
    cells: list[str] = []
    in_code = False
    for at, (line, kind) in enumerate(passage.lines()):
        if at > _MOST_LINES:
            break
        if kind == Kind.CODE:
            yield from _flush(paragraph, cells)
            if is_fence(line):
                in_code = True
            elif in_code and _SAYS.search(line) and not _REMARK.match(line):
                yield _PROMPT.sub("", line), True
                in_code = False
            continue
        in_code = False
        bare = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
        if kind == Kind.HEADING or not bare.strip() or _RULE.match(bare):
            if kind == Kind.HEADING or not bare.strip():
                yield from _flush(paragraph, cells)
        elif bare.lstrip().startswith("|"):
            cells.append(bare)
        elif found := _BULLET.match(bare):
            yield from _flush(paragraph, cells)
            paragraph.append(bare[found.end() :])
        else:
            paragraph.append(bare)
    yield from _flush(paragraph, cells)


def _flush(paragraph: list[str], rows: list[str]) -> Iterator[tuple[str, bool]]:
    if paragraph:
        yield (
            "".join(line if len(line) < _PARAGRAPH else line[:_PARAGRAPH] for line in paragraph),
            False,
        )
        paragraph.clear()
    if rows:
        yield _table(rows), False
        rows.clear()


def _table(rows: list[str]) -> str:
    """The cells of one column and the heads of the columns: ``bittern, avocet (Name, Where, What)``."""
    split = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows[:40]]
    heads = ", ".join(cell for cell in split[0] if cell)
    for column in range(min(3, len(split[0]))):  # the first column of words; numbers tell little
        cells = [row[column] for row in split[1:] if len(row) > column and row[column]]
        if cells and sum(cell[0].isalpha() or cell[0] in "*`[~" for cell in cells) * 2 > len(cells):
            return f"{', '.join(cells)} ({heads})"
    return heads


SUMMARY_CHARACTERS = 110
_SCANT = 0.35
_ANNOUNCED = 100
_SHORT = 0.55  # a summary shorter than this share of its limit takes in the next sentence too
_MOST_SENTENCES = 60
_JSON_KEY = re.compile(r"\"([A-Za-z_][^\"\n]{1,39})\"\s*:")
_OTHER_KEY = re.compile(r"^\s*(?:- )?\[*([A-Za-z_][\w.-]*)(?:\s*[:=]|\])", re.M)
_LABEL = re.compile(
    r"(?:session (?:id|key)|source|date|time|channel|author|created|updated|last updated|status)\s*:",
    re.I,
)


def summary_of(passage: Passage, topic: str, limit: int = SUMMARY_CHARACTERS) -> str:
    """One plain line of at most ``limit`` characters; empty where the passage has no words at all."""
    if passage.kind is NoteKind.STATE:
        return shorten(filled(_of_data(passage), ELSEWHERE), limit)
    known = {key for _, key in tellers(topic)}
    room = limit
    first = ""
    fallback = ""
    for at, sentence in enumerate(sentences(passage)):
        if at >= _MOST_SENTENCES or (len(first) >= room * _SHORT and first[-1] != ":"):
            break
        sentence = plain_line(sentence).rstrip(" ;,")
        if first:
            joined = f"{first} {sentence}" if first[-1] in ".!?:。！？" else f"{first}; {sentence}"
            if first[-1] == ":":  # what it announces, a command perhaps, is worth some room
                room = max(limit, _ANNOUNCED)
            elif len(joined) > limit and len(first) > limit * _SCANT:
                break
            first = joined
        elif _says_more(sentence, known):
            first = sentence
        else:
            fallback = fallback or sentence
    line = first or fallback
    return shorten(line.removesuffix(":"), room)


def _says_more(sentence: str, known: set[str]) -> bool:
    """Whether a sentence tells something that the topic does not, and is no label of a form."""
    if _LABEL.match(sentence):
        return False
    fresh = {key for _, key in tellers(sentence)} - known
    return len(fresh) >= 2 or (bool(fresh) and len(words(sentence)) >= 4)


def _of_data(passage: Passage) -> str:
    """The first keys of a data file, which are its table of contents."""
    text = passage.note.text[:4000].lstrip("\ufeff \t\r\n")
    pattern = _JSON_KEY if text[:1] in ("{", "[") else _OTHER_KEY
    keys = dict.fromkeys(clean(found[1]) for found in pattern.finditer(text))
    return f"Data: {', '.join(list(keys)[:12])}" if keys else "Data"
