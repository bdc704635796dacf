"""Taking a text out of the bytes of one file of hippo's own: what holds it is deleted, and made again if possible.

A drafted entry, a row of a log, a report, an archive and the content of a session go as a whole. What a person wrote
into the index, the state of a session and the prose between entries are kept without it.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

from hippocampus_cli.errors import FileUnreadable, IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import View
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import DRAFTED
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.redaction.redactor import FORGOTTEN_SIGN, Redactor
from hippocampus_cli.workspace.own_files import FOLDER
from hippocampus_cli.workspace.transaction import DAMAGED

_GOES_WHOLE = re.compile(
    rf"^{FOLDER}/(?:reports|snapshots|temporal)/|(?:^|/)content/[0-9a-f]{{64}}$"
)
_MOST = 2_000_000_000  # bytes that an archive of ours may unpack to
_LISTS = ("tags", "rel", "aka")


class Erasure:
    """What is to go: ``redactor`` finds texts, ``is_path`` knows notes that go. ``count`` is in how many places it
    was met so far, ``gone`` are the ids and topics of the entries that were deleted."""

    def __init__(
        self,
        redactor: Redactor,
        is_path: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self.redactor = redactor
        self.is_path = is_path
        self.gone: set[str] = set()
        self.count = 0

    def applied(self, name: str, data: bytes) -> bytes | None:
        """The bytes of the file ``name`` without it, ``None`` where it is to be deleted; the same if nothing was met.

        Raises :class:`FileUnreadable` for an archive that cannot be looked into.
        """
        if data[:4] == b"PK\x03\x04":
            return None if self._is_in_archive(name, data) else data
        if _GOES_WHOLE.search(name):
            return None if self._met(_readable(data)) else data
        text = decode(data)
        changed = self._text(name, text)
        return data if changed == text else encode(changed)

    def _met(self, text: str) -> int:
        """In how many places of a text it is."""
        places = len(self.redactor.spans(text))
        self.count += places
        return places

    def _text(self, name: str, text: str) -> str:
        if name.endswith(".json"):
            return self._json(text)
        if name.endswith(".jsonl"):
            return "".join(line for line in split_lines(text) if not self._met(line))
        return self._markdown(text) if name.endswith(".md") else self._plain(text)

    def _plain(self, text: str) -> str:
        return self.redactor.redact(text) if self._met(text) else text

    def _json(self, text: str) -> str:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return self._plain(text)
        changed = self._value(document)
        if changed == document:
            return text
        return json.dumps(changed, ensure_ascii=False, indent=1) + "\n"

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._plain(value)
        if isinstance(value, dict):
            return {self._plain(key): self._value(item) for key, item in value.items()}
        return [self._value(item) for item in value] if isinstance(value, list) else value

    def _markdown(self, text: str) -> str:
        """A file with entries: each without it, or deleted; generated lists without the lines that name it."""
        nodes = parse(text).nodes
        raws = [self._entry(node) if isinstance(node, Entry) else node.raw for node in nodes]
        parts: list[str] = []
        for node, raw in zip(nodes, raws, strict=True):  # only now it is known which entries go
            if isinstance(node, Entry):
                parts.append(self._unrelated(raw))
            elif isinstance(node, View):
                for line in split_lines(raw):
                    if not (self._met(line) or any(name in line for name in self.gone)):
                        parts.append(line)
            else:
                parts.append(self._plain(raw))
        return "".join(parts)

    def _entry(self, entry: Entry) -> str:
        """An entry without it and without pointers to what is gone; empty where it goes."""
        pointers = tuple(one for one in entry.pointers if not self.is_path(one.path))
        met, same = self._met(entry.raw), pointers == entry.pointers
        if same and not met:
            return entry.raw
        self.count += not met
        keeps = (pointers or same) and not (met and entry.src in DRAFTED)
        with contextlib.suppress(IndexRefused):
            if keeps:
                return self._without(entry if same else entry.with_pointers(pointers))
        self.gone |= {entry.id, entry.topic}  # the notes give it anew
        return ""

    def _without(self, entry: Entry) -> str:
        """The words of an entry without it. Raises :class:`IndexRefused` where its text does not allow it, or its id
        or all of its topic is it."""
        values = {
            key: metadata.write_list([item for item in items if not self.redactor.spans(item)])
            for key, items in zip(_LISTS, (entry.tags, entry.rel, entry.aka), strict=True)
            if self.redactor.spans(" ".join(items))
        }
        left = entry.with_values(values) if values else entry
        left = parse_entry(self.redactor.redact(left.raw), left.form)
        topic = left.topic.replace(FORGOTTEN_SIGN, "")
        if left.id != entry.id or not any(map(str.isalpha, topic)):
            raise IndexRefused(reason="its id or its topic cannot be kept")
        return left.raw

    def _unrelated(self, raw: str) -> str:
        """An entry without relations to those that were deleted."""
        if not raw or not self.gone:
            return raw
        (located,) = parse(raw).entries
        entry = located.entry
        lists = {
            key: metadata.write_list([item for item in items if item not in self.gone])
            for key, items in (("rel", entry.rel), ("aka", entry.aka))
            if not self.gone.isdisjoint(items)
        }
        return entry.with_values(lists).raw if entry.closed else raw

    def _is_in_archive(self, name: str, data: bytes) -> bool:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = archive.infolist()
                if sum(one.file_size for one in members) > _MOST:
                    raise ValueError("it unpacks to more than it could hold")
                texts = (f"{one.filename}\n{_readable(archive.read(one))}" for one in members)
                return any(self._met(text) for text in texts)
        except DAMAGED as error:
            raise FileUnreadable(path=name, reason="it is damaged") from error


def _readable(data: bytes) -> str:
    """The text of content in any encoding: packed, in UTF-16, or plain."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(_MOST)
        except DAMAGED:
            return ""
    for encoding, start in (("utf-16-le", 1), ("utf-16-be", 0)):
        zeros = data[start:400:2].count(0)
        if zeros and zeros > 0.4 * len(data[start:400:2]):
            return data.decode(encoding, "replace")
    return decode(data)
