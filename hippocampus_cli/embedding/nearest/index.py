"""What finds the nearest vectors, and what an index of them is that is kept for itself."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

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
        """Forget ``ids``; one that is not there is passed over."""

    def ids(self) -> Ids:
        """All there are, in no order."""

    def __len__(self) -> int:
        """How many vectors there are."""

    def save(self) -> None:
        """Have what was added and removed last."""

    def close(self) -> None:
        """Let go of files and connections."""
