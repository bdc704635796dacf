"""What ``hippo anchors lookup`` does once its words are understood."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.stdin import text_of


def look(
    session: Session, words: Sequence[str], *, project: str | None = None, limit: int | None = None
) -> int:
    """Look a message up, print what it leads to; the exit code. Raises :class:`HippoError`."""
    from hippocampus_cli.cli.render.anchors import print_looked

    text = text_of(words)
    flags = {"anchors.max_chunks": ("--limit", limit)}
    started = perf_counter()
    with session.open(flags=flags) as opened:
        looked = opened.anchors_lookup(text, project=project, now=session.now)
    print_looked(session.output, text, looked, perf_counter() - started)
    return 0 if looked.hits else 1
