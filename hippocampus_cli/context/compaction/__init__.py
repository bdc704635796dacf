"""A session compacted: every message scored, and the summary within a budget (COMPACT, "Summary Generation")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.config.context import Compaction as Settings
from hippocampus_cli.context.compaction.compose import (
    Composer,
    EntryTexts,
    foot,
    head,
    longest_foot,
)
from hippocampus_cli.context.compaction.previous_summary import read_summary
from hippocampus_cli.context.compaction.score import ACTIONS, Action, Entry, Judged, judge, score
from hippocampus_cli.context.compaction.summary_format import HEAD_ROOM, ROOM, label_of, pieces_of
from hippocampus_cli.context.key_data import KeyDatum
from hippocampus_cli.context.transcripts import Session
from hippocampus_cli.markdown.tokens import tokens, weight
from hippocampus_cli.workspace.fence import Piece

_LONG_ID, _SHORT_ID = 12, 8
_UNSEEN: tuple[Action, ...] = ("drop", "fold", "skip")


class CompactedSession(NamedTuple):
    """A summary within ``budget`` tokens, and the verdict on every entry, oldest first.

    ``before`` and ``after`` are the tokens of all that was compacted and of the summary.
    """

    summary: str
    judged: tuple[Judged, ...]
    key_data: tuple[KeyDatum, ...]
    before: int
    after: int
    budget: int

    @property
    def counts(self) -> Counter[Action]:
        """How many entries met which action."""
        return Counter(verdict.action for verdict in self.judged)

    def pieces(self, shown: str | None = None) -> list[Piece]:
        """The summary, or ``shown`` with as many lines in its place, for a fence."""
        return pieces_of(self.summary, [verdict.entry for verdict in self.judged], shown)

    def labels(self) -> list[tuple[str, str]]:
        """The ids that stand in the summary, newest first, each with what it is."""
        shown = (
            verdict.entry for verdict in reversed(self.judged) if verdict.action not in _UNSEEN
        )
        return [(entry.id, f"{label_of(entry)} {entry.tokens:,} tokens") for entry in shown]


def compact(
    session: Session, settings: Settings, name: str = "", *, fence: bool = False
) -> CompactedSession:
    """Compact a session and the summary that stands before it, within ``settings.tokens``.

    ``name`` is what the summary tells `hippo fetch` of where the originals are: a session file, a session's id.
    With ``fence`` its pieces fit into the tokens together with the marks of one.
    """
    earlier = read_summary(session.previous)
    scored, uses = score(session, list(earlier.messages()), settings)
    told = earlier.entries(len(session), uses.last_uses(), settings)
    entries = _with_short_ids([*told, *scored])
    before = sum(entry.tokens for entry in scored)
    before += session.previous.tokens if session.previous else 0
    longest = head(len(entries), Counter(dict.fromkeys(ACTIONS, len(entries))), name)
    room = settings.tokens - weight(longest) - weight(longest_foot(before, settings.tokens))
    room -= ROOM if fence else 0
    texts = EntryTexts(session, earlier, entries)
    composer = Composer(judge(entries, settings), texts, settings, room, HEAD_ROOM if fence else 0)
    sections = composer.compose(earlier.key_data, uses)
    judged = tuple(composer.judged.values())
    counts = Counter(verdict.action for verdict in judged)
    body = head(len(entries), counts, name) + sections
    summary = body + foot(before, body)
    return CompactedSession(
        summary, judged, tuple(composer.key_data), before, tokens(summary), settings.tokens
    )


def _with_short_ids(entries: Sequence[Entry]) -> list[Entry]:
    """Long ids cut to what still tells the entries apart."""
    short = {entry.id: _short(entry.id) for entry in entries}
    times = Counter(short.values())
    return [
        entry._replace(id=short[entry.id]) if times[short[entry.id]] == 1 else entry
        for entry in entries
    ]


def _short(identity: str) -> str:
    turn, dot, number = identity.partition(".")
    return f"{turn[:_SHORT_ID]}{dot}{number}" if len(turn) > _LONG_ID else identity
