"""The entries of a session scored: importance, decay, last use (CONTEXT §4.3), and what becomes of each (D13).

Agent and user *use* an earlier message when they name an identifier or a path that it was the first to name, or that
a tool's output showed. Of several outputs that show the same, the last before the use is the one used: a file that
was read again is not kept alive twice. Outputs themselves use nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Set
from typing import Literal, NamedTuple, get_args

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import EntryType, classifier, excerpt
from hippocampus_cli.context.transcripts import Message, Session

_BREAKS = bytes(
    code if code >= 128 or chr(code).isalnum() or chr(code) in "_.-" else 32 for code in range(256)
)
_TELLING = re.compile(rb"\d|[_.]|[a-z][A-Z]")
_PLAIN = re.compile(rb".{1,3}|(?:19|20)\d\d|\d{1,2}\.\d{1,2}|.{62,}", re.DOTALL)
_SHOWN = 12_000  # characters of an output that are looked at
_HORIZON = 100  # messages from the end in which a use still keeps something alive


class MessageUse(NamedTuple):
    """The last use of a message: the place of the user, and what was named."""

    place: int
    term: str


class Uses:
    """Collects uses from the newest message to the oldest, each given once."""

    def __init__(self, newest: int) -> None:
        """``newest`` is the place of the newest message."""
        self._oldest_user = newest - _HORIZON
        self._open: dict[bytes, int] = {}  # the last naming that no output has answered for yet
        self._last: dict[bytes, int] = {}
        self._first: dict[bytes, int] = {}
        self._times: Counter[bytes] = Counter()
        self._answers: dict[str, int] = {}
        # The last use, the length of what was named, and that: the longest is the most telling.
        self._used: dict[int, tuple[int, int, bytes]] = {}

    def add(self, place: int, message: Message) -> None:
        """Take in the message at a place."""
        if message.role in ("tool", "bash"):
            self._answers[message.call] = place
            self._answer(place, set(_words(excerpt(message.text, _SHOWN))))
            return
        terms = {word for part in message.parts for word in _words(excerpt(part.text))}
        if place < self._oldest_user:
            terms &= self._last.keys()
        else:
            terms = {word for word in terms if _TELLING.search(word) and not _PLAIN.fullmatch(word)}
            for term in terms:
                self._open.setdefault(term, place)
                self._last.setdefault(term, place)
        for call in message.calls:
            if call.call in self._answers:
                self._answer(self._answers[call.call], terms)
        self._first.update(dict.fromkeys(terms, place))
        self._times.update(terms)

    def times(self, text: str) -> int:
        """How often the agent and the user named what stands in a text and what they spoke of last."""
        return max((self._times[term] for term in _words(text)), default=0)

    def last_uses(self) -> dict[int, MessageUse]:
        """The last use of each message that was used, by its place."""
        for term, first in self._first.items():
            if self._last[term] > first:
                self._note(first, self._last[term], term)
        return {
            place: MessageUse(last, term.decode("utf-8", "replace"))
            for place, (last, _, term) in self._used.items()
        }

    def _answer(self, place: int, terms: Set[bytes]) -> None:
        for term in self._open.keys() & terms:
            if (last := self._open[term]) > place:
                self._note(place, last, term)
                del self._open[term]

    def _note(self, place: int, last: int, term: bytes) -> None:
        use = (last, len(term), term)
        self._used[place] = max(use, self._used.get(place, use))


def _words(text: str) -> list[bytes]:
    """The words of a text, the parts of its paths, its identifiers. Bytes: outputs are large."""
    data = text.encode("utf-8", "replace").translate(_BREAKS) + b" "
    return data.replace(b"..", b" ").replace(b". ", b" ").replace(b"- ", b" ").split()


_LEAST = 0.1  # importance after all penalties


class ScoredMessage(NamedTuple):
    """A message as it is scored. ``place`` is 0 for the oldest.

    ``age`` counts messages since its last use. ``calls`` are its tool calls, ``call`` is the one it answers, and
    ``called`` is what that tool was called with: the command, the path. A ``silent`` entry says nothing beside its
    calls; ``day`` is that of its message, as a date, where that has one.
    """

    place: int
    id: str
    line: int
    role: str
    type: EntryType
    tool: str
    tokens: int
    importance: float
    retention: float
    age: int
    use: MessageUse | None = None
    calls: tuple[str, ...] = ()
    call: str = ""
    called: str = ""
    silent: bool = False
    day: str = ""


def retention_of(kind: EntryType, importance: float, age: float, settings: Compaction) -> float:
    """``max(floor, importance × e^(-rate × age))``: what is left of a type of entry after ``age`` messages."""
    rate: float = getattr(settings, f"rate_{kind}")
    floor: float = getattr(settings, f"floor_{kind}")
    return max(floor, importance * math.exp(-rate * age))


def penalised(importance: float, size: int, settings: Compaction) -> float:
    """An importance, less what its size in tokens takes from it."""
    if size <= settings.large_tokens:
        return importance
    huge = settings.huge_penalty if size > settings.huge_tokens else 0
    return max(_LEAST, importance - settings.large_penalty - huge)


def score(session: Session, settings: Compaction) -> tuple[list[ScoredMessage], Uses]:
    """The entries of a session, oldest first, and what was used; each message is read once, newest first."""
    count = len(session)
    classify, uses = classifier(settings), Uses(count - 1)
    entries: list[ScoredMessage] = []
    called: dict[str, str] = {}
    for place in reversed(range(count)):
        message = session.message(place)
        uses.add(place, message)
        entries.append(_unscored(place, message, classify.type_of(message)))
        called.update((part.call, part.argument[1]) for part in message.calls)
    used = uses.last_uses()
    scored = []
    for entry in reversed(entries):
        if entry.type == "tool_result":
            entry = entry._replace(called=called.get(entry.call, ""))
        scored.append(_scored(entry, used.get(entry.place), count, settings))
    return scored, uses


def _unscored(place: int, message: Message, kind: EntryType) -> ScoredMessage:
    calls = tuple(part.call for part in message.calls)
    silent = not message.text.strip() and not message.media
    if silent and message.thinking.strip():  # a thought beside a call is its reason, no more
        silent = bool(calls) and kind != "decision"
    return ScoredMessage(
        place,
        message.id,
        message.line,
        message.role,
        kind,
        message.tool,
        message.tokens,
        0.0,
        0.0,
        0,
        calls=calls,
        call=message.call,
        silent=silent,
        day=message.day,
    )


def _scored(
    entry: ScoredMessage, use: MessageUse | None, count: int, settings: Compaction
) -> ScoredMessage:
    age, importance = count - 1 - entry.place, getattr(settings, f"importance_{entry.type}")
    if age < settings.recent:
        importance = min(1.0, importance + settings.recency_bonus)
    importance = penalised(importance, entry.tokens, settings)
    if use:
        importance = min(1.0, importance + settings.use_bonus)
        age = count - 1 - use.place
    retention = retention_of(entry.type, importance, age, settings)
    return entry._replace(importance=importance, age=age, use=use, retention=retention)


Action = Literal["keep", "compress", "sparse", "drop", "fold", "skip"]
ACTIONS: tuple[Action, ...] = get_args(Action)
"""``fold``: shown with the output of its call; ``skip``: repeated in any case."""


class JudgedMessage(NamedTuple):
    """An entry, what becomes of it, and why."""

    entry: ScoredMessage
    action: Action
    reason: str


def action_of(retention: float, settings: Compaction) -> Action:
    """What becomes of an entry of this retention, as the thresholds say."""
    if retention >= settings.compress_threshold:
        return "keep"
    return "compress" if retention >= settings.sparse_threshold else "sparse"


def judge(entries: list[ScoredMessage], settings: Compaction) -> list[JudgedMessage]:
    """The verdicts, before any budget."""
    answered = {entry.call for entry in entries if entry.call}
    ids = {entry.place: entry.id for entry in entries}
    return [_judged(entry, answered, ids, settings) for entry in entries]


def _judged(
    entry: ScoredMessage, answered: set[str], ids: Mapping[int, str], settings: Compaction
) -> JudgedMessage:
    if entry.role == "system":
        return JudgedMessage(entry, "skip", "the agent's program repeats it")
    if entry.silent and not entry.calls and not entry.tool:
        return JudgedMessage(entry, "drop", "it is empty")
    if entry.silent and entry.calls and answered.issuperset(entry.calls):
        return JudgedMessage(entry, "fold", "shown with the output of its call")
    if entry.type == "ephemeral" and entry.retention < settings.sparse_threshold:
        return JudgedMessage(entry, "drop", "routine")
    action = action_of(entry.retention, settings)
    low, high = settings.sparse_threshold, settings.compress_threshold
    bounds = {"keep": f"at least {high:g}", "compress": f"{low:g} to {high:g}"}
    reasons = [bounds.get(action, f"below {low:g}")]
    if entry.use is not None:
        reasons.append(f"used again by #{ids[entry.use.place]}: {entry.use.term}")
    return JudgedMessage(entry, action, "; ".join(reasons))
