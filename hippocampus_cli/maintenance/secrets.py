"""Secrets of the notes: taken out of the entries that hippo drafted.

What a person wrote into the index is left alone; ``hippo check`` tells of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind, Planned
from hippocampus_cli.maintenance.erasure import cleaned
from hippocampus_cli.maintenance.relocate import path_of
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.phrases import KIND, Hashes
from hippocampus_cli.redaction.redactor import Matcher, Redactor, Span, filled
from hippocampus_cli.text.plain_text import ELSEWHERE

_CUT = 14  # characters of a long secret that are left where a text was cut
_PART = 6  # characters from which a piece of a secret gives it away
_REASON = "it held a secret of its note"


def take_out(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The index without the secrets that its drafted entries hold, living and archived; ids that held one are others.

    Looked for are the secrets of the notes that were read for this snapshot, and what reads like one by itself.
    """
    actions: list[Action] = []
    for path, document in index.files.items():
        changes: dict[str, Callable[[Entry], Entry]] = {}
        for located in document.entries:
            entry = located.entry
            after = _without(entry, snapshot) if entry.src in DRAFTED and entry.closed else entry
            if after != entry:
                changes[located.key] = partial(_become, after=after)
                actions.append(Action(Kind.REDACT, after.id, _REASON))
        if changes:
            index = index.with_file(path, edit.change_entries(document, changes))
    return Planned(index, tuple(actions))


def matcher(snapshot: Snapshot, *paths: str) -> Matcher:
    """What finds the secrets of these notes, by default of all that were read, in other texts: whole, cut off, and as
    ids and tags have them."""
    patterns: list[tuple[re.Pattern[str], str]] = []
    for path in paths or (one.note.path for one in snapshot.fresh):
        for value, kind in snapshot.kept_out(path).items():
            if kind != KIND:
                forms = filter(None, _forms(value))
                patterns.append((re.compile("|".join(forms), re.IGNORECASE), kind))

    def spans(text: str) -> Iterator[Span]:
        for pattern, kind in patterns:
            yield from (Span(*met.span(), kind) for met in pattern.finditer(text))

    return spans


def _forms(value: str) -> Iterator[str]:
    slug = metadata.slug(value, len(value) + 1)
    for form in (value, slug):
        if len(form) > _CUT and "\n" not in form:
            yield re.escape(form[:_CUT]) + r"[^\s|,\]]*"
        yield re.escape(form)
    yield from (rf"\b{re.escape(part)}\b" for part in slug.split("-") if len(part) >= _PART)


def _become(entry: Entry, after: Entry) -> Entry:
    del entry  # ``after`` was made of it
    return after


def _without(entry: Entry, snapshot: Snapshot) -> Entry:
    """The entry without secrets; the same where it holds none, or cannot be changed."""
    fresh = {one.note.path for one in snapshot.fresh}
    paths = [path for one in entry.pointers if (path := path_of(one)) in fresh and path]
    matchers: list[Matcher] = [matcher(snapshot, *paths)] if paths else []
    redactor = Redactor([*matchers, snapshot.redactor.spans])
    if not redactor.spans(entry.raw):
        return entry
    try:
        entry = cleaned(entry, redactor, Hashes(b"redacted").name)
        return parse_entry(filled(redactor.redact(entry.raw), ELSEWHERE), entry.form)
    except IndexRefused:
        return entry
