"""Taking what was forgotten out of the bytes of one file of hippo's own, whatever kind of file it is."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from hippocampus_cli.errors import FileUnreadable, HippoError
from hippocampus_cli.index import metadata
from hippocampus_cli.index.document import Document, View
from hippocampus_cli.index.edit import remove_entries
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, is_pointer_line, parse_pointers
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from hippocampus_cli.redaction.phrases import words_of
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.sections import find_section, pointer_name

_HX = re.compile(r"<!--\s*hx:(?:(?!-->|<!--\s*hx:).)*+-->", re.DOTALL)
_FIELD = re.compile(
    r"(?P<lead>(?:<!--\s*+hx:|\|)\s*+)(?P<key>[\w-]++)(?P<gap>\s*+=\s*+)"
    r"(?P<value>(?:[^|<>\s-]|-(?!->)|\s++(?!\||-->))*+)(?=\s*+(?:\||-->))"
)
_NAMES = ("id", "rel", "aka", "into")
_NAME = re.compile(r"[a-z0-9][\w.~-]*-[\w.~-]*|[a-z0-9]\w*")
_ARROW = re.compile(r"(?:→|->)[ \t]*(?P<pointer>\S.*)$")
_MOST = 2_000_000_000
"""Bytes that an archive of ours may unpack to."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)


class Period(NamedTuple):
    """Days, both included, as they were lived before ``before``."""

    since: date
    until: date
    before: datetime

    def holds(self, moment: str) -> bool:
        """Whether a moment as files of ours write it lies in it."""
        try:
            at = datetime.fromisoformat(moment)
        except (ValueError, TypeError):
            return False
        if at.tzinfo is None:
            at = at.replace(tzinfo=self.before.tzinfo)
        day = at.astimezone(self.before.tzinfo).date()
        return self.since <= day <= self.until and at <= self.before


class Erasure:
    """What is to go, and how: ``redactor`` finds texts, ``is_path`` knows notes, ``name`` makes a name in place of
    one, ``remains`` says where a pointer is to lead (``None``: nowhere any more). ``count`` is in how many places it
    was met so far."""

    def __init__(
        self,
        redactor: Redactor,
        name: Callable[[str], str],
        is_path: Callable[[str], bool] = lambda path: False,
        periods: Sequence[Period] = (),
        remains: Callable[[Pointer], Pointer | None] | None = None,
    ) -> None:
        self.redactor = redactor
        self.name = name
        self.is_path = is_path
        self.periods = tuple(periods)
        self.remains = remains
        self.gone: set[str] = set()
        self.count = 0

    def applied(self, name: str, data: bytes) -> bytes:
        """The bytes of the file ``name`` without it; the same object where there was none of it.

        Raises :class:`FileUnreadable` for an archive that cannot be looked into.
        """
        if data[:4] == b"PK\x03\x04":
            return self._zip(name, data)
        if data[:2] == b"\x1f\x8b":
            return self._gzip(name, data)
        if encoding := _wide(data):
            return self._decoded(name, data, encoding)
        text = decode(data)
        changed = self._text(name, text)
        return data if changed == text else encode(changed)

    def text(self, text: str) -> str:
        """A piece of text without it."""
        if text in self.gone and "-" in text:
            return self.name(text)
        if "<!-- hx:" in text:
            return self._markdown(text)
        spans = self.redactor.spans(text)
        if not spans:
            return text
        self.count += len(spans)
        if _NAME.fullmatch(text):
            return self.name(text)
        return self.redactor.redact(text)

    def _text(self, name: str, text: str) -> str:
        if name.endswith(".json"):
            return self._json(text)
        if name.endswith(".jsonl"):
            return "".join(map(self._row, split_lines(text)))
        if name.endswith(".md"):
            return self._markdown(text)
        return self._plain(text)

    def _plain(self, text: str) -> str:
        spans = self.redactor.spans(text)
        self.count += len(spans)
        return self.redactor.redact(text) if spans else text

    # JSON

    def _json(self, text: str) -> str:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return self._plain(text)
        changed = self._value(document)
        if changed == document:
            return text
        tight = ": " not in text[:200]
        indent = 1 if "\n " in text[:2_000] else None
        separators = (",", ":") if tight else None
        made = json.dumps(changed, ensure_ascii=False, indent=indent, separators=separators)
        return made + ("\n" if text.endswith("\n") else "")

    def _row(self, line: str) -> str:
        """One line of a file of JSON lines; nothing where it was about what is gone and nothing else."""
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            return self._plain(line)
        if isinstance(document, dict) and any(
            one.holds(str(document.get("at", ""))) for one in self.periods
        ):
            self.count += 1
            return ""
        changed = self._value(document)
        if changed == document:
            return line
        if self._is_emptied(document, changed):
            return ""
        return json.dumps(changed, ensure_ascii=False, separators=(",", ":")) + "\n"

    def _is_emptied(self, before: Any, after: Any) -> bool:
        return isinstance(before, dict) and bool(before.get("results")) and not after.get("results")

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self._value(one) for key, one in value.items()}
        if isinstance(value, list):
            kept = [one for one in value if not self._is_about_gone(one)]
            self.count += len(value) - len(kept)
            return [self._value(one) for one in kept]
        return value

    def _is_about_gone(self, value: Any) -> bool:
        """Whether an item of a list is an answer out of a note that is gone, or the id of an entry that is."""
        if isinstance(value, str):
            return "-" in value and value in self.gone
        path = value[0] if isinstance(value, list) and value else None
        return isinstance(path, str) and self.is_path(path)

    # Markdown

    def _markdown(self, text: str) -> str:
        text = self._without_notes(text)
        parts: list[str] = []
        at = 0
        for found in _HX.finditer(text):
            parts += [self._plain(text[at : found.start()]), self._comment(found.group())]
            at = found.end()
        return "".join([*parts, self._plain(text[at:])])

    def _comment(self, comment: str) -> str:
        return _FIELD.sub(self._field, comment)

    def _field(self, found: re.Match[str]) -> str:
        key, value = found["key"], found["value"]
        listed = key in (*_NAMES, "tags")
        gone = key in ("rel", "aka") and bool(self.gone & set(metadata.read_list(value)))
        spans = self.redactor.spans(value)
        if not spans and not gone:
            return found.group()
        self.count += len(spans) or 1
        if not listed:
            return f"{found['lead']}{key}{found['gap']}{self.redactor.redact(value)}"
        kept = []
        for start, item in _items(value):
            if key != "id" and metadata.read_text(item) in self.gone:
                continue
            if not any(one.start < start + len(item) and start < one.end for one in spans):
                kept.append(item)
            elif key != "tags":
                kept.append(self.name(metadata.read_text(item)))
        return f"{found['lead']}{key}{found['gap']}{','.join(kept)}"

    def _without_notes(self, text: str) -> str:
        """The text without the entries and the lines of lists that lead to notes that are gone and nowhere else."""
        if self.gone and "\n|" in text:
            text = "".join(one for one in split_lines(text) if not self._is_row_of_gone(one))
        if "→" not in text and "->" not in text:
            return text
        document = parse(text)
        document = self._without_entries(document)
        if not any(self._moved(one) != one for one in _pointers(document.text)):
            return self._without_topics(document.text) if document.text != text else text
        lines = []
        for line in split_lines(document.text):
            found = _ARROW.search(line)
            pointers = parse_pointers(found["pointer"]) if found else ()
            left = self._left(pointers)
            if found and left and left != pointers:
                ending = line[len(line.rstrip("\r\n")) :]
                line = line[: found.start("pointer")] + " | ".join(map(str, left)) + ending
            if left or not pointers:
                lines.append(line)
            self.count += left != pointers
        return self._without_topics("".join(lines))

    def _without_entries(self, document: Document) -> Document:
        gone = []
        for one in document.entries:
            pointers = one.entry.pointers
            left = self._left(pointers)
            if left == pointers:
                continue
            self.count += 1
            if left:
                document = document.with_node(one.node, one.entry.with_pointers(left))
            else:
                gone.append(one.key)
                self.gone |= {one.entry.id, one.entry.topic}
        try:
            return remove_entries(document, gone)
        except HippoError:
            kept = {document.by_key[key].node for key in gone}
            return parse("".join(n.raw for at, n in enumerate(document.nodes) if at not in kept))

    def _moved(self, pointer: Pointer) -> Pointer | None:
        if self.is_path(pointer.path):
            return None
        return self.remains(pointer) if self.remains else pointer

    def _left(self, pointers: tuple[Pointer, ...]) -> tuple[Pointer, ...]:
        moved = (self._moved(one) for one in pointers)
        return tuple(dict.fromkeys(one for one in moved if one is not None))

    def _without_topics(self, text: str) -> str:
        """The generated lists without the names of entries that are gone."""
        document = parse(text)
        raws = [
            "".join(map(self._listed, split_lines(node.raw)))
            if isinstance(node, View)
            else node.raw
            for node in document.nodes
        ]
        return "".join(raws)

    def _is_row_of_gone(self, line: str) -> bool:
        """Whether a line is a row of a table about an entry that is gone."""
        return line.startswith("|") and any(c.strip() in self.gone for c in line.split("|"))

    def _listed(self, line: str) -> str:
        lead, mark, rest = line.partition(" ↔ " if " ↔ " in line else ": ")
        if not mark or not line.startswith("- "):
            return line
        if mark != ": " and lead.removeprefix("- ") in self.gone:
            return ""
        body = rest.rstrip("\r\n")
        kept = [one for one in body.split("; ") if one not in self.gone]
        return f"{lead}{mark}{'; '.join(kept)}{rest[len(body) :]}" if kept else ""

    # Archives and other encodings

    def _zip(self, name: str, data: bytes) -> bytes:
        buffer = io.BytesIO()
        changed = False
        renamed: dict[bytes, bytes] = {}
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
                members = sorted(old.infolist(), key=lambda one: not is_content(one.filename))
                if sum(one.file_size for one in members) > _MOST:
                    raise ValueError("it unpacks to more than it could hold")
                for member in members:
                    before = old.read(member)
                    after = self.applied(member.filename, before)
                    for was, now in renamed.items():
                        after = after.replace(was, now)
                    target = self._renamed(member.filename, before, after, renamed)
                    changed = changed or after != before or target != member.filename
                    info = zipfile.ZipInfo(target, member.date_time)
                    info.external_attr = member.external_attr
                    new.writestr(info, after, member.compress_type)
        except _BROKEN as error:
            raise FileUnreadable(path=name, reason="it is damaged") from error
        return buffer.getvalue() if changed else data

    def _renamed(self, name: str, before: bytes, after: bytes, renamed: dict[bytes, bytes]) -> str:
        """The name of a member once its content changed; contents of sessions are named by their digests."""
        if before == after or not is_content(name):
            return self.text(name) if self.redactor.spans(name) else name
        folder, _, digest = name.rpartition("/")
        fresh = content_name(after)
        renamed[digest.encode()] = fresh.encode()
        return f"{folder}/{fresh}"

    def _gzip(self, name: str, data: bytes) -> bytes:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                plain = file.read(_MOST)
        except _BROKEN:
            return data
        changed = self.applied(name.removesuffix(".gz"), plain)
        return data if changed == plain else gzip.compress(changed, mtime=0)

    def _decoded(self, name: str, data: bytes, encoding: str) -> bytes:
        text = data.decode(encoding, "surrogatepass")
        changed = self._text(name, text)
        return data if changed == text else changed.encode(encoding, "surrogatepass")


def content_name(content: bytes) -> str:
    """The name under which a session keeps content."""
    from hashlib import sha256

    return sha256(content).hexdigest()


def is_content(name: str) -> bool:
    """Whether a name is that of content that a session keeps, in its folder or in its archive."""
    return bool(re.search(r"(?:^|/)content/[0-9a-f]{64}$", name))


def _wide(data: bytes) -> str:
    """The encoding of text in UTF-16; empty for what is none."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16-le" if data[:1] == b"\xff" else "utf-16-be"
    elif (
        len(data) >= 4 and len(data) % 2 == 0 and data[1:400:2].count(0) > 0.4 * len(data[1:400:2])
    ):
        encoding = "utf-16-le"
    elif len(data) >= 4 and len(data) % 2 == 0 and data[:400:2].count(0) > 0.4 * len(data[:400:2]):
        encoding = "utf-16-be"
    else:
        return ""
    try:
        data.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return ""
    return encoding


def _items(value: str) -> Iterator[tuple[int, str]]:
    """The items of a list with where each begins."""
    at = 0
    for item in value.split(","):
        yield at, item
        at += len(item) + 1


def _pointers(text: str) -> Iterator[Pointer]:
    for line in split_lines(text):
        if is_pointer_line(line) or "→" in line:
            found = _ARROW.search(line)
            yield from parse_pointers(found["pointer"]) if found else ()


class _Changed(NamedTuple):
    """A note before and after, and which lines (1-based) of the one before are in the one after, in their order."""

    before: Note
    after: Note
    kept: tuple[int, ...]


class Remains:
    """The notes that were changed, by path; calling it with a pointer gives the pointer to what is left of what it
    pointed at, or ``None`` where nothing is."""

    def __init__(self) -> None:
        self._notes: dict[str, _Changed] = {}

    def add(self, path: str, before: str, after: str, removed: frozenset[int]) -> None:
        """The note at ``path``; ``removed`` are the lines (1-based) of ``before`` that are gone as a whole."""
        note = Note(path, before)
        kept = tuple(one for one in range(1, len(note.lines) + 1) if one not in removed)
        self._notes[path] = _Changed(note, Note(path, after), kept)

    def __bool__(self) -> bool:
        return bool(self._notes)

    def __call__(self, pointer: Pointer) -> Pointer | None:
        changed = self._notes.get(pointer.path)
        if changed is None or pointer.section is None:
            return pointer
        found = find_section(changed.before.sections, pointer.section)
        return pointer if found is None else _left(pointer, changed, found.section)


def _left(pointer: Pointer, changed: _Changed, old: Section) -> Pointer | None:
    first = old.start + old.heading_lines
    body = "".join(changed.before.lines[first - 1 : old.tree_end])
    places = [at for at, line in enumerate(changed.kept) if first <= line <= old.tree_end]
    left = [at for at in places if words_of(changed.after.lines[at])]
    if words_of(body) and not left:
        return None
    heading = changed.kept.index(old.start) if old.start in changed.kept else None
    at = heading if heading is not None else left[0] if left else None
    if at is None:
        return None
    sections = changed.after.sections
    around = [one for one in sections if one.start <= at + 1]
    name = pointer_name(sections, around[-1]) if around else None
    return pointer if name == pointer.section else pointer._replace(section=name)
