"""The anchor index as two JSON files: one that any program can read, one with what hippo needs beside it.

Both hold one thing a line in a fixed order, so that a difference between two builds can be read. Pure.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Mapping
from typing import Any

from hippocampus_cli.anchors.chunks import Span
from hippocampus_cli.anchors.extract import KINDS, Anchor
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, Facts, FileRecord
from hippocampus_cli.errors import AnchorsDamaged, AnchorsOfAnother
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS, ANCHOR_INDEX, ANCHOR_META

VERSION = 1
_OWN = "meta_sha256"  # of what stands before it, the moments of the build left out

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def index_bytes(index: AnchorIndexed) -> bytes:
    """``hippocampus-index.json``: each anchor with its list, an entry a line."""
    shown = _Shown()
    return _lines(
        f"{_text(text)}:[\n{_joined(map(shown, entries))}\n]"
        for text, entries in sorted(index.lists.items())
    )


def meta_bytes(index: AnchorIndexed, listed: bytes, embeds: bytes | None) -> bytes:
    """``hippocampus-meta.json``. ``listed`` and ``embeds`` are the other files, which it names by their hashes."""
    counts = {
        "n_anchors": len(index.anchors),
        "n_chunks": index.chunks,
        "n_files": len(index.files),
        "multi_word_anchors": index.multi_word,
    }
    head: dict[str, object] = {
        "version": VERSION,
        **index.facts._asdict(),
        **counts,
        "index_sha256": digest(listed),
        "embeds_sha256": digest(embeds) if embeds is not None else None,
    }
    files = (
        f"{_text(path)}:{_text({'hash': one.hash, 'updated': one.updated, 'chunks': one.chunks})}"
        for path, one in sorted(index.files.items())
    )
    anchors = (
        f"{_text(text)}:{_text({'kind': one.kind, 'own': one.own, 'company': one.company})}"
        for text, one in sorted(index.anchors.items())
    )
    rows = [f"{_text(key)}:{_text(value)}" for key, value in head.items()]
    tables = (("files", files), ("anchors", anchors))
    rows += [f"{_text(name)}:{{\n{_joined(lines)}\n}}" for name, lines in tables]
    before = "{\n" + _joined(rows)
    return _lines([*rows, f"{_text(_OWN)}:{_text(_own_digest(before.encode()))}"])


def parse(listed: bytes, meta: bytes, embeds: bytes | None) -> AnchorIndexed:
    """The index in its files' bytes. Raises :class:`AnchorsDamaged` with the file, and the line at fault."""
    head = _object(_json(meta, ANCHOR_META), ANCHOR_META)
    if head.get("version") != VERSION:
        shown = json.dumps(head.get("version"))[:40]
        reason = f"it is of version {shown}, and this hippo reads version {VERSION}"
        other = AnchorsOfAnother if type(head.get("version")) is int else AnchorsDamaged
        raise other(path=ANCHOR_META, reason=reason)
    before, said, _ = meta.rpartition(f",\n{_text(_OWN)}:".encode())
    if said and head.get(_OWN) != _own_digest(before):  # an older hippo says none
        raise AnchorsDamaged(path=ANCHOR_META, reason="it is not what hippo wrote")
    rows = _object(_json(listed, ANCHOR_INDEX), ANCHOR_INDEX)
    found = _indexed(head, rows, listed)
    if head.get("index_sha256") != digest(listed):
        reason = f"it is not the one that {ANCHOR_META.rpartition('/')[2]} was written for"
        raise AnchorsDamaged(path=ANCHOR_INDEX, reason=reason)
    if head.get("embeds_sha256") != (None if embeds is None else digest(embeds)):
        reason = f"it is not the one that {ANCHOR_META.rpartition('/')[2]} was written for"
        raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason)
    return found


def digest(data: bytes) -> str:
    """The hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def _own_digest(before: bytes) -> str:
    return digest(before.partition(b',\n"embedder":')[2])


def _indexed(head: Mapping[str, Any], rows: Mapping[str, Any], listed: bytes) -> AnchorIndexed:
    try:
        facts = Facts(**{name: head[name] for name in Facts._fields})
        _require(isinstance(facts.embedder, str) and facts.average > 0 and facts.theta >= 0)
        _require(all(isinstance(one, int) for one in facts[-4:]))
        files = {path: _file(row) for path, row in head["files"].items()}
        anchors = {text: _anchor(text, row) for text, row in head["anchors"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise AnchorsDamaged(path=ANCHOR_META, reason="it does not hold what it should") from error
    known = {(path, *span) for path, one in files.items() for span in one.chunks}
    lists = {}
    for text, row in rows.items():
        try:
            _require(text in anchors and isinstance(row, list) and bool(row))
            entries = tuple(_entry(one, known) for one in row)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            line = _line_of(listed, text)
            reason = f"the list of {text[:60]!r} is none that hippo wrote"
            raise AnchorsDamaged(path=ANCHOR_INDEX, line=line, reason=reason) from error
        lists[text] = entries
    return AnchorIndexed(facts, files, anchors, lists)


def _file(row: Any) -> FileRecord:
    spans = tuple(Span(int(start), int(end)) for start, end in row["chunks"])
    _require(isinstance(row["hash"], str) and all(0 < one.start <= one.end for one in spans))
    return FileRecord(row["hash"], spans, bool(row["updated"]))


def _anchor(text: str, row: Any) -> Anchor:
    own, company = (
        {str(stem): float(worth) for stem, worth in row[name].items()}
        for name in ("own", "company")
    )
    _require(row["kind"] in KINDS)
    return Anchor(text, row["kind"], own, company)


def _entry(row: Any, known: Container[tuple[str, int, int]]) -> Entry:
    entry = Entry(*map(row.__getitem__, Entry._fields))
    path, line, end_line, score, source, preview = entry
    _require((path, line, end_line) in known and type(line) is type(end_line) is int)
    _require(type(score) in (int, float) and type(source) is type(preview) is str)
    return entry


def _require(holds: bool) -> None:
    if not holds:
        raise ValueError


def _json(data: bytes, path: str) -> object:
    try:
        found: object = json.loads(data.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise AnchorsDamaged(path=path, line=error.lineno, reason=error.msg) from error
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise AnchorsDamaged(path=path, line=line, reason="it is not UTF-8") from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or of brackets
        raise AnchorsDamaged(path=path, reason="it is not what hippo wrote") from error
    return found


def _object(value: object, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise AnchorsDamaged(path=path, line=1, reason="it is not a JSON object")
    return value


def _line_of(listed: bytes, text: str) -> int:
    at = listed.find(f"\n{_text(text)}:".encode("utf-8", "surrogatepass"))
    return listed[: max(at, 0)].count(b"\n") + 1 + (at >= 0)


class _Shown(dict[tuple[object, ...], tuple[str, str]]):
    """Entries as JSON. A chunk stands in many lists, so what surrounds its scores is made once."""

    def __call__(self, entry: Entry) -> str:
        before, after = self[entry.place + entry[4:]]
        return f"{before}{entry.score!r}{after}"

    def __missing__(self, key: tuple[object, ...]) -> tuple[str, str]:
        path, line, end_line, source, preview = map(_text, key)
        before = f'{{"path":{path},"line":{line},"end_line":{end_line},"score":'
        made = self[key] = before, f',"source":{source},"preview":{preview}}}'
        return made


def _text(value: object) -> str:
    text = _ENCODER.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # a name in no encoding: escaped it survives
        return json.dumps(value, separators=(",", ":"))
    return text


def _joined(lines: Iterable[str]) -> str:
    return ",\n".join(lines)


def _lines(rows: Iterable[str]) -> bytes:
    return f"{{\n{_joined(rows)}\n}}\n".encode()
