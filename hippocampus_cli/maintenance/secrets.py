"""Secrets of the notes: taken out of the entries that hippo drafted.

What a person wrote into the index is left alone; ``hippo check`` tells of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from hippocampus_cli.entries.draft import id_of
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.edit import free_id
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.maintenance.actions import DRAFTED, Action, Kind, Planned
from hippocampus_cli.maintenance.relocate import path_of
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.phrases import KIND
from hippocampus_cli.redaction.redactor import (
    Matcher,
    Span,
    filled,
    placeholder,
)
from hippocampus_cli.text.plain_text import ELSEWHERE

_CUT = 14  # characters of a long secret that are left where a text was cut
_PART = 6  # characters from which a piece of a secret gives it away
_REASON = "it held a secret of its note"
_FORGOTTEN = "it was forgotten (hippo forget --list)"


def take_out(index: Hierarchy, snapshot: Snapshot) -> Planned:
    """The index without the secrets that its drafted entries hold, living and archived; ids that held one are others.

    Looked for are the secrets of the notes that were read for this snapshot, and what reads like one by itself.
    """
    fresh = {one.note.path for one in snapshot.fresh}
    taken = set(index.taken)
    renamed: dict[str, str] = {}
    actions: list[Action] = []
    for path, document in index.files.items():
        changes: dict[str, Callable[[Entry], Entry]] = {}
        for located in document.entries:
            known = _known(located.entry, snapshot, fresh)
            after = _without(located.entry, known, snapshot, taken)
            if after is not None and located.key not in changes:
                changes[located.key] = partial(_given, after=after)
                if after.id != located.entry.id:
                    taken.add(after.id)
                    renamed[located.entry.id] = after.id
                actions.append(_action(located.entry, after, known))
        if changes:
            index = index.with_file(path, edit.change_entries(document, changes))
    return Planned(*_redirected(index, renamed, actions))


def _action(before: Entry, after: Entry, known: Mapping[str, str]) -> Action:
    """What was taken out of an entry: a secret, or what was forgotten and is in a note still."""
    texts = (before.topic, before.summary, *before.tags)
    forgotten = placeholder(KIND)
    told = [kind for value, kind in known.items() if any(value in text for text in texts)]
    if any(forgotten in text for text in texts) or (told and {*told} == {KIND}):
        return Action(Kind.FORGET, after.id, _FORGOTTEN)
    return Action(Kind.REDACT, after.id, _REASON)


def matcher(snapshot: Snapshot) -> Matcher:
    """What finds the secrets of the notes that were read in other texts, such as the history's."""
    known: dict[str, str] = {}
    for one in snapshot.fresh:
        for value, kind in snapshot.kept_out(one.note.path).items():
            known |= {value: kind, value.casefold(): kind}
    telling = {value: kind for value, kind in known.items() if len(value) >= _PART}
    cut = [re.escape(value[:_CUT]) for value in telling if len(value) > _CUT and "\n" not in value]
    begun = [re.compile(rf"(?:{'|'.join(cut)})[^\s|\]]*")] if cut else []
    whole = [(re.compile(re.escape(value)), kind) for value, kind in telling.items()]

    def found(text: str) -> Iterator[Span]:
        for one, kind in (*whole, *((one, "secret") for one in begun)):
            yield from (Span(*each.span(), kind) for each in one.finditer(text))

    return found


def _given(entry: Entry, after: Entry) -> Entry:
    del entry  # it is the one that ``after`` was made of
    return after


def _known(entry: Entry, snapshot: Snapshot, fresh: set[str]) -> Mapping[str, str]:
    """The secrets of the notes that an entry points at, each with its kind, as far as those are new."""
    found: dict[str, str] = {}
    for pointer in entry.pointers:
        path = path_of(pointer)
        if path in fresh:
            found |= snapshot.kept_out(path)
    return found


def _without(
    entry: Entry, known: Mapping[str, str], snapshot: Snapshot, taken: set[str]
) -> Entry | None:
    """The entry without secrets; ``None`` where it holds none, may not be changed, or cannot be."""
    if entry.src not in DRAFTED or not entry.closed or entry.hx_span is None:
        return None
    pieces = frozenset(_pieces(known))
    topic = _cleaned(entry.topic, known, pieces, snapshot)
    summary = _cleaned(entry.summary, known, pieces, snapshot)
    tags = tuple(
        tag for tag in entry.tags if not _is_piece(tag, pieces) and not snapshot.redactor.spans(tag)
    )
    pointers = tuple(
        one._replace(section=_replaced(one.section, known)) if one.section else one
        for one in entry.pointers
    )
    named = any(_is_piece(part, pieces) for part in entry.id.split("-"))
    if (topic, summary, tags, pointers, named) == (
        *(entry.topic, entry.summary, entry.tags, entry.pointers, False),
    ):
        return None
    try:
        if topic != entry.topic:
            entry = entry.with_topic(topic)
        if summary != entry.summary:
            entry = entry.with_summary(summary)
        if tags != entry.tags:
            entry = entry.with_value("tags", metadata.write_list(tags))
        if pointers != entry.pointers:
            entry = entry.with_pointers(pointers)
        if named:
            key = free_id(id_of(topic), taken)
            entry = entry.with_value("id", metadata.write_text(key))
    except IndexRefused:
        return None
    return entry


def _pieces(known: Mapping[str, str]) -> Iterator[str]:
    """Secrets as tags and ids have them: whole, and the words that they fall into."""
    for value in known:
        slug = metadata.slug(value, len(value) + 1)
        yield from (value.casefold(), slug, *(one for one in slug.split("-") if len(one) >= _PART))


def _is_piece(word: str, pieces: frozenset[str]) -> bool:
    bare = word.casefold().rstrip("…")
    return bare in pieces or (len(bare) >= _PART and any(bare in piece for piece in pieces))


def _cleaned(
    text: str, known: Mapping[str, str], pieces: frozenset[str], snapshot: Snapshot
) -> str:
    text = filled(snapshot.redactor.redact(_replaced(text, known)), ELSEWHERE)
    if not pieces:
        return text
    words = text.split(" ")
    cut = [ELSEWHERE if word.endswith("…") and _is_piece(word, pieces) else word for word in words]
    return " ".join(cut)


def _replaced(text: str, known: Mapping[str, str]) -> str:
    for value in sorted(known, key=len, reverse=True):
        text = text.replace(value, placeholder(known[value]))
    return text


def _redirected(
    index: Hierarchy, renamed: Mapping[str, str], actions: list[Action]
) -> tuple[Hierarchy, tuple[Action, ...]]:
    """The index with relations that lead to entries by their new ids, and ``actions`` with theirs."""
    done = {one.key for one in actions}
    values = {}
    for one in index.entries if renamed else ():
        after = tuple(renamed.get(each, each) for each in one.entry.rel)
        if after != one.entry.rel:
            values[one.key] = {"rel": metadata.write_list(after)}
            if one.entry.id not in done:
                reason = "an entry that it relates to has another id"
                actions.append(Action(Kind.RELATE, one.entry.id, reason, after=", ".join(after)))
    return index.set_values(values), tuple(actions)
