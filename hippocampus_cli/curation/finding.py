"""Finding an entry by the id that a person typed."""

from __future__ import annotations

from collections.abc import Iterable

from hippocampus_cli.errors import EntryNotFound
from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy

_ALIKE = 72.0  # likeness in percent from which an id is worth suggesting
_LEAD = 12.0  # by how much the best may be ahead of the next that is still named
_LONGEST = 200  # characters of a wrong id that are compared


def find(index: Hierarchy, key: str) -> Located:
    """The entry with this id, or the one it was merged into.

    Raises :class:`EntryNotFound`, which names the ids most like it.
    """
    located = index.find(key)
    if located is None:
        raise not_found(key, index.by_key)
    return located


def not_found(key: str, ids: Iterable[str]) -> EntryNotFound:
    """The error for an id that is not among ``ids``."""
    near = nearest(key, ids)
    return EntryNotFound(id=key, nearest=f"; did you mean {' or '.join(near)}?" if near else "")


def nearest(wanted: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The names most like ``wanted``, the best first; a word of a name is like the name."""
    return _nearest(wanted, {name: name for name in names}, most)


def nearest_paths(wanted: str, paths: Iterable[str], most: int = 3) -> list[str]:
    """The same for paths, whose endings say nothing."""
    stem = wanted.rpartition(".")[0] or wanted
    return _nearest(stem, {path: path.rpartition(".")[0] or path for path in paths}, most)


def _nearest(wanted: str, names: dict[str, str], most: int) -> list[str]:
    from rapidfuzz import fuzz, process, utils

    found = process.extract(
        wanted[:_LONGEST],
        names,
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=most,
        score_cutoff=_ALIKE,
    )
    return [name for _, score, name in found if score >= found[0][1] - _LEAD]
