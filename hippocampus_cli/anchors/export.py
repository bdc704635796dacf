"""The export of all anchors with their lists as files that any program can read (ANCHOR, ``build-index.py``).

``hippocampus-index.json`` has each anchor with the passages that say it, an entry a line, and with vectors
``hippocampus-embeds.npz`` has where each anchor lies among them. ``hippocampus-meta.json`` is written last and names
the others by their hashes. Lookups need none of it: it can be exported again from the notes at any time.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.anchors.lookup import Lead, Notes, permitted_in, rank
from hippocampus_cli.anchors.vocabulary import Vocabulary
from hippocampus_cli.errors import HippoError
from hippocampus_cli.search.candidates import Place
from hippocampus_cli.search.filters import passages_in
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.meaning import Meaning
from hippocampus_cli.search.question import read_questions
from hippocampus_cli.search.sqlite_tables import Tables
from hippocampus_cli.workspace.atomic import replace_bytes
from hippocampus_cli.workspace.file_table import restored
from hippocampus_cli.workspace.kinds import NoteKind, kind_of
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.own_files import (
    ANCHOR_EMBEDS,
    ANCHOR_INDEX,
    ANCHOR_META,
    ANCHORS_LOCK,
    ensure_folder,
)
from hippocampus_cli.workspace.regular import read_regular
from hippocampus_cli.workspace.store import IndexStore

VERSION = 2
_LOOKED_AT = 2  # times as many passages as a list has: some have only a part of a phrase
_BUILT_AT = re.compile(rb'^\{\n "built_at": "[^"]*"')
_LARGEST = 300_000_000  # bytes of a file
Progress = Callable[[int, int], object]
Lists = Mapping[str, Sequence[Lead]]


class AnchorsExported(NamedTuple):
    """An export: ``changed`` says whether the files are (or with a check: would be) other than before. ``embedder``
    made the vectors; ``none`` where there are none."""

    changed: bool
    anchors: int
    multi_word: int
    chunks: int
    files: int
    entries: int
    embedder: str
    built_at: str


def export(
    library: Library, now: datetime, *, check: bool = False, progress: Progress | None = None
) -> AnchorsExported:
    """Write the anchors of the notes as they are now; with ``check`` only say whether that would change the files.

    Raises :class:`FileUnreadable`, :class:`FileUnwritable`, :class:`Busy` and what opening the embedder raises; then
    nothing was changed.
    """
    library.refresh()
    notes = Notes(library.source)
    lists, chunks, files = library.store.healing(partial(_lists, library, notes, progress))
    vectors = _vectors(library.meaning, lists) if library.meaning else None
    embedder = library.meaning.open()[0].name if library.meaning and vectors else "none"
    listed = index_bytes(lists, notes.preview)
    multi_word = sum(" " in text for text in lists)
    facts = {
        "version": VERSION,
        "embedder": embedder,
        "n_anchors": len(lists),
        "n_chunks": chunks,
        "n_files": files,
        "multi_word_anchors": multi_word,
        "index_sha256": _digest(listed),
        "embeds_sha256": _digest(vectors) if vectors else None,
    }
    built_at = now.isoformat("T", "seconds")
    meta = json.dumps({"built_at": built_at, **facts}, indent=1)
    new = {ANCHOR_EMBEDS: vectors, ANCHOR_INDEX: listed, ANCHOR_META: f"{meta}\n".encode()}
    changed = any(_timeless(_read(library.root, name)) != _timeless(new[name]) for name in new)
    if not check:
        _write(library, new)
    return AnchorsExported(
        changed,
        len(lists),
        multi_word,
        chunks,
        files,
        sum(map(len, lists.values())),
        embedder,
        built_at,
    )


def export_again(library: Library, now: datetime) -> tuple[str, ...]:
    """Export anew what somebody has exported before; what a person should know if that failed."""
    try:
        export(library, now)
    except HippoError as error:
        return (f"the anchors are behind: {error.message} (hippo anchors build makes them anew)",)
    return ()


def index_bytes(lists: Lists, preview: Callable[[Place], str]) -> bytes:
    """``hippocampus-index.json``: each anchor with its list, an entry a line."""
    rows = []
    for text, leads in lists.items():
        entries = []
        for place, score, _ in leads:
            where = {"path": place.path, "line": place.start, "end_line": place.end}
            said = {"source": place.note_kind, "preview": preview(place)}
            entries.append(_text({**where, "score": score, **said}))
        rows.append(f"{_text(text)}:[\n{_joined(entries)}\n]")
    return f"{{\n{_joined(rows)}\n}}\n".encode()


def _lists(
    library: Library, notes: Notes, progress: Progress | None, db: Tables
) -> tuple[Lists, int, int]:
    """The list of each anchor that has one, and how many passages and files they are of: data is no source."""
    settings = library.config.anchors
    matching = permitted_in(db, settings.sources)
    sources = [
        row
        for row in db.files()
        if kind_of(restored(row[1])) != NoteKind.STATE and (matching is None or row[4] in matching)
    ]
    permitted = passages_in(sources)
    vocabulary = Vocabulary(_of_index(library))
    for note in filter(None, (notes.get(restored(row[1])) for row in sources)):
        vocabulary.add_note(note)
    passages = db.totals().passages
    anchors = vocabulary.anchors(db.frequencies(), passages, settings.max_anchors, settings.deny)
    lists = {}
    for number, text in enumerate(anchors, 1):
        if leads := _list(db, text, settings.k, permitted):
            lists[text] = leads
        if progress and number % 50 == 0:
            progress(number, len(anchors))
    return lists, sum(row[-1] for row in sources), len(sources)


def _list(db: Tables, text: str, most: int, permitted: frozenset[int]) -> Sequence[Lead]:
    """The passages that have every word of an anchor, best first."""
    [question] = read_questions(db, [text])
    words = {term.word for term in question.terms}
    leads = rank(db, question, most * _LOOKED_AT, permitted)
    return [lead for lead in leads if words.issubset(lead.words)][:most]


def _of_index(library: Library) -> Iterator[str]:
    """The topics and tags of the index, where there is one that can be read."""
    config = library.config
    store = IndexStore(library.root, config)
    try:
        entries = store.read().entries
    except HippoError:
        return
    for located in entries:
        yield from (located.entry.topic, *located.entry.tags)


def _vectors(meaning: Meaning, lists: Lists) -> bytes | None:
    """``hippocampus-embeds.npz``: where an anchor lies, which is in the middle of the vectors of its list; ``None``
    where the passages have no vectors."""
    _, cache = meaning.open()
    kept = cache.kept({lead.place.digest for leads in lists.values() for lead in leads})
    if not kept:
        return None
    import numpy as np

    texts, rows = [], []
    for text, leads in lists.items():
        near = [lead.score * kept[lead.place.digest] for lead in leads if lead.place.digest in kept]
        if near:
            middle = np.sum(near, axis=0)
            texts.append(text)
            rows.append(middle / max(float(np.linalg.norm(middle)), 1e-9))
    buffer = io.BytesIO()
    np.savez(buffer, anchor_texts=np.array(texts), anchor_embeds=np.array(rows, dtype=np.float32))
    return buffer.getvalue()


def _write(library: Library, files: Mapping[str, bytes | None]) -> None:
    """Replace the files, the one that names the others last."""
    root = library.root
    with locked(root, library.config.lock.timeout_seconds, ANCHORS_LOCK):
        for name, data in files.items():
            path = ensure_folder(root, name)
            if data is None:
                path.unlink(missing_ok=True)
            else:
                replace_bytes(path, data, name)


def _read(root: Path, name: str) -> bytes | None:
    try:
        return read_regular(root / name, _LARGEST, whole=True)
    except OSError:
        return None


def _timeless(data: bytes | None) -> bytes | None:
    """A file without the moment of its export."""
    return data and _BUILT_AT.sub(b"", data, 1)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # a name in no encoding: escaped it survives
        return json.dumps(value, separators=(",", ":"))
    return text


def _joined(lines: Sequence[str]) -> str:
    return ",\n".join(lines)
