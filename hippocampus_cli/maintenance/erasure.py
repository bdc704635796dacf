"""Taking a text out of the bytes of one file of hippo's own: what holds it is deleted, and made again if possible.

A row of a log, a report, an archive and the content of a session go as a whole. An entry, the state of a session and
the prose between entries are kept without it; what hippo wrote of a section is written anew of what is left of it.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Collection, Iterator

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import DRAFTED
from hippocampus_cli.maintenance.forgotten_state import STATE
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.redaction.redactor import FORGOTTEN_SIGN, Redactor
from hippocampus_cli.workspace.own_files import (
    ANCHORS,
    CACHE,
    DESCRIPTIONS,
    FOLDER,
    FORGOTTEN,
    LOCK,
    REPORTS,
    SHARED,
    SNAPSHOTS,
    TEMPORAL,
)
from hippocampus_cli.workspace.transaction import DAMAGED

_KINDS = re.compile(
    rf"""
      (?P<stays>   (?: {FORGOTTEN} | {STATE} | {SHARED} | {LOCK}
                     | {FOLDER}/config.toml | {FOLDER}/.gitignore
                     | .*\.lock | .*-wal | .*-shm | .*-journal )$ )
    | (?P<derived> {ANCHORS}/ | (?! {DESCRIPTIONS} ) {CACHE}/ )
    | (?P<whole>   {REPORTS}/ | {SNAPSHOTS}/ | {TEMPORAL}/ | .*/content/[0-9a-f]{{64}}$ )
    | (?P<rows>    .*\.jsonl$ )
    | (?P<values>  .*\.json$ )
    | (?P<entries> .*\.md$ )""",
    re.VERBOSE,
)
_STRING = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)', re.DOTALL)
_MARK = 12
_ARCHIVE = b"PK\x03\x04"
_MOST = 2_000_000_000  # bytes that an archive of ours may unpack to


def kind_of(name: str) -> str | None:
    """What is done with a file of hippo's own: it ``stays``, or it is ``derived`` and made again from the notes; it
    goes as a ``whole``, or ``rows``, ``values`` of JSON, or ``entries`` of it do; of any other one, words."""
    kind = _KINDS.match(name)
    return kind.lastgroup if kind else None


class Erasure:
    """What is to go: ``redactor`` finds texts, ``is_path`` knows notes that go, ``files`` are own files that go.
    ``mark`` tells ids apart that are left with the same words, and says nothing of them.

    ``count`` is in how many places it was met so far, ``removed`` how many entries of the index were deleted,
    ``gone`` are their ids and topics and those of beliefs, ``damaged`` the files that could not be looked into.
    """

    def __init__(
        self,
        redactor: Redactor,
        is_path: Callable[[str], bool],
        files: Collection[str] = (),
        mark: Callable[[str], str] = str,
    ) -> None:
        self.redactor = redactor
        self.is_path = is_path
        self.files = files
        self.mark = mark
        self.gone: set[str] = set()
        self.damaged: list[str] = []
        self.removed = 0
        self.count = 0

    def applied(self, name: str, data: bytes) -> bytes | None:
        """The bytes of the file ``name`` without it, ``None`` where it is to be deleted; the same if nothing was
        met."""
        kind = kind_of(name)
        if name in self.files:
            self.count += 1
            return None
        if kind == "whole" or data.startswith(_ARCHIVE):
            try:
                return None if any(map(self._met, _texts(data))) else data
            except DAMAGED:
                self.damaged.append(name)
                return data
        text = decode(data)
        changed = self._without(kind, text)
        return data if changed == text else encode(changed)

    def _met(self, text: str) -> int:
        """In how many places of a text it is."""
        places = len(self.redactor.spans(text))
        self.count += places
        return places

    def _without(self, kind: str | None, text: str) -> str:
        if kind == "rows":
            return "".join(line for line in split_lines(text) if not self._met(line))
        if kind == "entries":
            parts = [
                self._entry(node) if isinstance(node, Entry) else self._plain(node.raw)
                for node in parse(text).nodes
            ]
            return "".join(map(self._unrelated, parts))  # only now it is known which entries go
        if kind == "values":
            with contextlib.suppress(ValueError, RecursionError):
                json.loads(text)
                return _STRING.sub(self._string, text)
        return self._plain(text)

    def _plain(self, text: str) -> str:
        return self.redactor.redact(text) if self._met(text) else text

    def _string(self, literal: re.Match[str]) -> str:
        text = json.loads(literal[0])
        changed = self._plain(text)
        return literal[0] if changed == text else json.dumps(changed, ensure_ascii=False)

    def _entry(self, entry: Entry) -> Entry | str:
        """An entry without it and without pointers to what is gone; empty where it goes: it leads nowhere else, its
        text does not allow it, or all of its topic is it, or of what it leads to if hippo wrote it."""
        is_index = "from" not in entry.values  # a belief goes
        met, drafted = self._met(entry.raw), entry.src in DRAFTED
        pointers = tuple(
            pointer
            for pointer in entry.pointers
            if not self.is_path(pointer.path)
            if not (met and self.redactor.spans(pointer.path))  # no note any more
        )
        same = pointers == entry.pointers
        if same and not met:
            return entry
        self.count += not met
        with contextlib.suppress(IndexRefused):
            left = self._renamed(entry if same else entry.with_pointers(pointers))
            left = parse_entry(self.redactor.redact(left.raw), left.form)
            leads = any(_is_named(one.section or one.path) for one in left.pointers)
            if _is_named(left.topic) and (not drafted or (is_index and leads)):
                self.gone |= {entry.id} - {left.id}
                return left
        self.removed += is_index
        self.gone |= {entry.id, entry.topic}  # the notes give it anew
        return ""

    def _renamed(self, entry: Entry) -> Entry:
        """An entry under an id without it, and with relations to such ids."""
        values = {
            "rel": metadata.write_list(map(self._id, entry.rel)),
            "id": metadata.write_text(self._id(entry.id)),
        }
        return entry.with_values(values) if entry.closed else entry

    def _id(self, id: str) -> str:
        """An id without it. It depends on nothing else, so that relations in every file follow."""
        left = self.redactor.redact(id, lambda kind: "")
        return id if left == id else metadata.slug(f"entry {self.mark(id)[:_MARK]} {left}")

    def _unrelated(self, part: Entry | str) -> str:
        """An entry without tags that hold it, and without relations to entries that were deleted."""
        if isinstance(part, str):
            return part
        lists = (
            ("tags", part.tags, ()),
            ("rel", part.rel, self.gone),
            ("aka", part.aka, self.gone),
        )
        for key, items, gone in lists:
            left = [item for item in items if item not in gone and FORGOTTEN_SIGN not in item]
            if len(left) < len(items) and part.closed:
                part = part.with_value(key, metadata.write_list(left))
        return part.raw


def _is_named(name: str) -> bool:
    """Whether a topic or a heading is more than what was taken out of it."""
    return any(map(str.isalpha, name.replace(FORGOTTEN_SIGN, "")))


def _texts(data: bytes) -> Iterator[str]:
    """What can be read in content; of an archive, each name with its content. Raises what damage raises."""
    if not data.startswith(_ARCHIVE):
        yield _readable(data)
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if sum(one.file_size for one in members) > _MOST:
            raise ValueError("it unpacks to more than it could hold")
        yield from (f"{one.filename}\n{_readable(archive.read(one))}" for one in members)


def _readable(data: bytes) -> str:
    """The text of content in any encoding: packed, in UTF-16, or plain. Raises what damage raises."""
    if data.startswith(b"\x1f\x8b"):
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            data = file.read(_MOST)
    for encoding, start in (("utf-16-le", 1), ("utf-16-be", 0)):
        half = data[start:400:2]
        if half.count(0) > 0.4 * len(half):
            return data.decode(encoding, "replace")
    return decode(data)
