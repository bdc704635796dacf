"""A note as the rows of the store: its passages, their terms, and what can be told of each without a question."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from hippocampus_cli.embedding.digests import digest_of, embedded
from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.search.postings import HEAD, LABEL, count_of, weights_of
from hippocampus_cli.text.passages import Passage, passages_of
from hippocampus_cli.text.terms import language_of, terms
from hippocampus_cli.workspace.kinds import period_in_name
from hippocampus_cli.workspace.note import Note, Section

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


class Row(NamedTuple):
    """A passage as it is stored. ``title`` and ``body`` are terms; ``others`` are those that stand in none of the
    text, but in headings or the path. ``section_first`` and ``section_last`` count passages from this
    one."""

    start: int
    end: int
    section: int
    headings: str
    title: str
    body: str
    others: str
    length: int
    section_first: int
    section_last: int
    section_length: int
    traits: int
    bold: int
    day: int | None
    copy: int
    digest: bytes


class Indexed(NamedTuple):
    """The passages of a note, and for each of them the weights of its terms."""

    rows: Sequence[Row]
    weights: Sequence[Mapping[str, int]]
    sections: Sequence[Section] = ()


def index_note(note: Note) -> Indexed:
    """The rows of ``note``."""
    language = language_of(note.text)
    passages = passages_of(note)
    place = terms(note.path.rpartition(".")[0].translate(_PATH_SIGNS), language)
    rows: list[Row] = []
    weights: list[Mapping[str, int]] = []
    for _, members in groupby(passages, attrgetter("section", "headings")):
        section = list(members)
        titles = [terms(title, language) for title in section[0].headings]
        heading = [term for title in titles for term in title] + place
        bodies = [terms(filled(passage.text), language) for passage in section]
        total, day = sum(map(len, bodies)), _day(section[0].headings)
        for number, (passage, body) in enumerate(zip(section, bodies, strict=True)):
            fields = ((HEAD, heading), (LABEL, _labels(passage.text, language)))
            weights.append(weights_of(body, fields))
            around = (-number, len(section) - 1 - number, total, day)
            rows.append(_row(passage, titles[-1] if titles else (), body, weights[-1], around))
    return Indexed(rows, weights, note.sections)


def _row(
    passage: Passage,
    title: Sequence[str],
    body: Sequence[str],
    weights: Mapping[str, int],
    around: tuple[int, int, int, int | None],
) -> Row:
    """A passage with the terms of its title and its text, and where its section begins and ends, how long it is, and
    its day."""
    text = passage.text
    first, last, length, day = around
    return Row(
        start=passage.start,
        end=passage.end,
        section=passage.section,
        headings="\n".join(passage.headings),
        title=" ".join(title),
        body=" ".join(body),
        others=" ".join(term for term, each in weights.items() if not count_of(each)),
        length=len(body),
        section_first=first,
        section_last=last,
        section_length=length,
        traits=_traits(passage),
        bold=text.count("**") // 2,
        day=day,
        copy=_copy(text),
        digest=digest_of(embedded(text, passage.headings[-1] if passage.headings else "")),
    )


def _copy(text: str) -> int:
    """What passages have in common that say the same, under whatever heading."""
    said = _TITLE.sub("", text) if text.startswith("#") else text
    said = _SAME.sub("", said.lower()) or text
    return zlib.crc32(said.encode("utf-8", "surrogatepass"))


def _traits(passage: Passage) -> int:
    """A bit for each: whether it has a number, a day, a list, a change."""
    text = passage.text
    signs = (
        _NUMBER.search(text),
        _DATE.search(text),
        _ITEM.search(text),
        _CHANGE.search(text),
    )
    return sum(1 << bit for bit, sign in enumerate(signs) if sign)


def _day(headings: Sequence[str]) -> int | None:
    """The day that the nearest heading names, as an ordinal."""
    for title in reversed(headings):
        if period := period_in_name(title):
            return period[1].toordinal()
    return None


def _labels(text: str, language: str) -> Iterable[str]:
    """The terms of what is set in bold, or stands before a colon."""
    head = text[:_LABELLED]
    return terms(" ".join((*BOLD_TEXT.findall(head), *LABEL_TEXT.findall(head))), language)
