"""A session compacted: every message scored, and the summary within a budget (COMPACT, "Summary Generation")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from hippocampus_cli.config.context import Compaction as Settings
from hippocampus_cli.context.compaction.compose import Composer, foot, head, longest_foot
from hippocampus_cli.context.compaction.prior import WithPrior
from hippocampus_cli.context.compaction.score import (
    ACTIONS,
    Action,
    JudgedMessage,
    ScoredMessage,
    judge,
    score,
)
from hippocampus_cli.context.key_data import KeyDatum
from hippocampus_cli.context.transcripts import Session
from hippocampus_cli.markdown.tokens import tokens, weight
from hippocampus_cli.workspace.fence import Piece

_LONG_ID, _SHORT_ID = 12, 8
_UNSEEN: tuple[Action, ...] = ("drop", "fold", "skip")
_FENCE_ROOM = 150  # tokens that a fence adds at most: its ends, title, comments, days and headings
_FENCE_HEAD = 20  # tokens that it adds to the head of a message in the active context


class CompactedSession(NamedTuple):
    """A summary within ``budget`` tokens, its ``pieces`` for a fence, and the verdict on every entry, oldest first.

    ``before`` and ``after`` are the tokens of all that was compacted and of the summary.
    """

    summary: str
    pieces: list[Piece]
    judged: tuple[JudgedMessage, ...]
    key_data: tuple[KeyDatum, ...]
    before: int
    after: int
    budget: int

    @property
    def counts(self) -> Counter[Action]:
        """How many entries met which action."""
        return Counter(verdict.action for verdict in self.judged)

    @property
    def ids(self) -> list[str]:
        """The ids that stand in the summary, newest first."""
        return [
            verdict.entry.id for verdict in reversed(self.judged) if verdict.action not in _UNSEEN
        ]


def compact(
    session: Session, settings: Settings, name: str = "", *, fence: bool = False
) -> CompactedSession:
    """Compact a session, and the summary in other words that stands before it, within ``settings.tokens``.

    ``name`` is what the summary tells `hippo fetch` of where the originals are: a session file, a session's id.
    With ``fence`` its pieces fit into the tokens together with the marks of one.
    """
    whole = WithPrior(session)
    scored, uses = score(whole, settings)
    entries = _with_short_ids(scored)
    before = sum(entry.tokens for entry in entries)
    longest = head(len(entries), Counter(dict.fromkeys(ACTIONS, len(entries))), name)
    room = settings.tokens - weight(longest) - weight(longest_foot(before, settings.tokens))
    room -= _FENCE_ROOM if fence else 0
    verdicts = judge(entries, settings)
    composer = Composer(whole, verdicts, settings, room, _FENCE_HEAD if fence else 0)
    sections = composer.compose(uses)
    judged = tuple(composer.judged.values())
    top = head(len(entries), Counter(verdict.action for verdict in judged), name)
    bottom = foot(before, top + sections)
    lines = top.split("\n")[:-1]
    days = sorted({entry.day for entry in entries if entry.day})
    said = [f"said {' to '.join(dict.fromkeys((days[0], days[-1])))}"] if days else []
    own = [Piece(line) for line in (lines[0], *said, *lines[1:])]
    summary = top + sections + bottom
    return CompactedSession(
        summary,
        [*own, *composer.pieces(), Piece(bottom.strip())],
        judged,
        tuple(composer.key_data),
        before,
        tokens(summary),
        settings.tokens,
    )


def _with_short_ids(entries: Sequence[ScoredMessage]) -> list[ScoredMessage]:
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
