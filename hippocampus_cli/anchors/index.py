"""The anchor index as a value: which chunks each anchor leads to, and what updates need to know (ANCHOR)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hippocampus_cli.anchors.chunks import Chunk, Size, Span
from hippocampus_cli.anchors.extract import Anchor
from hippocampus_cli.markdown.lines import encode


class Entry(NamedTuple):
    """A chunk in an anchor's list: lines ``line`` to ``end_line`` of ``path``, 1-based and inclusive."""

    path: str
    line: int
    end_line: int
    score: float
    source: str
    preview: str

    @property
    def place(self) -> tuple[str, int, int]:
        """Which chunk it is."""
        return self[:3]


class FileRecord(NamedTuple):
    """A note as it was read: the hash of its text, the lines of its chunks, whether an update brought it."""

    hash: str
    chunks: tuple[Span, ...]
    updated: bool = False


class Facts(NamedTuple):
    """What holds for a whole index. ``average`` is the length of the average chunk in stems, at the build.

    ``theta`` is the least score in a list, ``sem_theta`` the least likeness of a message and an anchor (0
    without an embedder); ``pairs`` random pairs of mean score ``mean`` were drawn to find ``theta``, none
    where it was configured. ``k`` and ``k_max`` bound the lists of a build and of updates.
    """

    built_at: str
    updated_at: str | None
    embedder: str
    theta: float
    sem_theta: float
    pairs: int
    mean: float
    average: float
    k: int
    k_max: int
    chunk_tokens: int
    min_tokens: int

    @property
    def size(self) -> Size:
        """How long chunks are."""
        return Size(self.chunk_tokens, self.min_tokens)


class AnchorIndexed(NamedTuple):
    """The whole index. ``lists`` has an entry or more for every anchor, the best first."""

    facts: Facts
    files: Mapping[str, FileRecord]
    anchors: Mapping[str, Anchor]
    lists: Mapping[str, tuple[Entry, ...]]

    @property
    def chunks(self) -> int:
        """How many there are."""
        return sum(len(one.chunks) for one in self.files.values())

    @property
    def multi_word(self) -> int:
        """Anchors of several words."""
        return sum(" " in text for text in self.anchors)


def hash_of(text: str) -> str:
    """What two equal texts have in common."""
    return hashlib.blake2b(encode(text), digest_size=16).hexdigest()


def entry_of(chunk: Chunk, score: float) -> Entry:
    """A chunk in a list."""
    return Entry(chunk.path, chunk.start, chunk.end, score, chunk.source, chunk.preview)


def in_order(entries: Iterable[Entry], most: int) -> tuple[Entry, ...]:
    """The best ``most`` in the order of a list."""
    return tuple(sorted(entries, key=lambda one: (-one.score, one.place))[:most])
