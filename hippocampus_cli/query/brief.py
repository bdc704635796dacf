"""The brief of a workspace: its notes and its index read, and what the memory has on a prompt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from hippocampus_cli.entries.brief import Brief, brief, chosen
from hippocampus_cli.errors import (
    FileUnreadable,
    HippoError,
    IndexGone,
    IndexShrunk,
    MergeUnresolved,
)
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.query.inquirer import Inquirer
from hippocampus_cli.query.results import BeliefShown, held_line, without_beliefs
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.meta import read_meta
from hippocampus_cli.workspace.resolve import Notes

LATE_DAYS = 7
"""How late a cycle of upkeep may be before an agent is told."""
_WAITING, _LONGEST = 3, 240
"""How many memories that wait are shown, and how many characters of each."""
PLACES, TOKENS = 2, 120
"""How many places answer a prompt, and how long they may be together."""


def brief_of(
    inquirer: Inquirer,
    prompt: str,
    now: datetime,
    held: Callable[[], Sequence[BeliefShown]],
    asked: Sequence[str] = (),
    loaded: Collection[str] = (),
) -> Brief:
    """What an agent should know at the start of a session. ``held`` reads the newest beliefs, ``asked`` says which
    judgements wait for it, ``loaded`` are the notes that its client reads to it."""
    index, alarm = _index(inquirer)
    library = inquirer.library
    library.look()  # in a fresh clone it would take long to make all notes searchable
    paths = [file[0] for file in library.found.files]
    notes = [*filter(None, map(Notes(library.root, library.max_bytes).note, chosen(paths)))]
    notices = [*alarm, *_late(inquirer, now), *asked]
    beliefs: list[str] = []
    try:
        beliefs += map(held_line, held())
    except HippoError as error:
        notices.append(without_beliefs(error))
    answer = _answer(inquirer, prompt, now)
    waiting = [shorten(safe_line(line), _LONGEST) for line in inquirer.waiting(now)[-_WAITING:]]
    return brief(index, notes, len(paths), answer, notices, beliefs, waiting, loaded)


def _index(inquirer: Inquirer) -> tuple[Hierarchy, list[str]]:
    """The index; an alarm where it is gone, cannot be read, or is not whole."""
    index = Hierarchy({})
    try:
        index = inquirer.store.read(archive=True)
        inquirer.store.require_whole(index, archive=True)
    except (IndexGone, FileUnreadable, MergeUnresolved, IndexShrunk) as error:
        return index, [f"{error.message}: `hippo check`"]
    return index, []


def _late(inquirer: Inquirer, now: datetime) -> list[str]:
    """Whether upkeep is late; that it never ran is no news."""
    meta = read_meta(inquirer.root)
    missed = [cycle for cycle in meta.due(now, LATE_DAYS) if cycle in meta.cycles]
    return [f"upkeep is late ({', '.join(missed)}): `hippo maintain --due`"] if missed else []


def _answer(inquirer: Inquirer, prompt: str, now: datetime) -> list[str]:
    """The places that are likely to answer the prompt, a line each; nothing is written back."""
    answer = inquirer.recall(prompt, now, odds=0.0, limit=PLACES, tokens=TOKENS) if prompt else None
    return [
        f"{safe_line(place.path)}:{place.start_line}: {' '.join(safe_line(place.text).lstrip('# ').split())}"
        for place in (answer.results if answer else ())
    ]
