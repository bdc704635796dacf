"""Vectors that follow the notes: what upkeep does for them, where somebody has embedded the notes once."""

from __future__ import annotations

from hippocampus_cli.errors import HippoError, NearestFailed
from hippocampus_cli.search.library import Library


def keep_vectors(library: Library) -> tuple[str, ...]:
    """Embed what is new where there are vectors; what a person should know if that failed.

    ``library`` was just refreshed. Vectors are a convenience: whatever is wrong with them stops nothing.
    """
    if library.meaning is None:
        return ()
    from hippocampus_cli.search.embedding import embed_notes, has_vectors

    try:
        if has_vectors(library.meaning):
            embed_notes(library, library.meaning)
    except NearestFailed as error:
        return (
            f"the index of the vectors is behind: {error.message} (hippo embed brings it in step)",
        )
    except HippoError as error:
        return (f"the vectors are behind: {error.message} (hippo embed brings them in step)",)
    return ()
