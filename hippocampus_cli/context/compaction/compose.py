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
from hippocampus_cli.context.compaction.previous_summary import (
    KEY_DATA,
    PLURALS,
    TITLE,
    PreviousSummary,
)
from hippocampus_cli.context.compaction.score import Action, Entry, Judged, Uses
from hippocampus_cli.context.compaction.summary_format import (
    CALL,
    code,
    cut,
    escaped,
    line_of,
    mark,
)
from hippocampus_cli.context.keydata import KINDS, LONGEST, KeyDatum, Kind, key_data
from hippocampus_cli.context.transcripts import Message, Part, Session
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

    def add(self, at: int, block: str, budget: Budget) -> bool:
        """Add a block, if it fits, the first together with the heading."""
        heading = "" if self.blocks else f"\n{self.heading}\n\n"
        fits = budget.spend(weight(heading) + weight(block + self.gap) + self.head)
        if fits:
            self.blocks[at] = block
        return fits

    def text(self) -> str:
        """The section with a blank line before it; nothing where it is empty."""
        if not self.blocks:
            return ""
        body = self.gap.join(self.blocks[at] for at in sorted(self.blocks))
        return f"\n{self.heading}\n{body}\n"


_OF_OUTPUT: tuple[Kind, ...] = ("path", "url", "error", "identifier")
_EACH = 5  # of one kind from one output
_READ = 4_000  # characters of an entry that are looked through
_PLENTY = 2  # times what fits is enough to choose from
_TIERS = {"decision": 0, "user_intent": 0, "context": 1, "unknown": 1, "tool_result": 2}


def ranked_key_data(
    entries: Sequence[Entry],
    texts: EntryTexts,
    earlier: Sequence[KeyDatum],
    uses: Uses,
    room: float,
) -> list[KeyDatum]:
    """Key data worth a place: what was named again and again first, then by what it stands in, newest first.

    ``room`` are the tokens that they compete for; a long session is not read to its beginning.
    """
    ranked = sorted(entries, key=lambda one: (_TIERS.get(one.type, 3), -one.at))
    found: dict[KeyDatum, None] = {}
    size = 0.0
    for entry in ranked:
        if size > room * _PLENTY:
            break
        for datum in _data_of(entry, texts):
            if datum not in found:
                found[datum] = None
                size += weight(datum.text)
    found.update(dict.fromkeys(earlier))
    return sorted(found, key=lambda one: (-min(uses.times(one.text), 3), one.kind == "number"))


def fill_key_data(
    section: Section, data: Sequence[KeyDatum], budget: Budget, shown: str
) -> list[KeyDatum]:
    """Put what fits into the section, a line a kind; what is ``shown`` elsewhere is not said again."""
    chosen: dict[Kind, list[str]] = {}
    kept: list[KeyDatum] = []
    for datum in data:
        if datum.text in shown:
            continue
        heading = "" if kept else f"\n{section.heading}\n\n"
        kind = "" if datum.kind in chosen else f"- {PLURALS[datum.kind]}:\n"
        if budget.spend(weight(heading) + weight(kind) + weight(code(datum.text))):
            chosen.setdefault(datum.kind, []).append(datum.text)
            kept.append(datum)
    for at, kind in enumerate(KINDS):
        if kind in chosen:
            section.blocks[at] = f"- {PLURALS[kind]}: {' '.join(map(code, chosen[kind]))}"
    return kept


def _data_of(entry: Entry, texts: EntryTexts) -> Iterator[KeyDatum]:
    message = texts.message(entry)
    if message is None:
        yield from key_data(texts.short(entry))
        return
    for part in message.calls:
        kind, value = part.argument[0], part.argument[1].strip()
        if kind in (COMMAND, PATH) and 0 < len(value) <= LONGEST:
            yield KeyDatum("command" if kind == COMMAND else "path", value)
    if entry.type != "tool_result":
        yield from key_data(excerpt(message.text or message.thinking, _READ))
        return
    counts: dict[Kind, int] = {}
    for datum in key_data(excerpt(message.text, _READ), _OF_OUTPUT):
        counts[datum.kind] = counts.get(datum.kind, 0) + 1
        if counts[datum.kind] <= _EACH:
            yield datum


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
    return (
        f"{TITLE}\n<!-- entries: {entries} | {figures} -->\n"
        f"<!-- the original of a #id: hippo fetch ID{_named(session)} -->\n"
    )


def _named(session: str) -> str:
    """The option that names a session; none that would not fit into a comment on one line."""
    fits = 0 < len(session) <= _LONGEST_NAME and session.isprintable() and "-->" not in session
    return f" --session {shlex.quote(session)}" if fits else ""


_FOOT = "\n<!-- hippocampus stats: {}tok → {}tok ({}) -->"
_SMALLER, _NOT_SMALLER = "{}× compression", "too little to compact"


def longest_foot(before: int, most: int) -> str:
    """A last line that is no shorter than that of a summary of at most so many tokens."""
    return _FOOT.format(before, most, _SMALLER.format(f"{before}.0"))


def foot(before: int, body: str) -> str:
    """The last line: tokens of all that was compacted, and of the summary with this line in it; how many times
    smaller it is, where it is."""
    line, after = _figures(before, body, _SMALLER)
    return line if after <= before else _figures(before, body, _NOT_SMALLER)[0]


def _figures(before: int, body: str, remark: str) -> tuple[str, int]:
    after = tokens(body)
    while True:
        line = _FOOT.format(before, after, remark.format(ratio(before, after)))
        if (exact := tokens(body + line)) <= after:
            return line, after
        after = exact


def ratio(before: int, after: int) -> str:
    """How many times smaller, with one decimal."""
    return f"{before / after:.1f}" if after else "∞"


def active_block(entry: Entry, text: str, call: str) -> str:
    """An entry in full. What could be taken for a line of the summary's own stands in a fence."""
    called = f" {code(cut(call, CALL))}" if call else ""
    longest = max(map(len, re.findall(r"^`{3,}", text, re.MULTILINE)), default=2)
    fence = "`" * (longest + 1)
    body = f"{fence}\n{text}\n{fence}" if _STRUCTURE.search(text) else text
    return f"### [{entry.type}] (r={entry.retention:.2f}){called}{mark(entry)}\n{body}"


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
        self.judged = {one.entry.at: one for one in judged}
        self.key_data: list[KeyDatum] = []
        self._texts = texts
        self._settings = settings
        self._classify = classifier(settings)
        self._room = room
        self._spent = 0.0
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
        self._spell_out_requests()
        for one in self._with("sparse"):
            if one.entry.at not in self._sparse.blocks:
                self._change(one, "drop", "the sparse index is full")
        return self._text()

    def _text(self) -> str:
        sections = (self._goal, self._prior, self._active, self._lines, self._key_data)
        return "".join(section.text() for section in (*sections, self._sparse))

    def _fill_goal(self) -> None:
        """The user's first request and the newest ones."""
        low = self._settings.sparse_threshold
        entries = [one.entry for one in self.judged.values()]
        requests = [one for one in entries if one.type == "user_intent" and one.retention >= low]
        with self._budget(_GOAL_SHARE) as budget:
            for entry in [*requests[:1], *reversed(requests[1:])]:
                if budget.exhausted:
                    break
                text = self._texts.short(entry).strip()
                line = " ".join(text.split())
                if len(text) <= _SHORTEST_GOAL:
                    continue
                block = f"- {cut(escaped(line), _GOAL)}{mark(entry)}"
                if self._goal.add(entry.at, block, budget) and line == text and len(text) <= _GOAL:
                    self._in_goal.add(entry.at)

    def _fill_active(self) -> None:
        with self._budget(_ACTIVE_SHARE) as budget:
            for one in self._strongest("keep"):
                at = one.entry.at
                if not self._texts.is_full(one.entry):
                    self._change(one, "compress", "only its line is known")
                elif budget.exhausted or not self._active.add(at, self._block(one.entry), budget):
                    self._too_large.append(one)
                    self._change(one, "compress", "in full it does not fit")

    def _fill_lines(self) -> None:
        with self._budget(_LINES_SHARE) as budget:
            for one in self._strongest("compress"):
                if budget.exhausted or not self._add_line(one.entry, budget):
                    told = one.entry.at in self._goal.blocks
                    why = "it is shown among the goals" if told else "its line does not fit"
                    self._change(one, "compress" if told else "sparse", why)

    def _fill_sparse(self, share: float) -> None:
        """Pointers: where they do not all fit their texts get shorter, then the oldest ones are left out."""
        waiting = [one for one in self._with("sparse") if one.entry.at not in self._sparse.blocks]
        before = self._sparse.blocks
        limit = self._settings.sparse_tokens - weight(self._sparse.text())
        with self._budget(share) as budget:
            room = max(0, min(budget.left, limit))
            for size in _SPARSE:
                self._sparse.blocks = dict(before)
                attempt = Budget(room)
                if self._add_pointers(waiting, size, attempt):
                    break
            budget.left -= room - attempt.left

    def _add_pointers(self, waiting: Sequence[Judged], size: int, budget: Budget) -> bool:
        """Whether all fit: the newest first, and last what was said beside a call, which its output tells."""
        for one in sorted(waiting, key=lambda one: (bool(one.entry.calls), -one.entry.at)):
            if budget.exhausted:
                break
            self._sparse.add(one.entry.at, self._line(one.entry, size), budget)
        return all(one.entry.at in self._sparse.blocks for one in waiting)

    def _fill_key_data(self, earlier: Sequence[KeyDatum], uses: Uses) -> None:
        decayed = [
            one.entry
            for one in self.judged.values()
            if one.action not in ("keep", "skip") and one.entry.type != "ephemeral"
        ]
        with self._budget(1.0) as budget:
            data = ranked_key_data(decayed, self._texts, earlier, uses, budget.left)
            self.key_data = fill_key_data(self._key_data, data, budget, self._text())

    def _promote(self) -> None:
        """Entries that did not fit in full may do so in what the other sections left."""
        with self._budget(1.0) as budget:
            for one in _by_retention(self._too_large):
                line = self._lines.blocks.get(one.entry.at)
                if line is None:
                    continue
                budget.left += weight(f"{line}\n")
                if self._active.add(one.entry.at, self._block(one.entry), budget):
                    del self._lines.blocks[one.entry.at]
                    self.judged[one.entry.at] = one
                else:
                    budget.left -= weight(f"{line}\n")

    def _spell_out_requests(self) -> None:
        """What the user asked for in full, the newest first, where room is left: nothing else tells it as well."""
        told = [self.judged[at] for at in sorted(self._goal.blocks, reverse=True)]
        with self._budget(1.0) as budget:
            for one in told:
                at = one.entry.at
                cut_short = at not in self._in_goal and at not in self._active.blocks
                if budget.exhausted or not cut_short or not self._texts.is_full(one.entry):
                    continue
                if self._active.add(at, self._block(one.entry), budget):
                    for section in (self._lines, self._sparse):
                        budget.left += weight(section.blocks.pop(at, ""))
                    self._change(one, "keep", "a request, for which there was room")

    def _strongest(self, action: Action) -> list[Judged]:
        """Those of an action that no goal tells in full, the highest retention first."""
        found = [one for one in self._with(action) if one.entry.at not in self._in_goal]
        return _by_retention(found)

    def _with(self, action: Action) -> list[Judged]:
        return [one for one in self.judged.values() if one.action == action]

    def _change(self, one: Judged, action: Action, why: str) -> None:
        self.judged[one.entry.at] = one.instead(action, why)

    def _block(self, entry: Entry) -> str:
        return active_block(entry, self._texts.full(entry), self._call(entry))

    def _add_line(self, entry: Entry, budget: Budget) -> bool:
        prior = entry.role == "prior"
        section, size = (self._prior, _PRIOR) if prior else (self._lines, _COMPRESSED)
        line = f"• (r={entry.retention:.2f}) {self._line(entry, size)}"
        return section.add(entry.at, line, budget)

    def _line(self, entry: Entry, size: int) -> str:
        text = self._texts.short(entry).strip()
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
    return sorted(judged, key=lambda one: (-one.entry.retention, -one.entry.at))


class EntryTexts:
    """What entries say, in full and in short."""

    def __init__(
        self, session: Session, earlier: PreviousSummary, entries: Sequence[Entry]
    ) -> None:
        self._session = session
        self._told = earlier.items
        self._callers = {call: one.at for one in entries for call in one.calls}

    def message(self, entry: Entry) -> Message | None:
        """The message of an entry; None for what an earlier summary tells."""
        return self._session.message(entry.at) if entry.at >= 0 else None

    def short(self, entry: Entry) -> str:
        """What an entry says, without its calls unless it says nothing else."""
        message = self.message(entry)
        if message is None:
            return self._told[entry.at].line.text
        said = message.text.strip() or message.thinking.strip()
        if media := message.media:
            return f"[{media}] {said}".rstrip()
        return said or " ".join(_call(part) for part in message.calls)

    def full(self, entry: Entry) -> str:
        """What an entry says, and its calls below."""
        message = self.message(entry)
        if message is None or entry.silent or not message.calls or message.role == "bash":
            return self.short(entry)
        return "\n".join([self.short(entry), *(f"→ {_call(part)}" for part in message.calls)])

    def call(self, entry: Entry) -> str:
        """What the tool was called with, whose output an entry is: the command, the path."""
        message = self.message(entry)
        if message is None:
            return self._told[entry.at].line.call
        return next((part.argument[1] for part in self.calls(message)), "")

    def calls(self, message: Message) -> Iterator[Part]:
        """The call that a message answers; a command of the user's bears its own."""
        yield from (part for part in message.calls if message.role == "bash")
        caller = self._callers.get(message.call) if message.call else None
        if caller is not None:
            made = self._session.message(caller).calls
            yield from (part for part in made if part.call == message.call)

    def is_full(self, entry: Entry) -> bool:
        """Whether the text at hand is the whole: an earlier summary may have cut it."""
        return entry.at >= 0 or self._told[entry.at].full


def _call(part: Part) -> str:
    return f"{part.name} {part.argument[1] or part.text}".strip()
