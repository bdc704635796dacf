"""A note as the rows that the text cache keeps of it. Pure, but for the stems' memo."""

from __future__ import annotations

from array import array
from datetime import date
from functools import cache
from typing import NamedTuple

from hippocampus_cli.embedding.digests import digest_of, embedded
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.search.schema import SectionRow, storable
from hippocampus_cli.search.unit_features import traits_of
from hippocampus_cli.text.tokenizer import MONTH_NAMES, day_stems, stem_text
from hippocampus_cli.text.units import MOST_UNITS, units
from hippocampus_cli.workspace.note import Note, Section

_FRONT_MATTER_STEMS = 100


class Record(NamedTuple):
    """A section: its row, and the stems of its title, place (parents, path, date) and body."""

    row: SectionRow
    title: str
    place: str
    body: str


def records_of(note: Note, days: tuple[date, date] | None) -> list[Record]:
    """The record of each section of ``note``; ``days`` are the first and last day it is about."""
    name = f"{stem_text(_without_extension(note.path))} {_day_words(days)}"
    name = " ".join(dict.fromkeys(name.split()))
    matter = _front_matter(note)
    records, room = [], MOST_UNITS
    for section in note.sections:
        above = stem_text(filled("\n".join(section.parents)))
        place = " ".join(filter(None, (above, name, matter if section.ordinal == 0 else "")))
        record = _record(note, section, place, room)
        room = max(0, room - record.row[-2])
        records.append(record)
    return records


def _record(note: Note, section: Section, place: str, room: int) -> Record:
    """``room``: how many of its units may be small."""
    spans: list[int] = []
    bodies, digests = [], []
    offset = stem_count = 0
    lines = note.lines, note.blocks.kinds
    for start, end, text in units(*lines, section.start, section.end, room):
        if stems := stem_text(filled(text)):
            bodies.append(stems)
            digests.append(digest_of(embedded(text, section.title)))
            length = stems.count(" ") + 1
            spans += (start, end, offset, length, traits_of(text, stems))
            offset += len(stems) + 3
            stem_count += length
    row: SectionRow = (
        section.ordinal,
        section.level,
        storable(section.title),
        storable("".join(f"\n{parent}" for parent in section.parents)),
        section.start,
        section.end,
        section.tree_end,
        section.heading_lines,
        array("I", spans).tobytes(),
        b"".join(digests),
        len(bodies),
        stem_count,
    )
    # a space on each side: the stem "x" of a unit is then found as " x " wherever it stands
    body = "\n".join([f" {stems} " for stems in bodies])
    return Record(row, stem_text(filled(section.title)), place, body)


def _without_extension(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return folder + slash + (stem if dot and stem else name)


def _day_words(days: tuple[date, date] | None) -> str:
    if days is None:
        return ""
    first, last = days
    words = _month_words(first.year, first.month)
    return f"{' '.join(day_stems(first))} {words}" if first == last else words


@cache
def _month_words(year: int, month: int) -> str:
    return stem_text(f"{MONTH_NAMES[month - 1]} {year}")


def _front_matter(note: Note) -> str:
    kinds = note.blocks.kinds
    if not kinds or kinds[0] != Kind.FRONT_MATTER:
        return ""
    lines = (
        line for line, kind in zip(note.lines, kinds, strict=True) if kind == Kind.FRONT_MATTER
    )
    return " ".join(stem_text(filled("".join(lines))).split()[:_FRONT_MATTER_STEMS])
