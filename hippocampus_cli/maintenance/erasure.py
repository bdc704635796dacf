"""Taking a text out of the bytes of one file of hippo's own: what can be made again is deleted.

Entries, JSON and the prose between entries are kept without it; a report, a list by month, the content of a session
and an entry that cannot be kept without it go as a whole.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from hippocampus_cli.errors import FileUnreadable, IndexRefused
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import View
from hippocampus_cli.index.entry import Entry, parse_entry
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace.own_files import FOLDER
from hippocampus_cli.workspace.transaction import DAMAGED

_GOES_WHOLE = re.compile(rf"^{FOLDER}/(?:reports|temporal)/|(?:^|/)content/[0-9a-f]{{64}}$")
_NAME = re.compile(r"[a-z0-9][\w.~-]*")
_MOST = 2_000_000_000  # bytes that an archive of ours may unpack to


class Period(NamedTuple):
    """Days, both included, as they were lived before ``before``."""

    since: date
    until: date
    before: datetime

    def holds(self, moment: object) -> bool:
        """Whether a moment as files of ours write it lies in it."""
        try:
            at = datetime.fromisoformat(str(moment))
        except ValueError:
            return False
        zone = self.before.tzinfo
        at = at.astimezone(zone) if at.tzinfo else at.replace(tzinfo=zone)
        return self.since <= at.date() <= self.until and at <= self.before


def cleaned(entry: Entry, redactor: Redactor, name: Callable[[str], str]) -> Entry:
    """An entry without what a redactor finds in its metadata: ``name`` makes an id in place of one.

    Raises :class:`IndexRefused` where its text does not allow it.
    """

    def clean(key: str, raw: str) -> str:
        if key in ("id", "into"):
            return name(metadata.read_text(raw))
        if key not in ("rel", "aka", "tags"):
            return metadata.write_text(redactor.redact(metadata.read_text(raw)))
        items = metadata.read_list(raw)
        named = [name(item) if redactor.spans(item) else item for item in items]
        left = metadata.write_list([item for item in named if key != "tags" or item in items])
        return "" if redactor.spans(left) else left

    values = entry.values.items()
    return entry.with_values({key: clean(key, raw) for key, raw in values if redactor.spans(raw)})


class Erasure:
    """What is to go, and how: ``redactor`` finds texts, ``is_path`` knows notes that go, ``name`` makes a name in
    place of one. ``leads`` says whether a pointer still leads somewhere. ``count`` is in how many places it was met
    so far, ``gone`` are the ids and topics of the entries that were deleted."""

    def __init__(
        self,
        redactor: Redactor,
        name: Callable[[str], str],
        is_path: Callable[[str], bool] = lambda path: False,
        periods: Sequence[Period] = (),
        leads: Callable[[Pointer], bool] = lambda pointer: True,
    ) -> None:
        self.redactor = redactor
        self.name = name
        self.is_path = is_path
        self.periods = tuple(periods)
        self.leads = leads
        self.gone: set[str] = set()
        self.count = 0

    def applied(self, name: str, data: bytes) -> bytes | None:
        """The bytes of the file ``name`` without it, ``None`` where it is to be deleted; the same if nothing was met.

        Raises :class:`FileUnreadable` for an archive that cannot be looked into.
        """
        if data[:4] == b"PK\x03\x04":
            return self._zip(name, data)
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
            return "".join(map(self._row, split_lines(text)))
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

    def _row(self, line: str) -> str:
        """One line of a file of JSON lines; nothing where it was about what is gone and nothing else."""
        try:
            before = json.loads(line)
        except (ValueError, RecursionError):
            return self._plain(line)
        after = self._value(before)
        if isinstance(before, dict):
            answered = before.get("results") and not after.get("results")
            if answered or any(period.holds(before.get("at")) for period in self.periods):
                self.count += 1
                return ""
        if after == before:
            return line
        return json.dumps(after, ensure_ascii=False, separators=(",", ":")) + "\n"

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._string(value)
        if isinstance(value, dict):
            return {self._string(key): self._value(item) for key, item in value.items()}
        if isinstance(value, list):
            kept = [item for item in value if not self._is_gone(item)]
            self.count += len(value) - len(kept)
            return [self._value(item) for item in kept]
        return value

    def _string(self, text: str) -> str:
        if "<!-- hx:" in text:
            return self._markdown(text)
        if not self._met(text):
            return text
        return self.name(text) if _NAME.fullmatch(text) else self.redactor.redact(text)

    def _is_gone(self, value: Any) -> bool:
        """Whether an item of a list is the id of an entry that was deleted, or an answer out of a note that goes."""
        if isinstance(value, list) and value and isinstance(value[0], str):
            return self.is_path(value[0])
        return isinstance(value, str) and "-" in value and value in self.gone

    def _markdown(self, text: str) -> str:
        """A file with entries: each without it, or deleted; generated lists without the lines that name it."""
        nodes = parse(text).nodes
        raws = [self._entry(node) if isinstance(node, Entry) else node.raw for node in nodes]
        parts: list[str] = []
        for node, raw in zip(nodes, raws, strict=True):  # only now it is known which entries go
            if isinstance(node, Entry):
                parts.append(self._unrelated(raw))
            elif isinstance(node, View):
                parts += (line for line in split_lines(raw) if not self._names_gone(line))
            else:
                parts.append(self._plain(raw))
        return "".join(parts)

    def _entry(self, entry: Entry) -> str:
        """An entry without it and without pointers to what is gone; empty where it goes."""
        leading = (one for one in entry.pointers if not self.is_path(one.path) and self.leads(one))
        pointers = tuple(leading)
        met, same = self._met(entry.raw), pointers == entry.pointers
        if same and not met:
            return entry.raw
        self.count += not met
        try:
            if pointers or same:
                left = entry if same else entry.with_pointers(pointers)
                left = cleaned(left, self.redactor, self.name) if left.closed else left
                return parse_entry(self.redactor.redact(left.raw), left.form).raw
        except IndexRefused:
            pass  # the notes give it anew
        self.gone |= {entry.id, entry.topic}
        return ""

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

    def _names_gone(self, line: str) -> bool:
        return bool(self._met(line)) or any(name in line for name in self.gone)

    def _zip(self, name: str, data: bytes) -> bytes:
        buffer = io.BytesIO()
        changed = False
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
                members = old.infolist()
                if sum(one.file_size for one in members) > _MOST:
                    raise ValueError("it unpacks to more than it could hold")
                for member in members:
                    before = old.read(member)
                    after = self.applied(member.filename, before)
                    keep = after is not None and not self._met(member.filename)
                    changed = changed or after != before or not keep
                    if keep:
                        new.writestr(member, after or b"")
        except DAMAGED as error:
            raise FileUnreadable(path=name, reason="it is damaged") from error
        return buffer.getvalue() if changed else data


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
