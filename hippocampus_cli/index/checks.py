"""What is odd about an index: diagnostics with line numbers, never exceptions.

An *error* is something that hippo cannot use or must not touch; a *warning* is read in the obvious way. Pointers
into the workspace are checked where there is a disk to look at (:mod:`hippocampus_cli.entries.check`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import date
from enum import StrEnum
from functools import cached_property

from hippocampus_cli.fast_types import Frozen, pattern
from hippocampus_cli.index import metadata
from hippocampus_cli.index.conflicts import conflict_lines
from hippocampus_cli.index.document import (
    MASTER,
    Document,
    Header,
    Located,
    Text,
    View,
    line_breaks,
)
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.lines import split_lines

LEFT_BEHIND = "a merge left this behind; choose one side"
_BEGIN = pattern(r" *+<!-- hippo:begin (.*?)-->")
_POINTER = pattern(r" *+(?:→|->) *+\S")
_HX = pattern(r"[ \t>]*+<!--[ \t]*hx(?:[ \t]*:|[ \t]+[a-z]+=)", re.IGNORECASE)


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


ERRORS = frozenset(
    (
        "merge-conflict",
        "unclosed-hx",
        "duplicate-id",
        "bad-date",
        "bad-number",
        "index-shrunk",
        "missing-file",
        "outside",
        "mind",
        "folder-blocked",
        "out-of-date",
        "conflict",
    )
)
"""The codes of findings that are errors; every other one is a warning."""


class Diagnostic(Frozen):
    """One finding at a 1-based line of a file of the index; ``entry`` is the key of the entry it is about, ``remedy``
    a command that mends it, empty where there is none. It is as severe as its code, where nobody says otherwise."""

    line: int
    code: str
    message: str
    entry: str | None = None
    path: str = MASTER
    remedy: str = ""
    severity: Severity = cached_property(  # type: ignore[assignment]
        lambda self: Severity.ERROR if self.code in ERRORS else Severity.WARNING
    )


def check(document: Document, today: date, ids: AbstractSet[str]) -> list[Diagnostic]:
    """Every finding about the file itself, in line order.

    ``ids`` are those that an entry may be related to, of the whole index.
    """
    findings = [*_structure(document)]
    for located in document.entries:
        for code, message, key in _entry(located, today, ids):
            findings.append(Diagnostic(_line_of(located, key), code, message, located.key))
    return sorted(findings, key=lambda each: (each.line, each.code))


def _structure(document: Document) -> Iterator[Diagnostic]:
    """Blocks that never end, markers of a merge, metadata that belongs to no entry, regions that occur twice."""
    lines = split_lines(document.text)
    blocks = scan(lines)
    for number in blocks.unclosed:
        is_comment = lines[number].lstrip("\ufeff ").startswith("<!--")
        kind = "comment" if is_comment else "fence"
        if "hx:" not in lines[number]:
            message = f"this {kind} is never closed; read as text"
            yield Diagnostic(number + 1, f"unclosed-{kind}", message)
    for line in conflict_lines(document.text):
        yield Diagnostic(line, "merge-conflict", LEFT_BEHIND)
    line = 1
    for node in document.nodes:
        if isinstance(node, Text):
            for number, text in enumerate(split_lines(node.raw), line):
                if blocks.kinds[number - 1] != Kind.CODE:
                    yield from _text(document, number, text)
        elif isinstance(node, View) and node is not document.views[node.name]:
            message = f"a second generated region {node.name!r}; only the first is kept up to date"
            yield Diagnostic(line, "duplicate-view", message)
        elif isinstance(node, Header):
            yield from _header(document, node, line)
        line += line_breaks(node.raw)


def _text(document: Document, line: int, text: str) -> Iterator[Diagnostic]:
    """What only looks like metadata or like a generated region, because it is no whole one."""
    if _HX.match(text):
        yield Diagnostic(
            line, "stray-hx", "no entry has this: write <!-- hx: ... --> below a heading"
        )
    if _POINTER.match(text):
        yield Diagnostic(line, "lost-hx", "no entry: its heading lost the line <!-- hx: ... -->")
    begin = _BEGIN.match(text)
    view = begin[1].rstrip(" \t") if begin else ""
    if begin and view not in document.views:
        message = f"the list {view!r} is read as text: end it with <!-- hippo:end {view} -->"
        yield Diagnostic(line, "unclosed-view", message)


def _header(document: Document, header: Header, line: int) -> Iterator[Diagnostic]:
    if header.entries is not None and header.entries != len(document.entries):
        text = f"the header says {header.entries} entries, the file has {len(document.entries)}"
        yield Diagnostic(line, "entry-count", text)
    if header.reindexed is not None and metadata.read_date(header.reindexed) is None:
        yield Diagnostic(line, "bad-date", f"cannot read the time {header.reindexed!r}")


_Finding = tuple[str, str, str]
"""Code, message, and the field that it is about."""


def _entry(located: Located, today: date, ids: AbstractSet[str]) -> Iterator[_Finding]:
    entry = located.entry
    if not entry.closed:
        message = "the hx comment is never closed with -->; the entry is read but never changed"
        yield "unclosed-hx", message, "hx:"
    if not entry.pointers:
        yield "no-pointer", "the entry has no pointer", ""
    if located.key != entry.id:
        yield "duplicate-id", f"the id {entry.id!r} occurs more than once", "id"
    if entry.hx_span is None:
        return
    yield from _fields(entry)
    for key, raw in entry.values.items():
        if odd := _value(key, raw, today):
            yield (*odd, key)
    for other in entry.rel:
        if other not in ids:
            yield "unknown-relation", f"related to {other!r}, which is not in the index", "rel"


def _fields(entry: Entry) -> Iterator[_Finding]:
    counts = Counter(item.key for item in metadata.items(entry.comment))
    for key, count in counts.items():
        if count > 1:
            yield "duplicate-field", f"{key} occurs more than once; the first counts", key
    for piece in metadata.junk(entry.comment):
        yield "bad-field", f"not a key=value: {piece[:40]!r}", piece[:10]
    for key in metadata.REQUIRED:
        if key not in counts and (entry.form is Form.HEADING or key == "id"):
            yield "missing-field", f"{key} is missing", "hx:"


def _value(key: str, raw: str, today: date) -> tuple[str, str] | None:
    if key in ("created", "accessed", "queued", "stale"):
        day = metadata.read_day(raw)
        if day is None:
            return "bad-date", f"{key} is not an ISO date: {raw[:30]!r}"
        if day > today:
            return "future-date", f"{key} lies in the future; read as today"
    elif key in ("hits", "ver", "str", "base"):
        whole = key in ("hits", "ver")
        number = metadata.read_int(raw) if whole else metadata.read_float(raw)
        if number is None:
            what = "a whole number" if whole else "a number"
            return "bad-number", f"{key} is not {what}: {raw[:30]!r}"
        if not whole and not 0.0 <= number <= 1.0:
            message = f"{key}={raw} is outside 0 to 1; read as {min(1.0, max(0.0, number)):g}"
            return "out-of-range", message
    elif key in ("pri", "src"):
        known: list[str] = list(metadata.Priority if key == "pri" else metadata.Source)
        name = metadata.read_text(raw).lower()
        if name and name not in known:
            message = f"{key}={name[:30]!r} must be one of {', '.join(known)}"
            return "bad-value", message
    return None


def _line_of(located: Located, text: str) -> int:
    """The line of the entry's block on which ``text=`` (or ``text``) stands; the entry's first otherwise."""
    comment = located.entry.comment
    fields = {item.key: item.value_start for item in reversed(metadata.items(comment))}
    place = fields.get(text, comment.find(text) if text else -1)
    if located.entry.hx_span is None or place < 0:
        return located.line
    return located.line + line_breaks(located.entry.raw[: located.entry.hx_span[0] + place])
