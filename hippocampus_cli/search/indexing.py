"""A note as the rows of the store: its passages, their terms, and what can be told of each without a question."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from hippocampus_cli.embedding.digests import digest_of, embedded
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.redaction.redactor import filled, holds_placeholder
from hippocampus_cli.search.postings import HEAD, LABEL, count_of, weights_of
from hippocampus_cli.text.passages import Passage, passages_of
from hippocampus_cli.text.terms import language_of, terms
from hippocampus_cli.workspace.kinds import period_in_name
from hippocampus_cli.workspace.note import Note, Section

if TYPE_CHECKING:
    from hippocampus_cli.search.tables import Record

BOLD_TEXT = pattern(r"\*\*([^*\n]{1,80})\*\*")
LABEL_TEXT = pattern(r"^[-*| \t]{0,6}([^:|\n：]{2,40})[:|：]", re.M)
_PATH_SIGNS = str.maketrans("/._-", "    ")
_LABELLED = 1_500  # characters of a passage in which labels are looked for
_NUMBER = pattern(r"\d")
_ITEM = pattern(r"^[ \t]*[-*] ", re.M)
_DATE = pattern(r"20\d\d[-_/.年]\s?\d{1,2}[-_/.月]\s?\d{1,2}")
_CHANGE = pattern("→|->|~~")
_TITLE = pattern(r"^#{1,6} .*$", re.M)
_SAME = pattern(r"\W+")


class Indexed(NamedTuple):
    """The passages of a note as rows, which begin with the column after ``ordinal``, and for each of them the weights
    of its terms; how many ``terms`` they have; the note's own ``outline``."""

    rows: Sequence[Record]
    weights: Sequence[Mapping[str, int]]
    terms: int = 0
    outline: Sequence[Section] = ()


def index_note(note: Note) -> Indexed:
    """The rows of ``note``."""
    language = language_of(note.text)
    name = terms(note.path.rpartition(".")[0].translate(_PATH_SIGNS), language)
    rows: list[Record] = []
    weights: list[Mapping[str, int]] = []
    length = 0
    for passage in passages_of(note):
        titles = [terms(title, language) for title in passage.headings]
        body = terms(filled(passage.text), language)
        heading = [*chain.from_iterable(titles), *name]
        fields = ((HEAD, heading), (LABEL, _labels(passage.text, language)))
        weights.append(weights_of(body, fields))
        others = (term for term, each in weights[-1].items() if not count_of(each))
        said = (titles[-1] if titles else (), body, others)
        place = passage.start, passage.end, passage.section, "\n".join(passage.headings)
        rows.append((*place, *map(" ".join, said), len(body), *_facts(note.path, passage)))
        length += len(body)
    return Indexed(rows, weights, length, note.sections)


def _facts(path: str, passage: Passage) -> Record:
    """What can be told of its text, and what its text is known by: where something was taken out nobody can tell
    whether another has the same."""
    text = passage.text
    copied = f"{path}:{passage.start} {text}" if holds_placeholder(text) else text
    digest = digest_of(embedded(text, passage.headings[-1] if passage.headings else ""))
    return _traits(text), text.count("**") // 2, _day(passage.headings), _copy(copied), digest


def _copy(text: str) -> int:
    """What passages have in common that say the same, under whatever heading."""
    said = _TITLE.sub("", text) if text.startswith("#") else text
    said = _SAME.sub("", said.lower()) or text
    return zlib.crc32(said.encode("utf-8", "surrogatepass"))


def _traits(text: str) -> int:
    """A bit for each: whether it has a number, a day, a list, a change."""
    signs = enumerate((_NUMBER, _DATE, _ITEM, _CHANGE))
    return sum(1 << bit for bit, sign in signs if sign.search(text))


def _day(headings: Sequence[str]) -> int | None:
    """The day that the nearest heading names, as an ordinal."""
    periods = filter(None, map(period_in_name, reversed(headings)))
    return next((last.toordinal() for _, last in periods), None)


def _labels(text: str, language: str) -> Iterable[str]:
    """The terms of what is set in bold, or stands before a colon."""
    head = text[:_LABELLED]
    return terms(" ".join((*BOLD_TEXT.findall(head), *LABEL_TEXT.findall(head))), language)
