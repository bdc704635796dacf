"""What a passage says, sentence by sentence, and which of them many workspaces say alike."""

from __future__ import annotations

import re
import string
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from hippocampus_cli.entries.passages import Passage, is_fence
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.text.plain_text import plain_text
from hippocampus_cli.text.sentences import sentences_of

_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_RULE = re.compile(r"\s*+(?:[-*_=]\s*+){3,}+$|[\s:|]*+-[\s:-]*+\|[\s:|-]*+$")
_LABEL = re.compile(r"[*_>\s]*[^\s:*|-][^:*|\n]{0,30}\**:\**\s+\S")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")
_COMMAND = re.compile(
    r"(?!//|echo\b)[A-Za-z./~$][^\s:,;=({]*\s+\S.*[^{(\[:,;]$"
)  # no data, remark or drawing
_HOLE = re.compile(r"\s?[(\[][\s,;/|]*[)\]]")
_MARKS = string.punctuation
SHARED = Path(__file__).with_name("data") / "shared.txt"


def wording(text: str) -> str:
    """The words of a text, those with a digit alike: ids, dates and numbers are each one's own."""
    words = (word.strip(_MARKS) for word in text.casefold().split())
    return " ".join("0" if any(map(str.isdigit, word)) else word for word in words if word)


def checksum(text: str) -> str:
    """The checksum of the form of a text, as the list of shared ones has it."""
    return f"{zlib.crc32(wording(text).encode('utf-8', 'replace')):08x}"


def is_shared(text: str) -> bool:
    """Whether several workspaces of strangers have this sentence or heading: it is a template's, or a program's, and
    says nothing of this workspace."""
    return checksum(text) in _shared()


@cache
def _shared() -> frozenset[str]:
    return frozenset(SHARED.read_text(encoding="ascii").split())


def says_nothing(passage: Passage) -> bool:
    """Whether all that the passage says is shared; of a section also whether it says nothing at all, as code does."""
    nothing = next(statements(passage), None) is None
    return nothing and (bool(passage.section) or next(sentences(passage), None) is not None)


def statements(passage: Passage) -> Iterator[str]:
    """The sentences that the workspace does not share with others."""
    return (sentence for sentence in sentences(passage) if not is_shared(sentence))


def sentences(passage: Passage) -> Iterator[str]:
    """The sentences of a passage in order, as plain text: of paragraphs, bullets and rows of tables, and the first
    command of a block of code. What is struck through holds no longer; labels above the text are no text."""
    for unit in _units(passage):
        text = _HOLE.sub("", plain_text(_STRUCK.sub("", unit)))
        if text.endswith(":") and not unit.rstrip("*_ ").endswith(":"):
            continue  # a label of a picture that is no text
        yield from sentences_of(text)


def _units(passage: Passage) -> Iterator[str]:
    paragraph = command = ""
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
                code, command = True, ""
            elif code and (command or _COMMAND.match(bare)):
                command += bare.removesuffix("\\")
                code = bare.endswith("\\")
                if not code:
                    yield command
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
