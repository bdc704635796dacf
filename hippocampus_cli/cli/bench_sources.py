"""What ``hippo bench`` asks about: a file of conversations, or notes of one's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hippocampus_cli.cli import choices
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hippocampus_cli.benchmarks.locomo.conversation import Conversation
    from hippocampus_cli.benchmarks.peers.cases import Folder
    from hippocampus_cli.cli.context import Session
    from hippocampus_cli.config import Config
    from hippocampus_cli.config.embedding import Embedding


def source_of_peers(
    session: Session,
    file: Path | None,
    ids: list[str] | None,
    questions: Path | None,
    limit: int | None,
) -> tuple[Callable[[Path], Sequence[Folder]], Config]:
    """What writes the notes to ask, and the settings to ask hippo with. Raises :class:`UsageError`."""
    from hippocampus_cli.benchmarks.locomo.reading import read_conversations
    from hippocampus_cli.benchmarks.peers import cases
    from hippocampus_cli.config import load

    if file is None:
        if ids:
            advice = "name the file first, as `hippo bench peers locomo10.json`"
            raise UsageError(reason="--conversation is for LoCoMo's file", advice=advice)
        root, config = session.root(), session.config()
        own_notes = partial(cases.own_notes, root, config, questions, limit, session.now)
        return own_notes, config
    if questions is not None:
        advice = "leave out the file, and name a folder with --workspace"
        raise UsageError(reason="--questions are for notes of your own", advice=advice)
    talks = chosen_conversations(read_conversations(file), ids)
    return partial(cases.conversations, talks, limit), load(None, session.environ)


def chosen_conversations(
    found: tuple[Conversation, ...], ids: list[str] | None
) -> tuple[Conversation, ...]:
    """Those with these ids, else all; raises :class:`UsageError` for an id that none has."""
    known = [one.id for one in found]
    named = choices.chosen(ids, known, "--conversation")
    return tuple(one for one in found if not named or one.id in named)


def possible(session: Session, settings: Embedding, named: list[str]) -> list[str]:
    """The methods to compare: those that are named, else all that can be. Raises where a named one cannot."""
    from hippocampus_cli.benchmarks.rankings import EMBEDDINGS
    from hippocampus_cli.cli.bench_options import METHODS
    from hippocampus_cli.errors import EmbedderUnavailable, HippoError

    keys = named or list(METHODS)
    if EMBEDDINGS not in keys:
        return keys
    try:
        if session.opener(settings) is None:
            raise EmbedderUnavailable(
                reason="no embedder is configured", advice="set HIPPO_EMBEDDING_EMBEDDER=minilm"
            )
    except HippoError as error:
        if named:
            raise
        session.output.note(f"hippo: without {EMBEDDINGS}: {error.message} ({error.advice})")
        return [key for key in keys if key != EMBEDDINGS]
    return keys
