"""Secrets of the notes: taken out of the entries that hippo drafted, and forgotten once no note holds them any more.

What a person wrote into the index is left alone; ``hippo check`` tells of it. ``.hippocampus/cache/secrets.json``
holds, by note, salted slow hashes of the secrets that were found in it. One that is in no note any more gets a
tombstone. Without the file nothing is known to have been removed. It also says by which rules the files were redacted
that an older hippo kept: that is done once.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hippocampus_cli.config.settings import Config
from hippocampus_cli.entries.draft import id_of
from hippocampus_cli.errors import HippoError, IndexRefused
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.edit import free_id
from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.maintenance.actions import Action, Kind, Planned
from hippocampus_cli.maintenance.relocate.moved_sections import path_of
from hippocampus_cli.maintenance.scrub import SECRETS, redact_old
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.redaction.phrases import KIND, Hashes, Phrase, runs_of
from hippocampus_cli.redaction.redactor import (
    Matcher,
    Redactor,
    Span,
    filled,
    placeholder,
    secrets_in,
)
from hippocampus_cli.text.plain_text import ELSEWHERE
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.own_files import ensure_folder
from hippocampus_cli.workspace.read import read_note
from hippocampus_cli.workspace.redaction import redactor_for
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone

_DRAFTED = (Source.AUTO, Source.RETRIEVAL, Source.DEFRAG)
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
    if entry.src not in _DRAFTED or not entry.closed or entry.hx_span is None:
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


RULES = 1
"""Raised where so much more is found that what was kept before is to be looked through again."""
Known = dict[str, list[Phrase]]
_COMMON = 8
"""A single word of fewer letters, none of them a digit, may stand anywhere: it is not forgotten by itself."""


def bury_removed(root: Path, config: Config, snapshot: Snapshot) -> int:
    """Write a tombstone for the secrets that were in a note and are in none now; how many phrases it has.

    Raises what writing a tombstone raises.
    """
    forgotten = tombstones.load(root)
    salt, before, redacted = _read(root)
    if redacted != RULES:  # once: what was kept before there were these rules
        redact_old(root, config.lock.timeout_seconds, Redactor([secrets_in]))
    if forgotten is not None and salt != forgotten.hashes.salt:
        salt, before = forgotten.hashes.salt, None
    hashes = Hashes(salt or secrets.token_bytes(16))
    after = _found(root, hashes, before, snapshot)
    if after == before and redacted == RULES:
        return 0
    there = {one for found in after.values() for one in found}
    gone = sorted({one for found in (before or {}).values() for one in found} - there)
    if gone:
        _bury(root, config, snapshot, hashes, gone)
    _write(root, hashes, after)
    return len(gone)


def _found(
    root: Path,
    hashes: Hashes,
    before: Mapping[str, list[Phrase]] | None,
    snapshot: Snapshot,
) -> Known:
    """The secrets of every note; one that was not written since is read only where nothing is known of any."""
    redactor = redactor_for(root)
    found: Known = {}
    for path in sorted(snapshot.paths):
        if before is None or _is_touched(snapshot, path):
            phrases = sorted(set(_phrases(redactor, hashes, _text(root, path, snapshot))))
        else:
            phrases = before.get(path, [])
        if phrases:
            found[path] = phrases
    return found


def _is_touched(snapshot: Snapshot, path: str) -> bool:
    """Whether a note's file was written since the last cycle, be its text the same or not."""
    was, now = snapshot.known.get(path), snapshot.present.get(path)
    stamps = [(one.size, one.mtime_ns, one.ctime_ns) for one in (was, now) if one is not None]
    return len(stamps) < 2 or stamps[0] != stamps[1] or stamps[0][0] < 0


def _text(root: Path, path: str, snapshot: Snapshot) -> str:
    """The text of a note as it is in its file; empty where it cannot be read."""
    try:
        return read_note(root, path, snapshot.config.scan.max_file_bytes).text
    except HippoError:
        return ""


def _phrases(redactor: Redactor, hashes: Hashes, text: str) -> Iterator[Phrase]:
    for span in redactor.spans(text):
        if span.kind != KIND:
            rows: Iterable[tuple[str, ...]] = runs_of(text[span.start : span.end])
            yield from (hashes.phrase(row) for row in rows if _tells(row))


def _tells(row: tuple[str, ...]) -> bool:
    return len(row) > 1 or len(row[0]) >= _COMMON or any(map(str.isdigit, row[0]))


def _bury(
    root: Path, config: Config, snapshot: Snapshot, hashes: Hashes, gone: list[Phrase]
) -> None:
    def change(there: Forgotten) -> list[Tombstone]:
        number = there.next_number()
        stone = Tombstone(number, snapshot.now, "removed", phrases=tuple(gone))
        return [*there.tombstones, stone]

    tombstones.change(root, config.lock.timeout_seconds, change, hashes.salt)


def _read(root: Path) -> tuple[bytes, Known | None, int]:
    """The salt, what is known (``None`` where nothing is), and by which rules old files were redacted."""
    try:
        row: Any = json.loads(read_regular(root / SECRETS))
        found = {path: [Phrase(*one) for one in rows] for path, rows in row["notes"].items()}
        return bytes.fromhex(row["salt"]), found, int(row.get("rules", 0))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return b"", None, 0


def _write(root: Path, hashes: Hashes, found: Known) -> None:
    row = {"salt": hashes.salt.hex(), "notes": found, "rules": RULES}
    with contextlib.suppress(HippoError):
        data = json.dumps(row, separators=(",", ":")).encode("utf-8", "surrogatepass")
        replace_bytes(ensure_folder(root, SECRETS), data, SECRETS)
