"""An update: single notes brought up to date without a build (ANCHOR, ``incremental-update.py``).

The chunks of a changed note leave every list, and those it has now come in where they score. What its text
names that was no anchor yet becomes one, and the chunks that were there before are looked through for it;
with an embedder this waits for the next build. Files and database change as one.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.anchors import files, lookup_database
from hippocampus_cli.anchors.chunks import Corpus, TokenizedChunk, chunks_of
from hippocampus_cli.anchors.extract import (
    Anchor,
    Gathered,
    Term,
    keys_of,
    terms_of,
    vocabulary,
    weighed,
)
from hippocampus_cli.anchors.index import (
    AnchorIndexed,
    Entry,
    Facts,
    FileRecord,
    entry_of,
    hash_of,
    in_order,
)
from hippocampus_cli.anchors.lookup_database import FileText, Known, LookupDatabase
from hippocampus_cli.anchors.notebook import Notebook
from hippocampus_cli.anchors.similarity import NONE, ByWords, Likeness
from hippocampus_cli.errors import AnchorsDamaged, AnchorsForeign
from hippocampus_cli.workspace.database import transaction
from hippocampus_cli.workspace.file_table import FileStat, Seen
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS, ANCHORS_LOCK

if TYPE_CHECKING:
    from hippocampus_cli.anchors.dense import Vectoriser
    from hippocampus_cli.anchors.extract import Anchor


class Fresh(NamedTuple):
    """A note that is new or other than before, its record, and its chunks with their stems."""

    note: Note
    record: FileRecord
    text: FileText


Compare = Callable[[Sequence[Anchor], Sequence[FileText]], Likeness]
"""The likeness of these anchors and the chunks of these files."""


def without(index: AnchorIndexed, paths: Iterable[str]) -> AnchorIndexed:
    """The index with nothing of these files; an anchor may point at nothing then."""
    gone = frozenset(paths)
    files = {path: one for path, one in index.files.items() if path not in gone}
    lists = {
        text: tuple(one for one in entries if one.path not in gone)
        if any(one.path in gone for one in entries)
        else entries
        for text, entries in index.lists.items()
    }
    return index._replace(files=files, lists=lists)


def with_files(index: AnchorIndexed, fresh: Sequence[Fresh], compare: Compare) -> AnchorIndexed:
    """The index with these files, none of which it holds, in the lists of its anchors.

    One that points at nothing after that is no anchor any more.
    """
    files = {**index.files, **{one.note.path: one.record for one in fresh}}
    facts, lists = index.facts, dict(index.lists)
    chunks = [chunk for one in fresh for chunk in one.text.chunks]
    anchors = list(index.anchors.values())
    if chunks:
        likeness = compare(anchors, [one.text for one in fresh])
        scored = likeness.best(anchors, facts.k_max, facts.theta)
        for anchor, best in zip(anchors, scored, strict=True):
            if best:
                new = (entry_of(chunks[one.chunk], one.score) for one in best)
                lists[anchor.text] = in_order((*lists[anchor.text], *new), facts.k_max)
    lists = {text: entries for text, entries in lists.items() if entries}
    kept = {text: one for text, one in index.anchors.items() if text in lists}
    return AnchorIndexed(facts, files, kept, lists)


def with_new_anchors(
    index: AnchorIndexed,
    fresh: Sequence[Fresh],
    twin: LookupDatabase,
    most: int,
    deny: Sequence[str],
) -> AnchorIndexed:
    """The index with the anchors that only these files name, each with its list over all chunks.

    ``twin`` holds the chunks as they are now. At most ``most`` anchors come to be.
    """
    terms = _new_terms(index, fresh, twin, most, deny)
    anchors = [one for one in weighed(terms, twin) if one.own]
    lists = dict(_lists(index, anchors, twin))
    known = {one.text: one for one in anchors if one.text in lists}
    return index._replace(anchors={**index.anchors, **known}, lists={**index.lists, **lists})


def by_words(average: float, words: Sequence[TokenizedChunk]) -> ByWords:
    """The likeness of words, of chunks with these stems, against the average length of the build."""
    return ByWords(Corpus(words, average))


def _new_terms(
    index: AnchorIndexed,
    fresh: Sequence[Fresh],
    twin: LookupDatabase,
    most: int,
    deny: Sequence[str],
) -> list[Term]:
    gathered = Gathered()
    for one in fresh:
        gathered.add(terms_of(one.note), [chunk.text for chunk in one.text.chunks])
    found = vocabulary(gathered, twin, most, deny)
    new = [one for one in found if one.text not in index.anchors]
    return [one for one in new if not any(map(twin.has_key, keys_of(one.text)))]


def _lists(
    index: AnchorIndexed, anchors: Sequence[Anchor], twin: LookupDatabase
) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    looked_at: dict[int, tuple[Entry, TokenizedChunk]] = {}
    facts = index.facts
    wanted: list[Sequence[int]] = []
    for anchor in anchors:
        numbers: Sequence[int] = sorted(twin.alike((*anchor.own, *anchor.company), 3 * facts.k))
        wanted.append(numbers)
        looked_at |= {one: twin.entry_and_words(one) for one in numbers if one not in looked_at}
    for anchor, numbers in zip(anchors, wanted, strict=True):
        found = [looked_at[one] for one in numbers]
        likeness = by_words(facts.average, [words for _, words in found])
        for best in likeness.best([anchor], facts.k, facts.theta):
            entries = [found[one.chunk][0]._replace(score=one.score) for one in best]
            if entries:
                yield anchor.text, in_order(entries, facts.k)


class Updated(NamedTuple):
    """An update, by path: files whose text was new or other than before, gone ones, and those as before.

    ``anchors`` and ``chunks`` are how many there are now; ``notices`` what a person should know.
    """

    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: tuple[str, ...]
    new_anchors: tuple[str, ...]
    anchors: int
    chunks: int
    notices: tuple[str, ...] = ()


class _Work(NamedTuple):
    """What is to be done: files to read in, to forget, and to leave as they are, with how they look now."""

    fresh: list[Fresh]
    gone: list[str]
    same: dict[str, Seen | None]


def renewed(
    book: Notebook, twin: LookupDatabase, paths: Sequence[str], now: datetime, timeout: float
) -> Updated:
    """Bring ``paths`` up to date, in one locked write. For what is raised see :meth:`AnchorStore.update`."""
    with locked(book.root, timeout, ANCHORS_LOCK):
        if not lookup_database.in_step(book.root, twin, book):
            lookup_database.refill(book.root, twin, book)
        facts = lookup_database.facts_of(twin)
        work = _work(book, twin, paths, facts)
        new: tuple[str, ...] = ()
        with transaction(twin.connection):
            for path, seen in work.same.items():
                if seen is not None:
                    twin.look_again(path, seen)
            if work.fresh or work.gone:
                new = _carried_out(book, twin, work, now)
        anchors, _, chunks, _ = twin.counts()
    changed = tuple(one.note.path for one in work.fresh)
    return Updated(changed, tuple(work.gone), tuple(work.same), new, anchors, chunks)


def stirred(book: Notebook, twin: LookupDatabase, paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` whose text is other than ``twin`` knows, or that are gone."""
    found, looked = [], {}
    wanted = list(paths)
    known = twin.seen(wanted)
    for path in wanted:
        seen = _seen_unchanged(book, path, known.get(path))
        if seen is None:
            found.append(path)
        elif seen is not _SETTLED:
            looked[path] = seen
    if looked:  # so that the next lookup need not read them
        with contextlib.suppress(sqlite3.OperationalError), transaction(twin.connection):
            for path, seen in looked.items():
                twin.look_again(path, seen)
    return found


_SETTLED = Seen(0, 0, 0)


def _seen_unchanged(book: Notebook, path: str, known: Known | None) -> Seen | None:
    """How a file looks whose text is as it is ``known``; ``_SETTLED`` where that needed no reading."""
    try:
        stat = FileStat.of((book.root / path).stat(), path)
    except (OSError, ValueError):
        return None
    if known is None or known.seen.settles(stat):
        return known and _SETTLED
    read = book.read(stat) if known.seen.size >= 0 else None
    return read[1] if read and hash_of(read[0].text) == known.hash else None


def _work(book: Notebook, twin: LookupDatabase, paths: Sequence[str], facts: Facts) -> _Work:
    work = _Work([], [], {})
    if not paths:
        return work
    stats = book.stats(book.scan().files)
    seen_before = twin.seen(paths)
    for path in paths:
        known, stat = seen_before.get(path), stats.get(path)
        if known and stat and known.seen.settles(stat):
            work.same[path] = None
            continue
        read = book.read(stat) if stat else None
        if read is None:
            work.gone.extend([path] if known else [])
        elif known and known.hash == hash_of(read[0].text) and known.seen.size >= 0:
            work.same[path] = read[1]
        else:
            note, seen = read
            text = book.text(seen, chunks_of(note, facts.size), facts.embedder)
            spans = tuple(one.span for one in text.chunks)
            work.fresh.append(Fresh(note, FileRecord(hash_of(note.text), spans, True), text))
    return work


def _carried_out(
    book: Notebook, twin: LookupDatabase, work: _Work, now: datetime
) -> tuple[str, ...]:
    """The anchors that are new. Files and twin are changed; an exception reverts the twin's part."""
    stored = files.read(book.root)
    before = files.parsed(stored)
    compare = _Comparing(before, stored.embeds, book.vectoriser)
    if work.fresh:
        compare.require()
    paths = [*work.gone, *(one.note.path for one in work.fresh)]
    base = without(before, paths)
    for path in work.gone:
        twin.replace_file(path, None, None)
    for one in work.fresh:
        twin.replace_file(one.note.path, one.record, one.text)
    after = with_files(base, work.fresh, compare)
    for text in before.anchors.keys() - after.anchors.keys():
        twin.drop_anchor(text)
    if before.facts.embedder == NONE and work.fresh:
        settings = book.config.anchors
        after = with_new_anchors(after, work.fresh, twin, settings.max_anchors, settings.deny)
    moment = now.isoformat("T", "seconds")
    after = after._replace(facts=after.facts._replace(updated_at=moment))
    twin.replace_lists(base.lists, after)
    _put(book, twin, after, stored.embeds)
    return tuple(sorted(after.anchors.keys() - before.anchors.keys()))


def _put(book: Notebook, twin: LookupDatabase, after: AnchorIndexed, embeds: bytes | None) -> None:
    new = files.stored(after, embeds)
    with_vectors = twin.fact("vectors") == "with"
    lookup_database.describe(twin, after, files.digest_of(new), with_vectors=with_vectors)
    files.write(book.root, new)
    lookup_database.seal(book.root, twin)


class _Comparing:
    """The likeness that an index was built with, for the chunks of an update."""

    def __init__(
        self, index: AnchorIndexed, embeds: bytes | None, vectoriser: Vectoriser | None
    ) -> None:
        self._facts = index.facts
        self._embeds = embeds
        self._vectoriser = vectoriser

    def require(self) -> None:
        """Raises :class:`AnchorsForeign` where new text cannot be compared."""
        name = self._facts.embedder
        if name != NONE and (self._vectoriser is None or self._vectoriser.name != name):
            raise AnchorsForeign(embedder=name)

    def __call__(self, anchors: Sequence[Anchor], texts: Sequence[FileText]) -> Likeness:
        words = by_words(self._facts.average, [words for one in texts for words in one.words])
        if self._facts.embedder == NONE:
            return words
        from hippocampus_cli.anchors.dense import ByVectors, other_length, unpacked

        assert self._vectoriser is not None
        try:
            names, vectors = unpacked(self._embeds or b"")
            numbers = {text: number for number, text in enumerate(names)}
            rows = vectors[[numbers[one.text] for one in anchors]]
        except (ValueError, KeyError) as error:
            reason = "it does not hold the anchors' vectors"
            raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason) from error
        chunks = self._vectoriser.vectors([chunk.text for one in texts for chunk in one.chunks])
        if rows.shape[1] != chunks.shape[1]:
            reason = other_length(rows.shape[1], self._vectoriser.name, chunks.shape[1])
            raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason)
        return ByVectors(self._vectoriser.name, rows, chunks, words)
