"""An index of vectors brought in step with the vectors there are: what is gone removed, what is new added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hippocampus_cli.errors import NearestFailed

if TYPE_CHECKING:
    from hippocampus_cli.embedding.embedder import Ids, Vectors
    from hippocampus_cli.embedding.nearest.index import NearestIndex

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
