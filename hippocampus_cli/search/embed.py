"""The vectors of the notes: computed for new texts, removed with those that are gone, kept up to date by upkeep."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hippocampus_cli.config import Config
from hippocampus_cli.embedding.digests import digest_of, embedded
from hippocampus_cli.errors import FileUnreadable, HippoError, OutsideWorkspace
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.meaning import Meaning
from hippocampus_cli.search.store import PassageStore
from hippocampus_cli.text.passages import passages_of
from hippocampus_cli.workspace.file_table import restored
from hippocampus_cli.workspace.own_files import VECTORS

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Opener
    from hippocampus_cli.search.tables import Progress, Tables

_BATCH = 128  # texts embedded between two commits: what an interrupt can cost


class Embedded(NamedTuple):
    """What was done: ``embedded`` different texts of the ``units`` there are, and ``forgotten`` vectors.

    ``former`` is the model whose vectors were there before, empty if none was or it was this one.
    """

    model: str
    dimensions: int
    units: int
    embedded: int
    forgotten: int
    former: str


def embed_notes(
    store: PassageStore, meaning: Meaning, progress: Progress | None = None
) -> Embedded:
    """Bring the vectors up to date with the notes, as of the last refresh of ``store``.

    What is done is kept when it is interrupted; ``progress`` is told how many of how many texts are. Raises
    :class:`ExtraMissing`, :class:`EmbedderUnavailable`, :class:`EmbeddingFailed`, and
    :class:`FileUnwritable` as soon as nothing can be kept: a server would be paid for nothing.
    """
    embedder, cache = meaning.open()
    meaning.require_kept()
    former = cache.former_model or ""
    files = store.healing(_files)
    known = {*chain.from_iterable(files.values())}
    wanted = cache.lacking(known)
    made, total = 0, len(wanted)
    left = _texts(meaning, files, wanted)
    while batch := list(islice(left, _BATCH)):
        digests, texts = zip(*batch, strict=True)
        cache.add(digests, embedder.embed(texts))
        meaning.require_kept()
        made += len(batch)
        if progress is not None:
            progress(made, total)
    forgotten = cache.keep(known, signed=made > 0)
    meaning.require_kept()
    return Embedded(
        model=embedder.name,
        dimensions=embedder.dimensions,
        units=store.healing(lambda db: db.totals().passages),
        embedded=made,
        forgotten=forgotten,
        former=former,
    )


def _files(db: Tables) -> Mapping[str, set[bytes]]:
    """The digests of every note's passages: those of no day first, then the newest."""
    found: dict[str, set[bytes]] = {}
    for path, digest in db.digests():
        found.setdefault(restored(path), set()).add(digest)
    return found


def _texts(
    meaning: Meaning, files: Mapping[str, set[bytes]], left: set[bytes]
) -> Iterator[tuple[bytes, str]]:
    """Digest and text of each passage whose digest is ``left``; none of a note that cannot be read."""
    for path, digests in files.items():
        try:
            passages = passages_of(meaning.read(path)) if left & digests else ()
        except (FileUnreadable, OutsideWorkspace):
            continue
        for passage in passages:
            text = embedded(passage.text, passage.headings[-1] if passage.headings else "")
            digest = digest_of(text)
            if digest in left:
                left.discard(digest)
                yield digest, text


def keep_vectors(library: Library) -> tuple[str, ...]:
    """Embed what is new where there are vectors; what a person should know if that failed.

    ``library`` was just refreshed. Vectors are a convenience: whatever is wrong with them stops nothing.
    """
    if library.meaning is None:
        return ()
    try:
        if library.meaning.open()[1].ready is not None:  # somebody has embedded them
            embed_notes(library.store, library.meaning)
    except HippoError as error:
        return (f"the vectors are behind: {error.message} (hippo embed updates them)",)
    return ()


def follow_notes(root: Path, config: Config, opener: Opener | None = None) -> tuple[str, ...]:
    """Bring the vectors up to date with the notes, for a caller that has nothing open; what a person should know
    where they could not be. ``opener`` opens the embedder of the settings.

    Where there are no vectors nothing is read: the next question brings the store up to date.
    """
    if not os.path.lexists(root / VECTORS):
        return ()
    with closing(Library(root, config, opener=opener)) as library:
        library.refresh()
        return keep_vectors(library)
