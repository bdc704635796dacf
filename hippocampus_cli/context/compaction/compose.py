"""The text of a summary: sections filled within a budget of tokens, in order of worth.

Each section may use a share of the room; what it leaves over is available to the next one.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.budget import Budget
from hippocampus_cli.context.compaction.classify import classifier, excerpt
from hippocampus_cli.context.compaction.prior import PRIOR
from hippocampus_cli.context.compaction.score import Action, JudgedMessage, ScoredMessage, Uses
from hippocampus_cli.context.compaction.summary_format import (
    called,
    code,
    cut,
    escaped,
    line_of,
    mark,
)
from hippocampus_cli.context.extract.choose import extract
from hippocampus_cli.context.key_data import KINDS, LONGEST, PLURALS, KeyDatum, Kind, key_data
from hippocampus_cli.context.transcripts import Message, Session
from hippocampus_cli.context.transcripts.message import COMMAND, PATH, TITLE
from hippocampus_cli.markdown.tokens import tokens, weight
from hippocampus_cli.workspace.fence import Piece
from hippocampus_cli.workspace.origin import of_role


@dataclass(slots=True)
class SummarySection:
    """A heading and what stands below it, written in the order of the places.

    ``origin`` says whose words these are; ``head`` are the tokens that a fence adds later to each block.
    """

    heading: str
    origin: str = ""
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

    def body(self) -> str:
        """The blocks."""
        return self.gap.join(self.blocks[place] for place in sorted(self.blocks))

    def text(self) -> str:
        """The section with a blank line before it; nothing where it is empty."""
        return f"\n{self.heading}\n{self.body()}\n" if self.blocks else ""


_OF_OUTPUT: tuple[Kind, ...] = ("path", "url", "error", "identifier")
_EACH = 5  # of one kind from one output
_READ = 4_000  # characters of an entry that are looked through
_PLENTY = 2  # times what fits is enough to choose from
_TIERS = {"decision": 0, "user_intent": 0, "context": 1, "unknown": 1, "tool_result": 2}
_STRUCTURE = re.compile(r"^(?:#{1,6} |<!--|•|`{3,}|~{3,})", re.MULTILINE)
_LONGEST_NAME = 400  # characters
DONE: dict[Action, str] = {
    "sparse": "sparse",
    "compress": "compressed",
    "keep": "kept",
    "fold": "folded",
    "drop": "dropped",
    "skip": "skipped",
}
"""What is said of a message when that is done with it."""


def head(entries: int, counts: Counter[Action], session: str = "") -> str:
    """Title, figures, and how to get an original; ``session`` names to `hippo fetch` where it is."""
    figures = " | ".join(
        f"{name}: {counts[action]}" for action, name in DONE.items() if action != "skip"
    )
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


# Which share of the room is for each section; messages in full get what is left.
_GOAL_SHARE, _LINES_SHARE, _SPARSE_SHARE, _DATA_SHARE = 0.12, 0.2, 0.35, 0.1
_GOAL, _PRIOR, _COMPRESSED = 160, 300, 160  # characters of a text on a line
_SPARSE = (80, 40, 20)  # of one in the sparse index, the longest with which all find room
_SHORTEST_POINTER = 10  # tokens
_SHORTEST_GOAL = 10


class Composer:
    """Fills the sections; ``judged`` ends up with what became of every entry."""

    def __init__(
        self,
        session: Session,
        judged: Sequence[JudgedMessage],
        settings: Compaction,
        room: float,
        head: int = 0,
    ) -> None:
        """``room`` is what head and foot leave, in tokens; ``head`` is added later to each message in full."""
        self.judged = {verdict.entry.place: verdict for verdict in judged}
        self.key_data: list[KeyDatum] = []
        self._session = session
        self._settings = settings
        self._classify = classifier(settings)
        self._budget = Budget(room)
        self._in_goal: set[int] = set()
        self._goal = SummarySection("## Goal", "user")
        self._prior = SummarySection("## Prior Context", "unknown")
        self._active = SummarySection("## Active Context (high retention)", gap="\n\n", head=head)
        self._lines = SummarySection("## Compressed (mid retention — re-fetch if needed)")
        self._key_data = SummarySection("## Key Data (verbatim)", "unknown")
        self._sparse = SummarySection("## Sparse Index (decayed — pointers only)")

    def compose(self, uses: Uses) -> str:
        """All sections, in the order of the specification's layout.

        What is short has its share; what is left over is for messages in full.
        """
        room = self._budget.left
        self._fill_goal(room * _GOAL_SHARE)
        self._fill_lines(room * _LINES_SHARE)
        pointers = room * (_SPARSE_SHARE + _DATA_SHARE)
        self._fill_active(self._budget.left - pointers)
        self._fill_lines(self._budget.left - pointers)
        told = self._goal.blocks | self._prior.blocks | self._lines.blocks
        for verdict in self._with("compress"):
            if verdict.entry.place not in told:
                self._change(verdict, "sparse", "its line does not fit")
        self._fill_sparse(self._budget.left - room * _DATA_SHARE)
        self._fill_key_data(uses)
        for verdict in self._with("sparse"):
            if verdict.entry.place not in self._sparse.blocks:
                self._change(verdict, "drop", "the sparse index is full")
        return self._text()

    def pieces(self) -> Iterator[Piece]:
        """The sections for a fence, with whose words they are; each message in full is a piece."""
        for section in self._sections():
            heading = f"{section.origin} {section.heading}".lstrip()
            if section is self._active and section.blocks:
                yield Piece(heading)
                yield from map(self._piece, sorted(section.blocks))
            elif section.blocks:
                yield Piece(heading, section.body())

    def _piece(self, place: int) -> Piece:
        entry = self.judged[place].entry
        heading, _, text = self._active.blocks[place].partition("\n")
        said = (of_role(entry.role), entry.day, heading)
        return Piece(" ".join(filter(None, said)), text.strip("\n"))

    def _sections(self) -> tuple[SummarySection, ...]:
        talk = (self._goal, self._prior, self._active, self._lines)
        return (*talk, self._key_data, self._sparse)

    def _text(self) -> str:
        return "".join(section.text() for section in self._sections())

    def _fill_goal(self, most: float) -> None:
        """The user's first request and the newest ones."""
        self._budget.allow(most)
        low = self._settings.sparse_threshold
        entries = [verdict.entry for verdict in self.judged.values()]
        requests = [
            entry for entry in entries if entry.type == "user_intent" and entry.retention >= low
        ]
        for entry in [*requests[:1], *reversed(requests[1:])]:
            if self._budget.exhausted:
                break
            text = _short(self._message(entry))
            if len(text) <= _SHORTEST_GOAL:
                continue
            line = " ".join(text.split())
            block = f"- {cut(escaped(line), _GOAL)}{mark(entry)}"
            added = self._goal.add(entry.place, block, self._budget)
            if added and line == text and len(text) <= _GOAL:
                self._in_goal.add(entry.place)

    def _fill_active(self, most: float) -> None:
        """The strongest in full, then the user's other requests, the newest first."""
        self._budget.allow(most)
        requests = [self.judged[place] for place in sorted(self._goal.blocks, reverse=True)]
        for verdict in dict.fromkeys([*_by_retention(self._with("keep")), *requests]):
            place = verdict.entry.place
            if place in self._in_goal:
                continue
            if not self._budget.exhausted and self._add_active(verdict.entry):
                if verdict.action != "keep":
                    self._lines.blocks.pop(place, None)
                    self._change(verdict, "keep", "there was room for it")
            elif verdict.action == "keep":
                self._change(verdict, "compress", "in full it does not fit")

    def _fill_lines(self, most: float) -> None:
        """A line for what is compressed, the strongest first."""
        self._budget.allow(most)
        told = self._in_goal | self._lines.blocks.keys() | self._prior.blocks.keys()
        for verdict in _by_retention(self._with("compress")):
            if self._budget.exhausted:
                break
            if verdict.entry.place not in told:
                self._add_line(verdict.entry)

    def _fill_sparse(self, most: float) -> None:
        """Pointers: where they do not all fit their texts get shorter, then the oldest ones are left out.

        The first to be left out is what was said beside a call, which its output tells.
        """
        waiting = [verdict.entry for verdict in self._with("sparse")]
        waiting.sort(key=lambda entry: (bool(entry.calls), -entry.place))
        room = max(0.0, min(most, self._settings.sparse_tokens))
        self._budget.allow(room)
        waiting = waiting[: int(room / _SHORTEST_POINTER)]
        told = [(entry, self._told(entry, _SPARSE[0])) for entry in waiting]
        for size in _SPARSE:
            lines = [line_of(entry, text, size) for entry, text in told]
            if sum(map(weight, lines)) <= room - len(lines):
                break
        for entry, line in zip(waiting, lines, strict=True):
            self._sparse.add(entry.place, line, self._budget)

    def _fill_key_data(self, uses: Uses) -> None:
        """A line a kind; what is shown elsewhere is not said again."""
        self._budget.allow(self._budget.left)
        shown, chosen = self._text(), dict[Kind, list[str]]()
        for datum in self._ranked_key_data(uses):
            if datum.text in shown:
                continue
            heading = "" if chosen else f"\n{self._key_data.heading}\n\n"
            kind = "" if datum.kind in chosen else f"- {PLURALS[datum.kind]}:\n"
            if self._budget.spend(weight(heading) + weight(kind) + weight(code(datum.text))):
                chosen.setdefault(datum.kind, []).append(datum.text)
                self.key_data.append(datum)
        for place, kind in enumerate(KINDS):
            if kind in chosen:
                line = f"- {PLURALS[kind]}: {' '.join(map(code, chosen[kind]))}"
                self._key_data.blocks[place] = line

    def _ranked_key_data(self, uses: Uses) -> list[KeyDatum]:
        """Key data of what faded: what was named again and again first, then by what it stands in, newest first.

        A long session is not read to its beginning: twice what there is room for is enough.
        """
        faded = [
            verdict.entry
            for verdict in self.judged.values()
            if verdict.action not in ("keep", "skip") and verdict.entry.type != "ephemeral"
        ]
        faded.sort(key=lambda entry: (_TIERS.get(entry.type, 3), -entry.place))
        ranked: dict[KeyDatum, None] = {}
        room = self._budget.left * _PLENTY
        for entry in faded:
            if room < 0:
                break
            for datum in _key_data_of(self._message(entry)):
                if datum not in ranked:
                    ranked[datum] = None
                    room -= weight(datum.text)
        return sorted(
            ranked, key=lambda datum: (-min(uses.times(datum.text), 3), datum.kind == "number")
        )

    def _with(self, action: Action) -> list[JudgedMessage]:
        return [verdict for verdict in self.judged.values() if verdict.action == action]

    def _change(self, verdict: JudgedMessage, action: Action, why: str) -> None:
        """Another action, because of the budget."""
        entry, _, reason = verdict
        self.judged[entry.place] = JudgedMessage(entry, action, f"{reason}; {why}")

    def _add_active(self, entry: ScoredMessage) -> bool:
        """An entry in full. What could be taken for a line of the summary's own stands in a fence."""
        text = _full(self._message(entry))
        if _STRUCTURE.search(text):
            fence = "`" * (max(map(len, re.findall(r"^`{3,}", text, re.MULTILINE)), default=2) + 1)
            text = f"{fence}\n{text}\n{fence}"
        call = called(entry.called)
        block = f"### [{entry.type}] (r={entry.retention:.2f}){call}{mark(entry)}\n{text}"
        return self._active.add(entry.place, block, self._budget)

    def _add_line(self, entry: ScoredMessage) -> None:
        prior = entry.role == PRIOR
        section, size = (self._prior, _PRIOR) if prior else (self._lines, _COMPRESSED)
        line = f"• (r={entry.retention:.2f}) {line_of(entry, self._told(entry, size), size)}"
        section.add(entry.place, line, self._budget)

    def _told(self, entry: ScoredMessage, size: int) -> str:
        """What is told of an entry in about so many characters."""
        text = _short(self._message(entry))
        if entry.type == "decision":
            return self._classify.from_decision(text, size)
        is_long = entry.type == "tool_result" and len(text) > size
        return extract(text, entry.called).summary if is_long else text

    def _message(self, entry: ScoredMessage) -> Message:
        return self._session.message(entry.place)


def _by_retention(judged: Iterable[JudgedMessage]) -> list[JudgedMessage]:
    """The highest retention first, of equal ones the newest."""
    return sorted(judged, key=lambda verdict: (-verdict.entry.retention, -verdict.entry.place))


def _short(message: Message) -> str:
    """What a message says, without its calls unless it says nothing else."""
    said = message.text.strip() or message.thinking.strip()
    if media := message.media:
        return f"[{media}] {said}".rstrip()
    return said or _calls(message, " ")


def _full(message: Message) -> str:
    """What a message says, and its calls below."""
    said = message.text.strip() or message.thinking.strip() or message.media
    if not said or not message.calls or message.role == "bash":
        return _short(message)
    return f"{_short(message)}\n→ {_calls(message, f'{chr(10)}→ ')}"


def _calls(message: Message, gap: str) -> str:
    shown = (f"{part.name} {part.argument[1] or part.text}".strip() for part in message.calls)
    return gap.join(shown)


def _key_data_of(message: Message) -> Iterator[KeyDatum]:
    """What of a message is to be kept to the letter; of an output a few of each kind."""
    for part in message.calls:
        kind, value = part.argument[0], part.argument[1].strip()
        if kind in (COMMAND, PATH) and 0 < len(value) <= LONGEST:
            yield KeyDatum("command" if kind == COMMAND else "path", value)
    if message.role not in ("tool", "bash"):
        yield from key_data(excerpt(message.text or message.thinking, _READ))
        return
    counts = Counter[Kind]()
    for datum in key_data(excerpt(message.text, _READ), _OF_OUTPUT):
        counts[datum.kind] += 1
        if counts[datum.kind] <= _EACH:
            yield datum
