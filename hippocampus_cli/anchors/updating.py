"""An update: single notes brought in step without a build (ANCHOR, ``incremental-update.py``).

The chunks of a changed note leave every list, and those it has now come in where they score. What its text
names that was no anchor yet becomes one, and the chunks that were there before are looked through for it;
with an embedder this waits for the next build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from hippocampus_cli.anchors.anchor import Anchor, Gathered, vocabulary, weighed
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, FileRecord, entry_of, in_order
from hippocampus_cli.anchors.keys import keys_of
from hippocampus_cli.anchors.lexical import ByWords
from hippocampus_cli.anchors.likeness import Likeness
from hippocampus_cli.anchors.terms import Term, terms_of
from hippocampus_cli.anchors.twin import FileText, Twin
from hippocampus_cli.anchors.wording import Corpus, Worded
from hippocampus_cli.workspace.note import Note


class Fresh(NamedTuple):
    """A note that is new or other than before, its record, and its chunks with their stems."""

    note: Note
    record: FileRecord
    text: FileText


Compare = Callable[[Sequence[Anchor], Sequence[FileText]], Likeness]
"""The likeness of these anchors and the chunks of these files."""


def without(index: AnchorIndexed, paths: Iterable[str]) -> AnchorIndexed:
    """The index with nothing of these files; an anchor may lead nowhere then."""
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

    What leads nowhere after that is no anchor any more.
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
    index: AnchorIndexed, fresh: Sequence[Fresh], twin: Twin, most: int, deny: Sequence[str]
) -> AnchorIndexed:
    """The index with the anchors that only these files name, each with its list over all chunks.

    ``twin`` holds the chunks as they are now. At most ``most`` anchors come to be.
    """
    terms = _new_terms(index, fresh, twin, most, deny)
    anchors = [one for one in weighed(terms, twin) if one.own]
    lists = dict(_lists(index, anchors, twin))
    known = {one.text: one for one in anchors if one.text in lists}
    return index._replace(anchors={**index.anchors, **known}, lists={**index.lists, **lists})


def by_words(average: float, words: Sequence[Worded]) -> ByWords:
    """The likeness of words, of chunks with these stems, against the average length of the build."""
    return ByWords(Corpus(words, average))


def _new_terms(
    index: AnchorIndexed, fresh: Sequence[Fresh], twin: Twin, most: int, deny: Sequence[str]
) -> list[Term]:
    gathered = Gathered()
    for one in fresh:
        gathered.add(terms_of(one.note), [chunk.text for chunk in one.text.chunks])
    found = vocabulary(gathered, twin, most, deny)
    new = [one for one in found if one.text not in index.anchors]
    return [one for one in new if not any(map(twin.has_key, keys_of(one.text)))]


def _lists(
    index: AnchorIndexed, anchors: Sequence[Anchor], twin: Twin
) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    looked_at: dict[int, tuple[Entry, Worded]] = {}
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
