"""What of a session goes into the agent's window, within a budget of tokens (CONTEXT §4.2). Pure.

An entry's text depends on the entry alone, not on the turn: what an agent has read stays as it was, and a cache
of the prompt stays good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from hippocampus_cli.context.budget import Budget
from hippocampus_cli.context.extract import one_line, shown
from hippocampus_cli.context.lifecycle.consolidate import ContextEntryState
from hippocampus_cli.context.lifecycle.session import ContextEntry, ContextSession
from hippocampus_cli.markdown.tokens import tokens, weight
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.fence import Piece
from hippocampus_cli.workspace.origin import Origin, of_role

HEAD = "What was seen before; `hippo context get ID` gives the whole of an entry."
_GAP = "\n\n"
_LONGEST_SOURCE = 120

Form = Literal["sparse", "full"]
TextOf = Callable[[ContextEntry], str | None]


class ShownEntry(NamedTuple):
    """An entry that stands in the window, and how."""

    id: str
    form: Form
    strength: float
    tokens: int


class Window(NamedTuple):
    """The window's text, never more than ``budget`` tokens; ``left_out`` are ids that did not fit.

    ``blocks`` are the heading and the text of each entry of ``shown``.
    """

    text: str
    tokens: int
    budget: int
    shown: tuple[ShownEntry, ...]
    left_out: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...] = ()


def compose(active: Sequence[ContextEntryState], budget: int, text_of: TextOf) -> Window:
    """The window of the active entries: the strongest that fit, in order of coming.

    An entry that is not indexed stands in full, or as its summary where that does not fit. ``text_of`` gives
    an entry's content, ``None`` where it is lost.
    """
    room = Budget(budget - weight(HEAD))
    texts: dict[str, tuple[Form, str]] = {}
    for standing in sorted(active, key=_rank):
        for form, text in _forms(standing.entry, text_of):
            if room.spend(weight(_GAP + text)):
                texts[standing.entry.id] = (form, text)
                break
    strengths = {entry.id: strength for entry, strength, _ in active}
    chosen = [(key, *texts[key]) for key in strengths if key in texts]
    text = _GAP.join([HEAD, *(text for _, _, text in chosen)]) if chosen else ""
    return Window(
        text=text,
        tokens=tokens(text),
        budget=budget,
        shown=tuple(
            ShownEntry(key, form, strengths[key], tokens(text)) for key, form, text in chosen
        ),
        left_out=tuple(key for key in strengths if key not in texts),
        blocks=tuple(text.partition("\n")[::2] for _, _, text in chosen),
    )


def pieces_of(session: ContextSession, window: Window) -> list[Piece]:
    """The window for an agent, with whose words each entry is."""
    return [
        Piece(f"{origin_of(session.entry(entry.id))} {head}", text)
        for entry, (head, text) in zip(window.shown, window.blocks, strict=True)
    ]


def origin_of(entry: ContextEntry) -> Origin:
    """Whose words an entry holds: its source's, else what its type says."""
    known = of_role(entry.source.type)
    return "tool" if known == "unknown" and entry.type == "tool_result" else known


def sparse(entry: ContextEntry) -> str:
    """The entry as summary and key data."""
    return f"{heading(entry)}\n{shown(entry.summary, entry.key_data)}"


def heading(entry: ContextEntry) -> str:
    """The first line of an entry: id, source, turn, size of its content, whether it is stale."""
    size = f"{entry.content.tokens:,} tokens"
    stale = ", stale" if entry.stale else ""
    source = shorten(one_line(f"{entry.source.type} {entry.source.ref}"), _LONGEST_SOURCE)
    return f"[{entry.id}] {source}, turn {entry.source.turn}, {size}{stale}"


def _rank(standing: ContextEntryState) -> tuple[bool, float, int, str]:
    """Not stale before stale, strong before weak, new before old."""
    entry = standing.entry
    return entry.stale, -standing.strength, -entry.lifecycle.created, entry.id


def _forms(entry: ContextEntry, text_of: TextOf) -> Iterator[tuple[Form, str]]:
    """The texts that may stand for an entry, the fullest first."""
    text = None if entry.indexed else text_of(entry)
    if text is not None:
        yield "full", f"{heading(entry)}\n{text.strip()}"
    yield "sparse", sparse(entry)
