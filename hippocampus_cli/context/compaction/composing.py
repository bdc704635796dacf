"""The sections of a summary filled within a budget: each may spend a share, and what it leaves is the next one's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hippocampus_cli.config.compaction import Compaction
from hippocampus_cli.context.compaction import keeping
from hippocampus_cli.context.compaction.classify import classifier
from hippocampus_cli.context.compaction.entries import Entry
from hippocampus_cli.context.compaction.judging import Action, Judged
from hippocampus_cli.context.compaction.lines import line_of
from hippocampus_cli.context.compaction.prior import KEY_DATA
from hippocampus_cli.context.compaction.rendering import active_block, goal_line, said_in_goal
from hippocampus_cli.context.compaction.sections import Purse, Section
from hippocampus_cli.context.compaction.texts import Texts
from hippocampus_cli.context.compaction.uses import Uses
from hippocampus_cli.context.keydata import KeyDatum

# Up to which share of the room each section may have spent what it and those before it need.
_GOAL_SHARE, _ACTIVE_SHARE, _LINES_SHARE, _SPARSE_SHARE = 0.12, 0.55, 0.78, 0.88
_GOAL, _PRIOR, _COMPRESSED = 160, 300, 160  # characters of a text on a line
_SPARSE = (80, 40, 20)  # of one in the sparse index, the longest with which all find room
_SHORTEST_GOAL = 10


class Composer:
    """Fills the sections; ``judged`` ends up with what became of every entry."""

    def __init__(
        self,
        judged: Sequence[Judged],
        texts: Texts,
        settings: Compaction,
        room: int,
        head: int = 0,
    ) -> None:
        """``room`` is what head and foot leave, in characters; ``head`` is added later to each message in full."""
        self.judged = {one.entry.at: one for one in judged}
        self.key_data: list[KeyDatum] = []
        self._texts = texts
        self._settings = settings
        self._classify = classifier(settings)
        self._room = room
        self._spent = 0
        self._in_goal: set[int] = set()
        self._too_large: list[Judged] = []
        self._goal = Section("## Goal")
        self._prior = Section("## Prior Context")
        self._active = Section("## Active Context (high retention)", gap="\n\n", head=head)
        self._lines = Section("## Compressed (mid retention — re-fetch if needed)")
        self._sparse = Section("## Sparse Index (decayed — pointers only)")
        self._key_data = Section(f"{KEY_DATA} (verbatim)")

    def compose(self, earlier: Sequence[KeyDatum], uses: Uses) -> str:
        """All sections, in the order of the specification's layout."""
        self._fill_goal()
        self._fill_active()
        self._fill_lines()
        self._fill_sparse(_SPARSE_SHARE)
        self._fill_key_data(earlier, uses)
        self._fill_sparse(1.0)
        self._promote()
        for one in self._with("sparse"):
            if one.entry.at not in self._sparse.blocks:
                self._change(one, "drop", "the sparse index is full")
        return self._text()

    def _text(self) -> str:
        sections = (self._goal, self._prior, self._active, self._lines, self._key_data)
        return "".join(section.text() for section in (*sections, self._sparse))

    def _fill_goal(self) -> None:
        """The first wish and the newest ones."""
        low = self._settings.sparse_threshold
        wishes = [
            one.entry
            for one in self.judged.values()
            if one.entry.type == "user_intent" and one.entry.retention >= low
        ]
        purse = self._purse(_GOAL_SHARE)
        for entry in [*wishes[:1], *reversed(wishes[1:])]:
            if purse.closed:
                break
            text = self._texts.short(entry)
            if len(text.strip()) <= _SHORTEST_GOAL:
                continue
            if self._goal.add(entry.at, goal_line(entry, text, _GOAL), purse) and said_in_goal(
                text, _GOAL
            ):
                self._in_goal.add(entry.at)
        self._settle(purse, _GOAL_SHARE)

    def _fill_active(self) -> None:
        purse = self._purse(_ACTIVE_SHARE)
        for one in _strongest(self._with("keep")):
            entry = one.entry
            if entry.at in self._in_goal:
                continue
            if not self._texts.is_full(entry):
                self._change(one, "compress", "only its line is at hand")
                continue
            if purse.closed or not self._active.add(entry.at, self._block(entry), purse):
                self._too_large.append(one)
                self._change(one, "compress", "in full it does not fit")
        self._settle(purse, _ACTIVE_SHARE)

    def _fill_lines(self) -> None:
        purse = self._purse(_LINES_SHARE)
        for one in _strongest(self._with("compress")):
            entry = one.entry
            if entry.at in self._in_goal:
                continue
            if purse.closed or not self._add_line(entry, purse):
                told = entry.at in self._goal.blocks
                why = "it is told among the goals" if told else "its line does not fit"
                self._change(one, "compress" if told else "sparse", why)
        self._settle(purse, _LINES_SHARE)

    def _fill_sparse(self, share: float) -> None:
        """Pointers: where they do not all find room their texts get shorter, then the oldest ones are left out."""
        waiting = [one for one in self._with("sparse") if one.entry.at not in self._sparse.blocks]
        there = dict(self._sparse.blocks)
        for size in _SPARSE:
            self._sparse.blocks = dict(there)
            purse = self._purse(share)
            before = purse.left
            limit = 4 * self._settings.sparse_tokens - len(self._sparse.text())
            purse.left = max(0, min(purse.left, limit))
            capped = before - purse.left
            if self._add_pointers(waiting, size, purse):
                break
        purse.left += capped
        self._settle(purse, share)

    def _add_pointers(self, waiting: Sequence[Judged], size: int, purse: Purse) -> bool:
        """Whether all found room: the newest first, and last what was said beside a call, which its output tells."""
        for one in sorted(waiting, key=lambda one: (bool(one.entry.calls), -one.entry.at)):
            if purse.closed:
                break
            self._sparse.add(one.entry.at, self._line(one.entry, size), purse)
        return all(one.entry.at in self._sparse.blocks for one in waiting)

    def _fill_key_data(self, earlier: Sequence[KeyDatum], uses: Uses) -> None:
        purse = self._purse(1.0)
        decayed = [
            one.entry
            for one in self.judged.values()
            if one.action not in ("keep", "skip") and one.entry.type != "ephemeral"
        ]
        data = keeping.candidates(decayed, self._texts, earlier, uses, purse.left)
        self.key_data = keeping.fill(self._key_data, data, purse, self._text())
        self._settle(purse, 1.0)

    def _promote(self) -> None:
        """What did not fit in full may do so in what the other sections left."""
        purse = self._purse(1.0)
        for one in _strongest(self._too_large):
            line = self._lines.blocks.get(one.entry.at)
            if line is None:
                continue
            refund = len(line) + 1
            purse.left += refund
            if self._active.add(one.entry.at, self._block(one.entry), purse):
                del self._lines.blocks[one.entry.at]
                self.judged[one.entry.at] = one
            else:
                purse.left -= refund
        self._settle(purse, 1.0)

    def _with(self, action: Action) -> list[Judged]:
        return [one for one in self.judged.values() if one.action == action]

    def _change(self, one: Judged, action: Action, why: str) -> None:
        self.judged[one.entry.at] = one.instead(action, why)

    def _block(self, entry: Entry) -> str:
        return active_block(entry, self._texts.full(entry), self._call(entry))

    def _add_line(self, entry: Entry, purse: Purse) -> bool:
        prior = entry.role == "prior"
        section, size = (self._prior, _PRIOR) if prior else (self._lines, _COMPRESSED)
        line = f"• (r={entry.retention:.2f}) {self._line(entry, size)}"
        return section.add(entry.at, line, purse)

    def _line(self, entry: Entry, size: int) -> str:
        text = self._texts.short(entry).strip()
        if entry.type == "decision":
            text = self._classify.from_decision(text, size)
        return line_of(entry, text, self._call(entry), size)

    def _call(self, entry: Entry) -> str:
        return self._texts.call(entry) if entry.type == "tool_result" else ""

    def _purse(self, share: float) -> Purse:
        return Purse(max(0, int(self._room * share) - self._spent))

    def _settle(self, purse: Purse, share: float) -> None:
        self._spent = max(self._spent, int(self._room * share) - purse.left)


def _strongest(judged: Iterable[Judged]) -> list[Judged]:
    """The highest retention first, of equal ones the newest."""
    return sorted(judged, key=lambda one: (-one.entry.retention, -one.entry.at))
