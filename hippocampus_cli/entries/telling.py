"""Which sentences of a passage tell what it is about, by learned trees.

What can be told is cut by the marks of markdown alone, in any language; what is worth telling was learned from
sentences that readers judged, each with the passage it is of. ``python -m bench telling`` fits the trees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.markdown.blocks import Kind, fence_of
from hippocampus_cli.search.ranker import Trees, read_trees
from hippocampus_cli.text.passages import units_of
from hippocampus_cli.text.plain_text import plain_text
from hippocampus_cli.text.sentences import sentences_of
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.fingerprints import checksum

FEATURES = (
    "form",  # a paragraph's, an item's, a row's, or a line of code
    "headings",  # how many are before it: what stands below others is of a part
    "place",  # its number among the sentences
    "length",  # characters
    "length_of_longest",  # the same, of the longest one's
    "terms",  # terms of the words that say something
    "colons",  # how many: labels and fields
)
"""The names of a sentence's numbers, in their order."""
MOST = 12
"""Sentences of a passage that are looked at, the first ones."""
FILE = Path(__file__).with_name("data") / "telling.txt"
PARAGRAPH, ITEM, ROW, CODE = range(4)
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_RULE = re.compile(r"\s*+(?:[-*_=]\s*+){3,}+$|[\s:|]*+-[\s:-]*+\|[\s:|-]*+$")
_STRUCK = re.compile(r"~~(?=\S)[^~\n]+~~")
_BAR = re.compile(r"\|[\s|]*")
_HOLE = re.compile(r"\s?[(\[][\s,;/|]*[)\]]")


class Sentence(NamedTuple):
    """A sentence as plain text (or markdown, before it is cut), its form, and how many headings are before it."""

    text: str
    form: int
    headings: int


def feature_rows(said: Sequence[Sentence]) -> list[list[float]]:
    """A row of :data:`FEATURES` for each sentence."""
    longest = max((len(sentence.text) for sentence in said), default=0)
    rows = []
    for place, (text, form, headings) in enumerate(said):
        length = len(text)
        rows.append(
            [
                form,
                headings,
                place,
                length,
                length / longest,
                len(telling_terms(text)),
                text.count(":"),
            ]
        )
    return rows


@cache
def trees() -> Trees:
    """How telling a sentence is by its row: about 1 where a reader would choose it, below 0 where it misleads or says
    nothing. Where the file cannot be read there are none, and all are alike."""
    found = read_trees(FILE, 1, len(FEATURES))
    return found[0][0] if found else Trees()


def sentences(
    lines: Iterable[tuple[str, int]], common: frozenset[int] = frozenset()
) -> Iterator[Sentence]:
    """The sentences of ``lines``, each of which has its :class:`Kind`, as plain text: of paragraphs, items, rows of
    tables and lines of code, but for lines whose checksums are ``common``. What is struck through holds no longer."""
    for unit, form, headings in _units(lines, common):
        text = _HOLE.sub("", plain_text(_STRUCK.sub("", unit)))
        if text.endswith(":") and not unit.rstrip("*_ ").endswith(":"):
            continue  # a label of a picture that is no text
        for sentence in sentences_of(text):
            yield Sentence(sentence, form, headings)


def _units(lines: Iterable[tuple[str, int]], common: frozenset[int]) -> Iterator[Sentence]:
    """The paragraphs, items, rows and lines of code, as markdown."""
    rows: list[tuple[str, int, int]] = []  # a blank one ends what is before it
    headings = 0
    for line, kind in lines:
        headings += kind == Kind.HEADING
        text = line.strip().lstrip("> ")
        is_rule = _RULE.match(text)
        if is_rule and rows and rows[-1][0].startswith("|"):
            rows[-1] = "", kind, headings  # it named the columns
        if is_rule or kind == Kind.HEADING or fence_of(line) or checksum(line.strip()) in common:
            text = ""
        rows.append((text, kind, headings))
        if kind == Kind.CODE:
            rows.append(("", kind, headings))
    texts = [text for text, *_ in rows]
    for first, last in units_of(texts, 1, len(texts)):
        unit = " ".join(texts[first - 1 : last])
        _, kind, headings = rows[first - 1]
        form = PARAGRAPH
        if kind == Kind.CODE:
            form = CODE
        elif unit.startswith("|"):
            form, unit = ROW, _BAR.sub(", ", _BAR.sub(": ", unit.strip("| "), 1))
        elif bullet := _BULLET.match(unit):
            form, unit = ITEM, unit[bullet.end() :]
        yield Sentence(unit, form, headings)
