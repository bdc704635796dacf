"""The text of a summary: sections filled within a budget of tokens, in order of worth.

Each section may use a share of the room; what it leaves over is available to the next one.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.budget import Budget
from hippocampus_cli.context.compaction.classify import classifier, excerpt
from hippocampus_cli.context.compaction.previous_summary import KEY_DATA, TITLE, PreviousSummary
from hippocampus_cli.context.compaction.score import Action, Entry, Judged, Uses
from hippocampus_cli.context.compaction.summary_format import (
    CALL,
    code,
    cut,
    escaped,
    line_of,
    mark,
)
from hippocampus_cli.context.extract.choose import extract
from hippocampus_cli.context.key_data import KINDS, LONGEST, PLURALS, KeyDatum, Kind, key_data
from hippocampus_cli.context.transcripts import Message, Session
from hippocampus_cli.context.transcripts.message import COMMAND, PATH
from hippocampus_cli.markdown.tokens import tokens, weight


@dataclass(slots=True)
class Section:
    """A heading and what stands below it, written in the order of the places.

    ``head`` are the tokens that are added later to each block.
    """

    heading: str
    gap: str = "\n"
    head: int = 0
    blocks: dict[int, str] = field(default_factory=dict)

    def add(self, place: int, block: str, budget: Budget) -> bool:
        """Add a block, if it fits, the first together with the heading."""
        heading = "" if self.blocks else f"\n{self.heading}\n\n"
        fits = budget.spend(weight(heading) + weight(block + self.gap) + self.head)
        if fits:
            self.blocks[place] = block
        return fits

    def text(self) -> str:
        """The section with a blank line before it; nothing where it is empty."""
        if not self.blocks:
            return ""
        body = self.gap.join(self.blocks[place] for place in sorted(self.blocks))
        return f"\n{self.heading}\n{body}\n"


_OF_OUTPUT: tuple[Kind, ...] = ("path", "url", "error", "identifier")
_EACH = 5  # of one kind from one output
_READ = 4_000  # characters of an entry that are looked through
_PLENTY = 2  # times what fits is enough to choose from
_TIERS = {"decision": 0, "user_intent": 0, "context": 1, "unknown": 1, "tool_result": 2}
_STRUCTURE = re.compile(r"^(?:#{1,6} |<!--|•|`{3,}|~{3,})", re.MULTILINE)
_LONGEST_NAME = 400  # characters
_NAMES: dict[Action, str] = {
    "sparse": "sparse",
    "compress": "compressed",
    "keep": "kept",
    "fold": "folded",
    "drop": "dropped",
}


def head(entries: int, counts: Counter[Action], session: str = "") -> str:
    """Title, figures, and how to get an original; ``session`` names to `hippo fetch` where it is."""
    figures = " | ".join(f"{name}: {counts[action]}" for action, name in _NAMES.items())
    fits = 0 < len(session) <= _LONGEST_NAME and session.isprintable() and "-->" not in session
    named = f" --session {shlex.quote(session)}" if fits else ""
    return (
        f"{TITLE}\n<!-- entries: {entries} | {figures} -->\n"
        f"<!-- the original of a #id: hippo fetch ID{named} -->\n"
    )


_FOOT = "\n<!-- hippocampus stats: {}tok → {}tok ({}) -->"
_SMALLER, _NOT_SMALLER = "{}× compression", "too little to compact"


def longest_foot(before: int, most: int) -> str:
    """A last line that is no shorter than that of a summary of at most so many tokens."""
    return _FOOT.format(before, most, _SMALLER.format(f"{before}.0"))


def foot(before: int, body: str) -> str:
    """The last line: tokens of all that was compacted, and of the summary with this line in it; how many times
    smaller it is, where it is."""
    for remark in (_SMALLER, _NOT_SMALLER):
        after, line = 0, ""
        while (size := tokens(body + line)) > after or not line:
            after = max(size, after)
            line = _FOOT.format(before, after, remark.format(ratio(before, after)))
        if after <= before:
            break
    return line


def ratio(before: int, after: int) -> str:
    """How many times smaller, with one decimal."""
    return f"{before / after:.1f}" if after else "∞"


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
        texts: EntryTexts,
        settings: Compaction,
        room: float,
        head: int = 0,
    ) -> None:
        """``room`` is what head and foot leave, in tokens; ``head`` is added later to each message in full."""
        self.judged = {verdict.entry.place: verdict for verdict in judged}
        self.key_data: list[KeyDatum] = []
        self._texts = texts
        self._settings = settings
        self._classify = classifier(settings)
        self._room = room
        self._spent = 0.0
        self._in_goal: set[int] = set()
        self._kept = _by_retention(verdict for verdict in judged if verdict.action == "keep")
        self._goal = Section("## Goal")
        self._prior = Section("## Prior Context")
        self._active = Section("## Active Context (high retention)", gap="\n\n", head=head)
        self._lines = Section("## Compressed (mid retention — re-fetch if needed)")
        self._sparse = Section("## Sparse Index (decayed — pointers only)")
        self._key_data = Section(f"{KEY_DATA} (verbatim)")

    def compose(self, earlier: Sequence[KeyDatum], uses: Uses) -> str:
        """All sections, in the order of the specification's layout."""
        self._fill_goal()
        self._fill("keep", _ACTIVE_SHARE)
        self._fill("compress", _LINES_SHARE)
        self._fill_sparse(_SPARSE_SHARE)
        self._fill_key_data(earlier, uses)
        self._fill_sparse(1.0)
        self._spell_out()
        for verdict in self._with("sparse"):
            if verdict.entry.place not in self._sparse.blocks:
                self._change(verdict, "drop", "the sparse index is full")
        return self._text()

    def _text(self) -> str:
        sections = (
            self._goal,
            self._prior,
            self._active,
            self._lines,
            self._key_data,
            self._sparse,
        )
        return "".join(section.text() for section in sections)

    def _fill_goal(self) -> None:
        """The user's first request and the newest ones."""
        low = self._settings.sparse_threshold
        entries = [verdict.entry for verdict in self.judged.values()]
        requests = [
            entry for entry in entries if entry.type == "user_intent" and entry.retention >= low
        ]
        with self._budget(_GOAL_SHARE) as budget:
            for entry in [*requests[:1], *reversed(requests[1:])]:
                if budget.exhausted:
                    break
                text = self._texts.short(entry).strip()
                line = " ".join(text.split())
                if len(text) <= _SHORTEST_GOAL:
                    continue
                block = f"- {cut(escaped(line), _GOAL)}{mark(entry)}"
                added = self._goal.add(entry.place, block, budget)
                if added and line == text and len(text) <= _GOAL:
                    self._in_goal.add(entry.place)

    def _fill(self, action: Action, share: float) -> None:
        """The entries of an action, the strongest first; what finds no room is told shorter."""
        with self._budget(share) as budget:
            for verdict in self._strongest(action):
                add = self._add_active if action == "keep" else self._add_line
                if not budget.exhausted and add(verdict.entry, budget):
                    continue
                if action == "keep":
                    self._change(verdict, "compress", "in full it does not fit")
                elif verdict.entry.place in self._goal.blocks:
                    self._change(verdict, "compress", "it is shown among the goals")
                else:
                    self._change(verdict, "sparse", "its line does not fit")

    def _fill_sparse(self, share: float) -> None:
        """Pointers: where they do not all fit their texts get shorter, then the oldest ones are left out.

        The first to be left out is what was said beside a call, which its output tells.
        """
        before = self._sparse.blocks
        waiting = [
            verdict.entry for verdict in self._with("sparse") if verdict.entry.place not in before
        ]
        waiting.sort(key=lambda entry: (bool(entry.calls), -entry.place))
        limit = self._settings.sparse_tokens - weight(self._sparse.text())
        with self._budget(share) as budget:
            room = max(0, min(budget.left, limit))
            for size in _SPARSE:
                self._sparse.blocks = dict(before)
                attempt = Budget(room)
                for entry in waiting:
                    if attempt.exhausted:
                        break
                    self._sparse.add(entry.place, self._line(entry, size), attempt)
                if len(self._sparse.blocks) == len(before) + len(waiting):
                    break
            budget.left -= room - attempt.left

    def _fill_key_data(self, earlier: Sequence[KeyDatum], uses: Uses) -> None:
        """A line a kind; what is shown elsewhere is not said again."""
        shown, chosen = self._text(), dict[Kind, list[str]]()
        with self._budget(1.0) as budget:
            for datum in self._ranked_key_data(earlier, uses, budget.left):
                if datum.text in shown:
                    continue
                heading = "" if chosen else f"\n{self._key_data.heading}\n\n"
                kind = "" if datum.kind in chosen else f"- {PLURALS[datum.kind]}:\n"
                if budget.spend(weight(heading) + weight(kind) + weight(code(datum.text))):
                    chosen.setdefault(datum.kind, []).append(datum.text)
                    self.key_data.append(datum)
        for place, kind in enumerate(KINDS):
            if kind in chosen:
                line = f"- {PLURALS[kind]}: {' '.join(map(code, chosen[kind]))}"
                self._key_data.blocks[place] = line

    def _ranked_key_data(
        self, earlier: Sequence[KeyDatum], uses: Uses, room: float
    ) -> list[KeyDatum]:
        """Key data of what faded: what was named again and again first, then by what it stands in, newest first.

        ``room`` are the tokens that they compete for; a long session is not read to its beginning.
        """
        faded = [
            verdict.entry
            for verdict in self.judged.values()
            if verdict.action not in ("keep", "skip") and verdict.entry.type != "ephemeral"
        ]
        faded.sort(key=lambda entry: (_TIERS.get(entry.type, 3), -entry.place))
        ranked: dict[KeyDatum, None] = {}
        size = 0.0
        for entry in faded:
            if size > room * _PLENTY:
                break
            fresh = [datum for datum in self._texts.key_data(entry) if datum not in ranked]
            ranked.update(dict.fromkeys(fresh))
            size += sum(weight(datum.text) for datum in fresh)
        ranked.update(dict.fromkeys(earlier))
        return sorted(
            ranked, key=lambda datum: (-min(uses.times(datum.text), 3), datum.kind == "number")
        )

    def _spell_out(self) -> None:
        """In full, where room is left: what did not fit before, then the user's requests, the newest first."""
        requests = [self.judged[place] for place in sorted(self._goal.blocks, reverse=True)]
        with self._budget(1.0) as budget:
            for verdict in [*self._kept, *requests]:
                place = verdict.entry.place
                told = place in self._in_goal or place in self._active.blocks
                if budget.exhausted or told:
                    continue
                lines = [section.blocks.get(place, "") for section in (self._lines, self._sparse)]
                budget.left += sum(map(weight, lines))
                if self._add_active(verdict.entry, budget):
                    for section in (self._lines, self._sparse):
                        section.blocks.pop(place, None)
                    self._change(verdict, "keep", "there was room for it")
                else:
                    budget.left -= sum(map(weight, lines))

    def _strongest(self, action: Action) -> list[Judged]:
        """Those of an action that no goal tells in full, the highest retention first."""
        return _by_retention(
            verdict for verdict in self._with(action) if verdict.entry.place not in self._in_goal
        )

    def _with(self, action: Action) -> list[Judged]:
        return [verdict for verdict in self.judged.values() if verdict.action == action]

    def _change(self, verdict: Judged, action: Action, why: str) -> None:
        self.judged[verdict.entry.place] = verdict.instead(action, why)

    def _add_active(self, entry: Entry, budget: Budget) -> bool:
        """An entry in full. What could be taken for a line of the summary's own stands in a fence."""
        if not self._texts.is_full(entry):
            return False
        text, call = self._texts.full(entry), self._call(entry)
        called = f" {code(cut(call, CALL))}" if call else ""
        if _STRUCTURE.search(text):
            fence = "`" * (max(map(len, re.findall(r"^`{3,}", text, re.MULTILINE)), default=2) + 1)
            text = f"{fence}\n{text}\n{fence}"
        block = f"### [{entry.type}] (r={entry.retention:.2f}){called}{mark(entry)}\n{text}"
        return self._active.add(entry.place, block, budget)

    def _add_line(self, entry: Entry, budget: Budget) -> bool:
        prior = entry.role == "prior"
        section, size = (self._prior, _PRIOR) if prior else (self._lines, _COMPRESSED)
        line = f"• (r={entry.retention:.2f}) {self._line(entry, size)}"
        return section.add(entry.place, line, budget)

    def _line(self, entry: Entry, size: int) -> str:
        text = self._texts.summary(entry, size)
        if entry.type == "decision":
            text = self._classify.from_decision(text, size)
        return line_of(entry, text, self._call(entry), size)

    def _call(self, entry: Entry) -> str:
        return self._texts.call(entry) if entry.type == "tool_result" else ""

    @contextmanager
    def _budget(self, share: float) -> Iterator[Budget]:
        """What is left of a share of the room, for one section."""
        budget = Budget(max(0, self._room * share - self._spent))
        yield budget
        self._spent = max(self._spent, self._room * share - budget.left)


def _by_retention(judged: Iterable[Judged]) -> list[Judged]:
    """The highest retention first, of equal ones the newest."""
    return sorted(judged, key=lambda verdict: (-verdict.entry.retention, -verdict.entry.place))


class EntryTexts:
    """What entries say, in full and in short."""

    def __init__(
        self, session: Session, earlier: PreviousSummary, entries: Sequence[Entry]
    ) -> None:
        self._session = session
        self._earlier = earlier.items
        self._callers = {call: entry.place for entry in entries for call in entry.calls}

    def short(self, entry: Entry) -> str:
        """What an entry says, without its calls unless it says nothing else."""
        message = self._message(entry)
        if message is None:
            return self._earlier[entry.place].text
        said = message.text.strip() or message.thinking.strip()
        if media := message.media:
            return f"[{media}] {said}".rstrip()
        return said or _calls(message, " ")

    def summary(self, entry: Entry, size: int) -> str:
        """The same, of an output of more than ``size`` characters its summary."""
        text = self.short(entry).strip()
        if entry.type != "tool_result" or entry.place < 0 or len(text) <= size:
            return text
        return extract(text, self.call(entry)).summary

    def full(self, entry: Entry) -> str:
        """What an entry says, and its calls below."""
        message = self._message(entry)
        if message is None or entry.silent or not message.calls or message.role == "bash":
            return self.short(entry)
        return f"{self.short(entry)}\n→ {_calls(message, f'{chr(10)}→ ')}"

    def call(self, entry: Entry) -> str:
        """What the tool was called with, whose output an entry is: the command, the path.

        A command of the user's bears its own.
        """
        message = self._message(entry)
        if message is None:
            return self._earlier[entry.place].call
        made = message.calls if message.role == "bash" else ()
        if not made and message.call in self._callers:
            caller = self._session.message(self._callers[message.call])
            made = tuple(part for part in caller.calls if part.call == message.call)
        return next((part.argument[1] for part in made), "")

    def key_data(self, entry: Entry) -> Iterator[KeyDatum]:
        """What of an entry is to be kept to the letter."""
        message = self._message(entry)
        if message is None:
            yield from key_data(self.short(entry))
            return
        for part in message.calls:
            kind, value = part.argument[0], part.argument[1].strip()
            if kind in (COMMAND, PATH) and 0 < len(value) <= LONGEST:
                yield KeyDatum("command" if kind == COMMAND else "path", value)
        if entry.type != "tool_result":
            yield from key_data(excerpt(message.text or message.thinking, _READ))
            return
        counts = Counter[Kind]()
        for datum in key_data(excerpt(message.text, _READ), _OF_OUTPUT):
            counts[datum.kind] += 1
            if counts[datum.kind] <= _EACH:
                yield datum

    def is_full(self, entry: Entry) -> bool:
        """Whether the text at hand is the whole: an earlier summary may have cut it."""
        return entry.place >= 0 or self._earlier[entry.place].full

    def _message(self, entry: Entry) -> Message | None:
        """The message of an entry; None for what an earlier summary tells."""
        return self._session.message(entry.place) if entry.place >= 0 else None


def _calls(message: Message, gap: str) -> str:
    shown = (f"{part.name} {part.argument[1] or part.text}".strip() for part in message.calls)
    return gap.join(shown)
