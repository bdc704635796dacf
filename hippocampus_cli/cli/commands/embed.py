"""``hippo embed``."""

from __future__ import annotations

from time import perf_counter

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import SHARED, takes


@takes(*SHARED)
def command(session: CommandContext) -> None:
    """Turn the notes into vectors, so that questions find what means the same in other words.

    Only texts that are new since the last time are embedded, with the embedder that the settings name
    (embedding.embedder); vectors of texts that are gone are forgotten. Ctrl-C loses nothing that was done: the next
    run goes on there. Once there are vectors, `hippo watch` and the daily cycle keep them up to date.

    Examples:
      hippo embed
      hippo embed --json | jq .embedded
      HIPPO_EMBEDDING_EMBEDDER=use-multilingual hippo embed
    """
    from hippocampus_cli.cli.render.embedding import print_embedded

    started = perf_counter()
    with session.open() as opened, session.output.progress("embedding") as advance:
        done = opened.upkeep.embed(advance)
    print_embedded(session.output, done, perf_counter() - started)
