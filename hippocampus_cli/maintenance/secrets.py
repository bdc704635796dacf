"""Secrets of the notes: taken out of the entries that hippo drafted.

What a person wrote into the index is left alone; ``hippo check`` tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind, Planned
from hippocampus_cli.maintenance.erasure import cleaned
from hippocampus_cli.maintenance.relocate import path_of
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.phrases import KIND, ForgottenText, Hashes
from hippocampus_cli.redaction.redactor import Matcher, Redactor, Span, filled
from hippocampus_cli.text.plain_text import ELSEWHERE

_LEAST = 6  # characters


def take_out(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The index without the secrets that its drafted entries hold, living and archived; ids that held one are others.

    Looked for are the secrets of the notes that were read for this snapshot, and what reads like one by itself.
    """
    fresh = {file.note.path for file in snapshot.fresh}
    actions: list[Action] = []
    for path, document in index.files.items():
        changed = {
            located.key: after
            for located in document.entries
            if located.entry.src in DRAFTED and located.entry.closed
            if (after := _without(located.entry, snapshot, fresh)) != located.entry
        }
        nodes = (document.by_key[key].node for key in changed)
        for node, after in zip(nodes, changed.values(), strict=True):
            document = document.with_node(node, after)
            actions.append(Action(Kind.REDACT, after.id, "it held a secret of its note"))
        if changed:
            index = index.with_file(path, document)
    return Planned(index, tuple(actions))


def matcher(snapshot: Snapshot, *paths: str) -> Matcher:
    """What finds the secrets of these notes in other texts; by default of all notes that were read, as far as they
    are long enough to be told from a word."""
    needles = [
        (ForgottenText(value), kind)
        for path in paths or (file.note.path for file in snapshot.fresh)
        for value, kind in snapshot.kept_out(path).items()
        if kind != KIND and (paths or len(value) >= _LEAST)
    ]

    def spans(text: str) -> Iterator[Span]:
        for needle, kind in needles:
            yield from (span._replace(kind=kind) for span in needle(text))

    return spans


def _without(entry: Entry, snapshot: Snapshot, fresh: Set[str]) -> Entry:
    """The entry without secrets; the same where it holds none, or cannot be changed."""
    paths = [path for pointer in entry.pointers if (path := path_of(pointer)) in fresh and path]
    matchers: list[Matcher] = [matcher(snapshot, *paths)] if paths else []
    redactor = Redactor([*matchers, snapshot.redactor.spans])
    if not redactor.spans(entry.raw):
        return entry
    try:
        entry = cleaned(entry, redactor, Hashes(b"redacted").name)
        start, end = entry.hx_span or (len(entry.raw), len(entry.raw))
        before, after = (
            filled(redactor.redact(text), ELSEWHERE)
            for text in (entry.raw[:start], entry.raw[end:])
        )
        return parse_entry(f"{before}{entry.raw[start:end]}{after}", entry.form)
    except IndexRefused:
        return entry
