"""An index made ready for lookups, from the twin and the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hippocampus_cli.anchors import files, opening
from hippocampus_cli.anchors.lookup import AnchorIndex, Bounds
from hippocampus_cli.anchors.notebook import Notebook
from hippocampus_cli.anchors.twin import Twin
from hippocampus_cli.errors import AnchorsDamaged
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS

if TYPE_CHECKING:
    from hippocampus_cli.anchors.index import Facts
    from hippocampus_cli.anchors.meaning import Meaning


def assembled(book: Notebook, twin: Twin) -> AnchorIndex:
    """The index over a twin that is in step. Raises :class:`AnchorsDamaged`, ``UsageError`` for a pattern."""
    settings, facts = book.config.anchors, opening.facts_of(twin)
    allowed = None
    if settings.allow:
        from hippocampus_cli.search.filters import matcher

        allowed = matcher(settings.allow)
    bounds = Bounds(
        settings.max_chunks, settings.per_file, allowed, settings.deny, settings.project
    )
    return AnchorIndex(twin, facts.average, bounds, _meaning(book, twin, facts))


def _meaning(book: Notebook, twin: Twin, facts: Facts) -> Meaning | None:
    if book.vectoriser is None or not book.makes_vectors(facts.embedder):
        return None
    from hippocampus_cli.anchors.meaning import Meaning

    embeds = files.read(book.root).embeds
    threshold = book.config.anchors.sem_theta or facts.sem_theta
    try:
        return Meaning(twin, embeds or b"", book.vectoriser, threshold)
    except ValueError as error:
        reason = "it does not hold the anchors' vectors"
        raise AnchorsDamaged(path=ANCHOR_EMBEDS, reason=reason) from error
