"""What a passage says, line by line: sentences, bullets, table rows, commands, in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.drafting.passage import Passage, is_fence
from hippocampus_cli.drafting.plain import plain_text
from hippocampus_cli.markdown.blocks import Kind

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
