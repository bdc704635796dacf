"""What finds the nearest vectors: an index of them that is kept by itself and updated with the vectors there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from hippocampus_cli.errors import NearestFailed

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Ids, Vectors


class VectorsOf(NamedTuple):
    """Which vectors an index holds: those of the workspace at ``root``, made by one ``model`` of one version."""

    root: Path
    model: str
    dimensions: int

    @property
    def key(self) -> str:
        """A word for a name of a file or a collection that no other vectors have."""
        seed = f"{self.root}\0{self.model}\0{self.dimensions}"
        return blake2b(seed.encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()


class Nearest(Protocol):
    """Finds among vectors of length 1, each with an id: any whole number of 64 bits."""

    def near(self, vector: Vectors, most: int) -> Ids:
        """The ids of the ``most`` that are nearest to ``vector``, shape ``(dimensions,)``, in no order.

        A near one may be missed: who asks compares what is found in full.
        """


class NearestIndex(Nearest, Protocol):
    """An index that lasts, and is told what comes and goes. Where it lives says :attr:`place`.

    Everything raises :class:`~hippocampus_cli.errors.NearestFailed` where the index does not do what it is asked.
    """

    @property
    def place(self) -> str:
        """Which index this is, and in which state, as far as that can be told for nothing; empty for a new one."""

    @property
    def shared(self) -> bool:
        """Whether others than this workspace can write to it."""

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Take in a row of ``vectors`` for each of ``ids``, all different; one that is there already is replaced."""

    def remove(self, ids: Ids) -> None:
        """Forget ``ids``; one that is not there changes nothing."""

    def ids(self) -> Ids:
        """All there are, in no order."""

    def __len__(self) -> int:
        """How many vectors there are."""

    def save(self) -> None:
        """Have what was added and removed last."""

    def close(self) -> None:
        """Let go of files and connections."""


_AT_ONCE = 10_000  # vectors in memory at a time

Progress = Callable[[int, int], None]


def bring_in_step(
    index: NearestIndex,
    wanted: Ids,
    before: Ids | None,
    vectors_of: Callable[[Sequence[int]], Mapping[int, Vectors]],
    progress: Progress | None = None,
) -> bool:
    """Have ``index`` hold ``wanted`` and nothing else; returns whether that changed it.

    ``before`` is what it was left with, if that is known: a listing is spared where as many are there still.
    ``vectors_of`` gives the vectors of some ids, ``progress`` is told how many of how many were added. Raises
    :class:`~hippocampus_cli.errors.NearestFailed`, also where a shared index holds nothing of what it should; what
    was done until then may last.
    """
    there = before if before is not None and len(before) == len(index) else index.ids()
    if index.shared and before is None and len(there) and not len(np.intersect1d(there, wanted)):
        raise NearestFailed(
            place=index.place,
            reason="it holds the vectors of other notes",
            advice="name another for these: HIPPO_EMBEDDING_MILVUS_COLLECTION",
        )
    gone, new = np.setdiff1d(there, wanted), np.setdiff1d(wanted, there)
    if not len(gone) and not len(new):
        return False
    index.remove(gone)
    done = 0
    for part in _parts(new):
        found = vectors_of(part.tolist())
        if found:
            index.add(np.fromiter(found, np.int64), np.stack(list(found.values())))
        done += len(part)
        if progress is not None:
            progress(done, len(new))
    index.save()
    return True


def _parts(ids: Ids) -> Iterator[Ids]:
    for at in range(0, len(ids), _AT_ONCE):
        yield ids[at : at + _AT_ONCE]
