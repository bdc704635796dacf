"""Entries and sessions for laws."""

from __future__ import annotations

from hypothesis import strategies as st

from hippocampus_cli.context.lifecycle.session import (
    ENTRY_TYPES,
    PRIORITIES,
    Content,
    ContextEntry,
    ContextSession,
    EntryDecay,
    EntrySource,
    Lifecycle,
    Modifiers,
    digest_of,
)

SHARES = st.floats(0, 1)
TEXTS = st.text(max_size=30)
NATURALS = st.integers(0, 60)
KEY_DATA = st.dictionaries(
    TEXTS,
    TEXTS | st.lists(TEXTS, max_size=3) | st.dictionaries(TEXTS, TEXTS, max_size=3),
    max_size=3,
)
NOW = 40
KEYS = tuple(f"ctx_{number:03d}" for number in range(1, 9))

# Made once: a strategy that is made for each example takes longer to make than to draw from.
_TURNS = {turn: st.integers(turn, NOW) for turn in range(NOW + 1)}
_TYPES, _PRIORITIES, _ENCODINGS = map(
    st.sampled_from, (ENTRY_TYPES, PRIORITIES, ("manual", "auto"))
)
_RATES, _BOOSTS = st.floats(0, 5), st.just(0.0) | st.floats(0, 0.3)
_EARLIER = st.lists(st.just(digest_of(b"before")), max_size=1)
_BOOLEANS = st.booleans()
_PERHAPS, _SIZES, _SUMMARIES = st.none() | NATURALS, st.integers(0, 4_000), st.integers(0, 300)
_COUNTS = {most: st.integers(0, most) for most in range(len(KEYS) + 1)}
_LINKS = {
    count: st.lists(st.sampled_from(KEYS[:count]), max_size=3) for count in range(1, len(KEYS) + 1)
}


@st.composite
def entries(draw: st.DrawFn, key: str = KEYS[0]) -> ContextEntry:
    created = draw(_TURNS[0])
    accessed = draw(_TURNS[created])
    return ContextEntry(
        id=key,
        type=draw(_TYPES),
        source=EntrySource(draw(TEXTS), draw(TEXTS), created, draw(_BOOLEANS)),
        summary=draw(TEXTS),
        key_data=draw(KEY_DATA),
        strength=draw(SHARES),
        decay=EntryDecay(draw(_RATES), draw(_BOOSTS), accessed),
        modifiers=Modifiers(draw(_PRIORITIES), draw(_ENCODINGS)),
        lifecycle=Lifecycle(created, draw(_PERHAPS), draw(_BOOLEANS)),
        content=Content(digest_of(key.encode()), 9, draw(_SIZES), "text", False),
        summary_tokens=draw(_SUMMARIES),
        indexed=draw(_BOOLEANS),
        stale=draw(_BOOLEANS),
        earlier=tuple(draw(_EARLIER)),
    )


_ENTRIES = {key: entries(key) for key in KEYS}


@st.composite
def sessions(draw: st.DrawFn, most: int = len(KEYS)) -> ContextSession:
    """A session of up to ``most`` entries at turn 40, with associations between them."""
    count = draw(_COUNTS[most])
    made = ContextSession("a", "2026-01-01", "2026-01-01", turn=NOW)
    for key in KEYS[:count]:
        links = draw(_LINKS[count])
        made = made.with_entries([draw(_ENTRIES[key]).associated(tuple(links))])
    return made


def plain_entry(key: str = "ctx_001") -> ContextEntry:
    """A tool result of turn 0, indexed."""
    return ContextEntry(
        id=key,
        type="tool_result",
        source=EntrySource("tool", "", 0),
        summary="What it said.",
        key_data={},
        strength=1.0,
        decay=EntryDecay(0.15),
        modifiers=Modifiers(),
        lifecycle=Lifecycle(0),
        content=Content(digest_of(key.encode()), 8_000, 2_000, "text"),
        summary_tokens=4,
    )
