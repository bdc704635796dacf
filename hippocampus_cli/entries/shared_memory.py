"""Entries shared between agents, by a folder of shared memory in the file form of synapse.md (INDEX §10).

An entry goes out in the namespace ``index/AGENT``, and each text that it leads to in ``notes/AGENT``; its pointers
lead to these files. Nothing there is ever changed: what is new says in ``supersedes`` what came before it. What comes
in has the sender's name in its id and in ``from``, is never stronger than at the sender's, and never pinned.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from hippocampus_cli.embedding.digests import digest_of
from hippocampus_cli.entries.check import Follower
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.edit import Draft, block
from hippocampus_cli.index.entry import Entry, Form
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.redaction.redactor import Redactor, filled
from hippocampus_cli.text.plain_text import ELSEWHERE, clean, shorten
from hippocampus_cli.workspace.kinds import SHARED_FOLDER
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.resolve import OTHER_MEMORIES, Status

ENTRIES = "entries"
INDEX, NOTES = "index", "notes"
_AGENT = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_ID = re.compile(r"syn-(\d{4}-\d\d-\d\d)-(\d{3,})")
_TTL = re.compile(r"(\d{1,5})([hdm])")
_MOST_FILES, _MOST_BYTES = 20_000, 1_000_000
_LONGEST_TOPIC, _LONGEST_SUMMARY, _LONGEST_TAG = 120, 300, 40  # characters of what comes in
_MOST_POINTERS, _MOST_TAGS = 31, 8
_ADDRESSED = frozenset(("", "all"))
_IMPORTANCE = {
    metadata.Priority.AMYGDALA: "critical",
    metadata.Priority.LOW: "info",
}


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A file of a folder of shared memory: ``path`` from the folder, ``told`` its front matter, ``body`` the rest."""

    path: str
    told: Mapping[str, object]
    body: str

    def value(self, key: str) -> str:
        """A value of the front matter as text; empty for none."""
        found = self.told.get(key)
        return "" if found is None else str(found).strip()

    @property
    def namespace(self) -> str:
        """``index`` or ``notes``, and whatever other tools have."""
        return self.value("namespace").partition("/")[0]


@dataclass(frozen=True, slots=True)
class Shared:
    """What was written into the folder, or would be. Public: the field names are the keys of ``--json``.

    ``entries`` are the ids that were shared, ``same`` those that the folder has as they are, ``files`` what is new.
    """

    folder: str
    agent: str
    entries: tuple[str, ...]
    same: tuple[str, ...]
    files: tuple[str, ...]
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of the folder that did not come in, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Received:
    """What came in from a folder, or would. ``new`` and ``changed`` are ids here, ``notes`` the texts written."""

    folder: str
    agent: str
    new: tuple[str, ...]
    changed: tuple[str, ...]
    notes: tuple[str, ...]
    left_out: tuple[LeftOut, ...]
    dry_run: bool = False


def checked_agent(name: str) -> str:
    """``name`` as an agent is called there. Raises :class:`UsageError`."""
    if not _AGENT.fullmatch(name):
        advice = "small letters, digits, - and _, for example atlas"
        raise UsageError(reason=f"{name[:40]!r} cannot be the name of an agent", advice=advice)
    return name


def read_folder(folder: Path) -> list[SharedFile]:
    """The files of a folder of shared memory that can be read, by path; links are not followed."""
    found: list[SharedFile] = []
    for base, folders, names in os.walk(folder / ENTRIES, followlinks=False):
        folders.sort()
        for name in sorted(names):
            file = Path(base, name)
            if name.endswith(".md") and not file.is_symlink() and len(found) < _MOST_FILES:
                found += filter(None, [_read(folder, file)])
    return found


def _read(folder: Path, file: Path) -> SharedFile | None:
    path = file.relative_to(folder).as_posix()
    try:
        note = Note(path, decode(read_regular(file, _MOST_BYTES, whole=True)))
    except OSError:
        return None
    told = note.front_matter
    kinds = note.blocks.kinds
    body = [line for line, kind in zip(note.lines, kinds, strict=True) if kind != Kind.FRONT_MATTER]
    return SharedFile(path, told, "".join(body).lstrip("\n"))


@dataclass(slots=True)
class Sharer:
    """Makes the files that share entries in the name of ``agent``, beside those that are ``there``."""

    agent: str
    there: Sequence[SharedFile]
    follower: Follower
    redactor: Redactor
    now: datetime
    files: dict[str, bytes] = field(default_factory=dict)
    entries: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)

    def share(self, chosen: Iterable[Located], strength: Callable[[Entry], float]) -> None:
        """Make the files of these entries; of what the folder has already, none."""
        for located in chosen:
            entry = located.entry
            pointers = tuple(map(self._pointer, entry.pointers))
            draft = self._draft(entry, pointers, strength(entry))
            last = self._last(INDEX, "entry", entry.id)
            if last is not None and _told(last.body) == _told(block(draft)):
                self.same.append(entry.id)
                continue
            importance = _IMPORTANCE.get(entry.pri, "important")
            about = {"entry": entry.id, "priority": importance, "tags": list(entry.tags)}
            self._write(INDEX, about, block(draft) + "\n", last)
            self.entries.append(entry.id)

    def _draft(self, entry: Entry, pointers: tuple[Pointer, ...], strength: float) -> Draft:
        return Draft(
            id=entry.id,
            topic=self._clean(entry.topic),
            summary=self._clean(entry.summary),
            pointers=pointers,
            created=entry.created or self.now.date(),
            accessed=entry.accessed or self.now.date(),
            strength=strength,
            base=strength,
            tags=entry.tags,
            pri=entry.pri,
        )

    def _pointer(self, pointer: Pointer) -> Pointer:
        """Where the text is in the folder; of what is no text here, whose it is."""
        found = self.follower.follow(pointer)
        note = self.follower.note(found.path) if found.status is Status.OK else None
        if note is None:
            return _abroad(pointer, self.agent)
        section = found.section
        lines = (section.start, section.tree_end) if section else (1, len(note.lines))
        text = self._clean(note.text_of(*lines)).rstrip() + "\n"
        source = str(Pointer(found.path, pointer.section))
        last = self._last(NOTES, "source", source)
        if last is None or last.body.rstrip() != text.rstrip():
            about = {"source": source, "priority": "info", "tags": []}
            return Pointer(f"{SHARED_FOLDER}/{self._write(NOTES, about, text, last)}")
        return Pointer(f"{SHARED_FOLDER}/{last.path}")

    def _clean(self, text: str) -> str:
        return filled(self.redactor.redact(text), ELSEWHERE)

    def _last(self, namespace: str, key: str, value: str) -> SharedFile | None:
        """The newest file of our own that has this value."""
        mine = (
            one
            for one in self.there
            if one.value("namespace") == f"{namespace}/{self.agent}" and one.value(key) == value
        )
        return max(mine, key=_number, default=None)

    def _write(
        self, namespace: str, about: Mapping[str, object], body: str, last: SharedFile | None
    ) -> str:
        name = self._free()
        told = {
            "id": name,
            "from": self.agent,
            "timestamp": self.now.isoformat("T", "seconds"),
            "namespace": f"{namespace}/{self.agent}",
            **about,
            "to": "all",
            "ttl": "permanent",
        }
        if last is not None:
            told["supersedes"] = last.value("id")
        head = "".join(
            f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in told.items()
        )
        path = f"{ENTRIES}/{namespace}/{self.agent}/{name}.md"
        self.files[path] = encode(f"---\n{head}---\n{body}")
        self.there = [*self.there, SharedFile(path, told, body)]
        return path

    def _free(self) -> str:
        day = self.now.date().isoformat()
        taken = [_number(one) for one in self.there]
        return f"syn-{day}-{max((n for d, n in taken if d == day), default=0) + 1:03}"


def _abroad(pointer: Pointer, agent: str) -> Pointer:
    """The pointer as others may read it: to what ``agent`` has and they have not."""
    if pointer.path.startswith(OTHER_MEMORIES):
        return pointer
    return Pointer(f"agent:{agent}/{pointer.path}", pointer.section)


def _number(one: SharedFile) -> tuple[str, int]:
    found = _ID.fullmatch(one.value("id"))
    return (found[1], int(found[2])) if found else ("", 0)


def _told(body: str) -> tuple[object, ...] | None:
    """What an entry says, whatever its strength."""
    entry = _entry_of(body)
    if entry is None:
        return None
    return entry.topic, entry.summary, entry.pointers, entry.tags, entry.pri


def _entry_of(body: str) -> Entry | None:
    entries = [one.entry for one in parse(body).entries]
    known = len(entries) == 1 and entries[0].form is Form.HEADING and entries[0].closed
    return entries[0] if known and entries[0].pointers else None


@dataclass(frozen=True, slots=True)
class Arrival:
    """An entry of another agent as it would stand here.

    ``notes`` are the texts to be copied, by path: as they were ever shared, what is said now last.
    """

    draft: Draft
    sender: str
    path: str
    notes: Mapping[str, Sequence[bytes]]


def arrivals(
    there: Sequence[SharedFile],
    agent: str,
    now: datetime,
    inside: str | None,
    refuses: Callable[[str], str | None],
) -> tuple[list[Arrival], list[LeftOut]]:
    """What other agents share with ``agent`` and is still said, and what of it stays out.

    ``inside`` is the folder's path from the workspace, where it is in it; else the texts are to be copied.
    ``refuses`` gives the reason for which a text must not come in.
    """
    files = {f"{SHARED_FOLDER}/{one.path}": one for one in there}
    replaced = {(one.value("from"), one.value("supersedes")) for one in there}
    found: list[Arrival] = []
    out: list[LeftOut] = []
    for one in there:
        sender = one.value("from")
        if not one.value("id"):
            out.append(LeftOut(one.path, "it has no front matter with an id"))
            continue
        if one.namespace != INDEX or sender == agent or (sender, one.value("id")) in replaced:
            continue
        why = _why_not(one, agent, now)
        entry = None if why else _entry_of(one.body)
        if not why and entry is None:
            why = "it is no entry of an index"
        if entry is not None:
            texts = {p: files[p.path] for p in entry.pointers if p.path in files}
            why = next(filter(None, (refuses(text.body) for text in (one, *texts.values()))), "")
            if not why:
                copied = {} if inside is not None else _copies(sender, texts.values(), there)
                found.append(_arrival(one, entry, texts, copied, inside, now.date()))
        if why:
            out.append(LeftOut(one.path, why))
    return found, out


def _why_not(one: SharedFile, agent: str, now: datetime) -> str:
    if not _AGENT.fullmatch(one.value("from")):
        return "it does not say whose it is"
    if one.value("to") not in _ADDRESSED and one.value("to") != f"agent:{agent}":
        return f"it is for {one.value('to')[:40]}"
    return "its time is over" if _is_over(one, now) else ""


def _is_over(one: SharedFile, now: datetime) -> bool:
    lasts = _TTL.fullmatch(one.value("ttl"))
    written = one.told.get("timestamp")
    if isinstance(written, str):
        try:
            written = datetime.fromisoformat(written)
        except ValueError:
            return False
    if lasts is None or not isinstance(written, date):
        return False
    if not isinstance(written, datetime):
        written = datetime.combine(written, time())
    written = written if written.tzinfo else written.replace(tzinfo=UTC)
    units = {"h": timedelta(hours=1), "d": timedelta(days=1), "m": timedelta(minutes=1)}
    try:
        return written + int(lasts[1]) * units[lasts[2]] < now
    except OverflowError:  # beyond the year 9999
        return False


def _arrival(
    one: SharedFile,
    entry: Entry,
    texts: Mapping[Pointer, SharedFile],
    copied: Mapping[str, Sequence[bytes]],
    inside: str | None,
    today: date,
) -> Arrival:
    sender = one.value("from")

    def here(pointer: Pointer) -> Pointer:
        text = texts.get(pointer)
        if text is None:
            return _abroad(pointer, sender)
        if inside is not None:
            return Pointer(f"{inside}/{text.path}")
        return Pointer(_copy_of(sender, text))

    strength = min(1.0, max(0.0, entry.strength if entry.strength is not None else 1.0))
    low = entry.pri is metadata.Priority.LOW
    draft = Draft(
        id=f"{sender}-{metadata.slug(entry.id, 60)}",
        topic=shorten(metadata.plain_line(clean(entry.topic)), _LONGEST_TOPIC),
        summary=shorten(metadata.plain_line(clean(entry.summary)), _LONGEST_SUMMARY),
        pointers=tuple(dict.fromkeys(map(here, entry.pointers[:_MOST_POINTERS]))),
        created=today,
        accessed=today,
        strength=strength,
        base=strength,
        tags=tuple(tag for tag in entry.tags if len(tag) <= _LONGEST_TAG)[:_MOST_TAGS],
        pri=metadata.Priority.LOW if low else metadata.Priority.NORMAL,
    )
    return Arrival(draft, sender, one.path, copied)


def _copies(
    sender: str, texts: Iterable[SharedFile], there: Sequence[SharedFile]
) -> dict[str, list[bytes]]:
    """The bytes of the copies of these texts, by path, with those of what they were before."""
    found = {}
    for text in texts:
        source = text.value("source")
        ever = (
            one for one in there if (one.value("from"), one.value("source")) == (sender, source)
        )
        versions = [
            encode(f"---\nfrom: {sender}\nshared: {json.dumps(one.value('id'))}\n---\n{one.body}")
            for one in (*sorted(ever, key=_number), text)
        ]
        found[_copy_of(sender, text)] = versions
    return found


def _copy_of(sender: str, text: SharedFile) -> str:
    source = text.value("source")
    name = f"{metadata.slug(source, 48)}-{digest_of(source).hex()[:6]}"
    return f"{SHARED_FOLDER}/{sender}/{name}.md"


def stands_already(entry: Entry, arrival: Arrival) -> bool:
    """Whether an entry here says what arrives."""
    draft = arrival.draft
    same = (entry.topic, entry.summary) == (draft.topic, draft.summary)
    return same and entry.pointers == draft.pointers and entry.tags == draft.tags


def renewed(entry: Entry, arrival: Arrival) -> Entry:
    """The entry here with what its sender says now; its strength and its use stay."""
    draft = arrival.draft
    entry = entry.with_topic(draft.topic).with_pointers(draft.pointers)
    entry = entry.with_summary(draft.summary)
    return entry.with_values({"tags": metadata.write_list(draft.tags), "ver": str(entry.ver + 1)})


def block_of(arrival: Arrival) -> str:
    """The entry's block, which says whose it was."""
    entry = _entry_of(block(arrival.draft, 4) + "\n")
    assert entry is not None  # it was read from a file as one
    return entry.with_value("from", metadata.write_text(arrival.sender)).raw.rstrip("\n")
