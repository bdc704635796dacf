"""What becomes of an entry: kept, compressed, a pointer, or nothing; and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.score import Entry

Action = Literal["keep", "compress", "sparse", "drop", "fold", "skip"]
ACTIONS: tuple[Action, ...] = ("keep", "compress", "sparse", "drop", "fold", "skip")
"""``fold``: told with the output of its call; ``skip``: the agent's program says it anew in any case."""


class Judged(NamedTuple):
    """An entry, what becomes of it, and why."""

    entry: Entry
    action: Action
    reason: str

    def instead(self, action: Action, why: str) -> Judged:
        """The same with another action, because of the budget."""
        return Judged(self.entry, action, f"{self.reason}; {why}")


def judge(entries: Sequence[Entry], settings: Compaction) -> list[Judged]:
    """The verdicts, before any budget."""
    answered = {one.call for one in entries if one.call}
    by_place = {one.at: one for one in entries}
    made: list[Judged] = []
    for entry in entries:
        apart = _apart(entry, answered, settings)
        if apart is None:
            action = _by_retention(entry, settings)
            apart = Judged(entry, action, _reason(entry, action, by_place, settings))
        made.append(apart)
    return made


def _apart(entry: Entry, answered: set[str], settings: Compaction) -> Judged | None:
    """The verdict where retention does not matter."""
    if entry.role == "system":
        return Judged(entry, "skip", "the agent's program says it anew")
    if entry.silent and not entry.calls and not entry.tool:
        return Judged(entry, "drop", "it is empty")
    if entry.silent and entry.calls and answered.issuperset(entry.calls):
        return Judged(entry, "fold", "told with the output of its call")
    if entry.type == "ephemeral" and entry.retention < settings.sparse_threshold:
        return Judged(entry, "drop", "routine")
    return None


def _by_retention(entry: Entry, settings: Compaction) -> Action:
    if entry.retention >= settings.compress_threshold:
        return "keep"
    return "compress" if entry.retention >= settings.sparse_threshold else "sparse"


def _reason(
    entry: Entry, action: Action, by_place: Mapping[int, Entry], settings: Compaction
) -> str:
    low, high = settings.sparse_threshold, settings.compress_threshold
    bounds = {"keep": f"at least {high:g}", "compress": f"{low:g} to {high:g}"}
    parts = [bounds.get(action, f"below {low:g}")]
    if entry.use is not None:
        user = by_place[entry.use.at].id  # none where an earlier summary did not say it
        parts.append(f"used again{f' by #{user}' if user else ''}: {entry.use.term}")
    if entry.retention and entry.retention == getattr(settings, f"floor_{entry.type}"):
        parts.append("held by its floor")
    return "; ".join(parts)
