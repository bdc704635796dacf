"""What is odd about an index: diagnostics with line numbers, never exceptions.

An *error* is something that hippo cannot use or must not touch; a *warning* is read in the obvious way. Pointers
into the workspace are checked where there is a disk to look at (:mod:`hippocampus_cli.entries.check`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.index import metadata
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.document import MASTER, Document, Located, Text, View
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines

LEFT_BEHIND = "a merge left this behind; choose one side"
_HX = pattern(r"[ \t>]*+<!--[ \t]*hx[ \t]*:", re.IGNORECASE)


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding at a 1-based line of a file of the index; ``entry`` is the key of the entry it is about, ``remedy``
    a command that mends it, empty where there is none."""

    line: int
    code: str
    severity: Severity
    message: str
    entry: str | None = None
    path: str = MASTER
    remedy: str = ""


def check(document: Document, today: date, ids: AbstractSet[str] | None = None) -> list[Diagnostic]:
    """Every finding about the file itself, in line order.

    ``ids`` are those that an entry may be related to: of the whole index, where the file is one of several.
    """
    found = [*_structure(document), *_header(document)]
    for located in document.entries:
        found += _entry(located, today, document.ids if ids is None else ids)
    return sorted(found, key=lambda one: (one.line, one.code))


def _structure(document: Document) -> Iterator[Diagnostic]:
    lines = split_lines(document.text)
    for at in scan(lines).unclosed:
        what = "comment" if lines[at].lstrip("\ufeff ").startswith("<!--") else "code fence"
        code = "unclosed-" + ("comment" if what == "comment" else "fence")
        if "hx:" not in lines[at]:
            yield Diagnostic(
                at + 1, code, Severity.WARNING, f"this {what} is never closed; read as text"
            )
    yield from _strays(document)
    names: set[str] = set()
    for node_at, node in enumerate(document.nodes):
        if isinstance(node, View):
            if node.name in names:
                start = document.line_of(node_at)
                text = f"a second generated region {node.name!r}; only the first is kept up to date"
                yield Diagnostic(start, "duplicate-view", Severity.WARNING, text)
            names.add(node.name)
    for number, line in enumerate(lines, 1):
        if line.lstrip(" ").startswith("<!-- hippo:begin "):
            name = line.split("hippo:begin", 1)[1].split("-->")[0].strip()
            if name not in document.views:
                text = f"the generated region {name!r} has no end marker; read as text"
                yield Diagnostic(number, "unclosed-view", Severity.WARNING, text)


def _strays(document: Document) -> Iterator[Diagnostic]:
    """What a merge left behind, and metadata that belongs to no entry; code is left alone."""
    for line in conflict_lines(document.text):
        yield Diagnostic(line, "merge-conflict", Severity.ERROR, LEFT_BEHIND)
    kinds = scan(split_lines(document.text)).kinds
    line = 0
    for node in document.nodes:
        for text in split_lines(node.raw):
            line += 1
            if kinds[line - 1] == Kind.CODE:
                continue
            if isinstance(node, Text) and _HX.match(text):
                message = "an hx comment that belongs to no entry"
                yield Diagnostic(line, "stray-hx", Severity.WARNING, message)


def _header(document: Document) -> Iterator[Diagnostic]:
    header = document.header
    if header is None:
        return
    line = document.line_of(document.nodes.index(header))
    if header.entries is not None and header.entries != len(document.entries):
        text = f"the header says {header.entries} entries, the file has {len(document.entries)}"
        yield Diagnostic(line, "entry-count", Severity.WARNING, text)
    if header.reindexed is not None and metadata.read_date(header.reindexed) is None:
        text = f"cannot read the time {header.reindexed!r}"
        yield Diagnostic(line, "bad-date", Severity.WARNING, text)


def _entry(located: Located, today: date, ids: AbstractSet[str]) -> Iterator[Diagnostic]:
    entry = located.entry

    def finding(code: str, severity: Severity, message: str, key: str = "") -> Diagnostic:
        return Diagnostic(_line_of(located, key), code, severity, message, located.key)

    if not entry.closed:
        message = "the hx comment is never closed with -->; the entry is read but never changed"
        yield finding("unclosed-hx", Severity.ERROR, message, "hx:")
    if not entry.pointers:
        yield finding("no-pointer", Severity.WARNING, "the entry has no pointer")
    if located.key != entry.id:
        yield finding(
            "duplicate-id", Severity.ERROR, f"the id {entry.id!r} occurs more than once", "id"
        )
    if entry.hx_span is None:
        return
    yield from _metadata(entry, finding)
    yield from _values(entry, today, finding)
    for other in entry.rel:
        if other not in ids:
            message = f"related to {other!r}, which is not in the index"
            yield finding("unknown-relation", Severity.WARNING, message, "rel")


_Finding = Callable[..., Diagnostic]


def _metadata(entry: Entry, finding: _Finding) -> Iterator[Diagnostic]:
    keys = [item.key for item in metadata.items(entry.comment)]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        message = f"{key} occurs more than once; the first counts"
        yield finding("duplicate-field", Severity.WARNING, message, key)
    for piece in metadata.junk(entry.comment):
        message = f"not a key=value: {piece[:40]!r}"
        yield finding("bad-field", Severity.WARNING, message, piece[:10])
    for key in metadata.REQUIRED:
        if key not in keys and (entry.form is Form.HEADING or key == "id"):
            yield finding("missing-field", Severity.WARNING, f"{key} is missing", "hx:")


def _values(entry: Entry, today: date, finding: _Finding) -> Iterator[Diagnostic]:
    values = entry.values
    for key in ("created", "accessed", "queued", "stale"):
        if key not in values:
            continue
        when = metadata.read_date(values[key])
        if when is None:
            message = f"{key} is not an ISO date: {values[key][:30]!r}"
            yield finding("bad-date", Severity.ERROR, message, key)
        elif (when.date() if isinstance(when, datetime) else when) > today:
            message = f"{key} lies in the future; read as today"
            yield finding("future-date", Severity.WARNING, message, key)
    for key in ("hits", "ver"):
        if key in values and metadata.read_int(values[key]) is None:
            message = f"{key} is not a whole number: {values[key][:30]!r}"
            yield finding("bad-number", Severity.ERROR, message, key)
    for key in ("str", "base"):
        number = metadata.read_float(values.get(key, "0"))
        if number is None:
            message = f"{key} is not a number: {values[key][:30]!r}"
            yield finding("bad-number", Severity.ERROR, message, key)
        elif not 0.0 <= number <= 1.0:
            message = (
                f"{key}={values[key]} is outside 0 to 1; read as {min(1.0, max(0.0, number)):g}"
            )
            yield finding("out-of-range", Severity.ERROR, message, key)
    for key, known in (("pri", metadata.Priority), ("src", metadata.Source)):
        raw = metadata.read_text(values.get(key, "")).lower()
        if raw and raw not in known._value2member_map_:
            message = f"{key}={raw[:30]!r} must be one of {', '.join(known)}"
            yield finding("bad-value", Severity.WARNING, message, key)


def _line_of(located: Located, text: str) -> int:
    """The line of the entry's block on which ``text=`` (or ``text``) stands; the entry's first otherwise."""
    if text and located.entry.hx_span:
        start, end = located.entry.hx_span
        comment = located.entry.raw[start:end]
        for item in metadata.items(comment):
            if item.key == text:
                return located.line + _breaks(located.entry.raw[: start + item.value_start])
        at = comment.find(text)
        if at >= 0:
            return located.line + _breaks(located.entry.raw[: start + at])
    return located.line


def _breaks(text: str) -> int:
    return len(split_lines(text + "x")) - 1
