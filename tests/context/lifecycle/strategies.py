"""Entries and sessions for laws."""

from __future__ import annotations

from hypothesis import strategies as st

from hippocampus_cli.context.lifecycle.entry import (
    ENCODINGS,
    ENTRY_TYPES,
    PRIORITIES,
    Content,
    ContextEntry,
    EntryDecay,
    Lifecycle,
    Modifiers,
    Source,
    digest_of,
)
from hippocampus_cli.context.lifecycle.session import Session

SHARES = st.floats(0, 1)
TEXTS = st.text(max_size=30)
NATURALS = st.integers(0, 60)
KEY_DATA = st.dictionaries(
    TEXTS,
    TEXTS | st.lists(TEXTS, max_size=3) | st.dictionaries(TEXTS, TEXTS, max_size=3),
    max_size=3,
)


@st.composite
def entries(draw: st.DrawFn, key: str = "ctx_001", turn: int = 40) -> ContextEntry:
    created = draw(st.integers(0, turn))
    accessed = draw(st.integers(created, turn))
    return ContextEntry(
        id=key,
        type=draw(st.sampled_from(ENTRY_TYPES)),
        source=Source(draw(TEXTS), draw(TEXTS), created, draw(st.booleans())),
        summary=draw(TEXTS),
        key_data=draw(KEY_DATA),
        strength=draw(SHARES),
        decay=EntryDecay(draw(st.floats(0, 5)), draw(st.just(0.0) | st.floats(0, 0.3)), accessed),
        modifiers=Modifiers(draw(st.sampled_from(PRIORITIES)), draw(st.sampled_from(ENCODINGS))),
        lifecycle=Lifecycle(created, draw(st.none() | NATURALS), draw(st.booleans())),
        content=Content(digest_of(key.encode()), 9, draw(st.integers(0, 4_000)), "text", False),
        summary_tokens=draw(st.integers(0, 300)),
        indexed=draw(st.booleans()),
        stale=draw(st.booleans()),
        earlier=tuple(draw(st.lists(st.just(digest_of(b"before")), max_size=1))),
    )


@st.composite
def sessions(draw: st.DrawFn, most: int = 8) -> Session:
    """A session of up to ``most`` entries at turn 40, with associations between them."""
    keys = [f"ctx_{number:03d}" for number in range(1, draw(st.integers(0, most)) + 1)]
    made = Session("a", "2026-01-01", "2026-01-01", turn=40)
    for key in keys:
        links = draw(st.lists(st.sampled_from(keys), max_size=3))
        made = made.with_entries([draw(entries(key)).associated(tuple(links))])
    return made


def plain_entry(key: str = "ctx_001") -> ContextEntry:
    """A tool result of turn 0, indexed."""
    return ContextEntry(
        id=key,
        type="tool_result",
        source=Source("tool", "", 0),
        summary="What it said.",
        key_data={},
        strength=1.0,
        decay=EntryDecay(0.15),
        modifiers=Modifiers(),
        lifecycle=Lifecycle(0),
        content=Content(digest_of(key.encode()), 8_000, 2_000, "text"),
        summary_tokens=4,
    )
