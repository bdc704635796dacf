"""The entries of a session scored: importance, decay, last use (CONTEXT §4.3), and what becomes of each (D13).

Agent and user *use* an earlier message when they name what it was the first to name (a path, an identifier, a
phrase), or what a tool's output showed. Of several outputs that show the same, the last before the use is the
one used: a file that was read again is not kept alive twice. Outputs themselves use nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Literal, NamedTuple, get_args

from hippocampus_cli.config.context import Compaction
from hippocampus_cli.context.compaction.classify import TYPES, EntryType, classifier, excerpt
from hippocampus_cli.context.keydata import key_data
from hippocampus_cli.context.transcripts import Message, Session
from hippocampus_cli.text.stop_words import STOP_WORDS

_BREAKS = bytes(
    code if code >= 128 or chr(code).isalnum() or chr(code) in "_.-" else 32 for code in range(256)
)
_TELLING = re.compile(rb"\d|[_.]|[a-z][A-Z]")
_PLAIN = re.compile(rb".{1,3}|(?:19|20)\d\d|\d{1,2}\.\d{1,2}|.{62,}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{4,}")
_PHRASE = 3  # words
_COMMON = 3  # messages that may share a phrase; what more say is a habit of speech
_PHRASED = 2_000  # characters of a text that phrases are taken from
_SHORT_PHRASE = 60  # characters
_GOES_ON = re.compile(
    r"(?:now,? (?:let|i'll|i|we|for|on)|next[,:]|let me|let's (?:see|look|check|run|try)|i see"
    r"|i'll (?:look|check|run|read|try|start)|ok(?:ay)?|alright|good|great|perfect|done|got it"
    r"|checking|looking|running|reading|trying|one moment"
    r"|jetzt (?:schaue|prüfe|noch)|gut|fertig|lass mich|schauen wir|ich (?:schaue|prüfe|lese|sehe))(?!\w)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\s[^\W\d_a-zß-ÿ]{2}|\s(?!I\b)[A-ZÄÖÜ]")
"""How an agent begins when it says that it goes on."""
_SHOWN = 12_000  # characters of an output that are looked at


class Use(NamedTuple):
    """The last use of a message: the place of the user, and what was named."""

    at: int
    term: str


class Uses:
    """Collects uses from the newest message to the oldest, each given once.

    Only what was said within ``horizon`` messages from the end can use something: a use further back would
    keep nothing alive, because decay has taken it back since.
    """

    def __init__(self, newest: int, horizon: float = math.inf) -> None:
        """``newest`` is the place of the newest message."""
        self._from = newest - horizon
        self._open: dict[bytes, int] = {}  # the last naming that no output has answered for yet
        self._last: dict[bytes, int] = {}
        self._first: dict[bytes, int] = {}
        self._shown: dict[bytes, int] = {}
        self._times: dict[bytes, int] = {}
        self._answers: dict[str, int] = {}
        # The last use, the length of what was named, and that.
        self._used: dict[int, tuple[int, int, bytes]] = {}

    def add(self, at: int, message: Message) -> None:
        """Take in the message at a place."""
        if message.role in ("tool", "bash"):
            self._show(at, message)
        elif at >= self._from:
            terms = set(filter(_is_telling, _words(message))).union(_phrases(message))
            self._open.update(dict.fromkeys(terms - self._open.keys(), at))
            self._last.update(dict.fromkeys(terms - self._last.keys(), at))
            self._name(at, message, terms)
        elif self._last:
            terms = self._last.keys() & _words(message)
            self._name(at, message, terms.union(self._last.keys() & set(_phrases(message))))

    def times(self, text: str) -> int:
        """How often the agent and the user named what stands in a text and what they spoke of last."""
        return max((self._times.get(term, 0) for term in _tokens(text)), default=0)

    def found(self) -> dict[int, Use]:
        """The last use of each message that was used, by its place."""
        for term, first in self._first.items():
            last = self._last[term]
            habit = b" " in term and self._times[term] > _COMMON
            if last > first and not habit and self._shown.get(term, first) >= first:
                self._note(first, last, term)
        return {
            at: Use(last, term.decode("utf-8", "replace"))
            for at, (last, _, term) in self._used.items()
        }

    def _show(self, at: int, message: Message) -> None:
        if message.call:
            self._answers[message.call] = at
        shown = self._last.keys() & set(_tokens(excerpt(message.text, _SHOWN)))
        self._shown.update(dict.fromkeys(shown, at))
        self._answer(at, shown)

    def _name(self, at: int, message: Message, terms: Set[bytes]) -> None:
        for call in message.calls:
            if (answer := self._answers.get(call.call)) is not None:
                self._answer(answer, terms)
        for term in terms:
            self._first[term] = at
            self._times[term] = self._times.get(term, 0) + 1

    def _answer(self, at: int, terms: Set[bytes]) -> None:
        for term in self._open.keys() & terms:
            if (last := self._open[term]) > at:
                self._note(at, last, term)
                del self._open[term]

    def _note(self, at: int, last: int, term: bytes) -> None:
        """Of several terms named by the same message the longest is the most telling."""
        use = (last, len(term), term)
        known = self._used.get(at)
        if known is None or use > known:
            self._used[at] = use


def _tokens(text: str) -> list[bytes]:
    """The words of a text, the parts of its paths, its identifiers. Bytes: outputs are large."""
    data = text.encode("utf-8", "replace").translate(_BREAKS) + b" "
    return data.replace(b"..", b" ").replace(b". ", b" ").replace(b"- ", b" ").split()


def _words(message: Message) -> set[bytes]:
    words: set[bytes] = set()
    for part in message.parts:
        words.update(_tokens(excerpt(part.text)))
    return words


def _is_telling(token: bytes) -> bool:
    return _TELLING.search(token) is not None and _PLAIN.fullmatch(token) is None


def _phrases(message: Message) -> Iterator[bytes]:
    text = message.text[:_PHRASED].casefold()
    words = [word for word in _WORD.findall(text) if word not in STOP_WORDS]
    for start in range(len(words) - _PHRASE + 1):
        yield " ".join(words[start : start + _PHRASE]).encode("utf-8", "replace")


_LEAST = 0.1  # importance after all penalties
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


class Entry(NamedTuple):
    """A message, or a line of an earlier summary, as it is scored.

    ``at`` is its place, 0 for the oldest message; what an earlier summary tells stands before, at -1, -2, ...
    ``age`` counts messages since its last use. ``calls`` are its tool calls, ``call`` is the one it answers;
    a ``silent`` entry says nothing beside its calls, a ``phrase`` only that the agent goes on; ``day`` is that of its
    message, as a date, where that has one.
    """

    at: int
    id: str
    line: int
    role: str
    type: EntryType
    tool: str
    tokens: int
    importance: float
    retention: float
    age: int
    use: Use | None = None
    calls: tuple[str, ...] = ()
    call: str = ""
    silent: bool = False
    phrase: bool = False
    day: str = ""


class Scored(NamedTuple):
    """All entries, oldest first, the last use of each place, and what was named how often."""

    entries: tuple[Entry, ...]
    used: Mapping[int, Use]
    uses: Uses


class DecayParameters(NamedTuple):
    """How a type of entry fades."""

    importance: float
    rate: float
    floor: float

    @classmethod
    def of(cls, kind: EntryType, settings: Compaction) -> DecayParameters:
        """Those of the settings."""
        names = (f"importance_{kind}", f"rate_{kind}", f"floor_{kind}")
        return cls(*(getattr(settings, name) for name in names))

    def retention(self, importance: float, age: float) -> float:
        """``max(floor, importance × e^(-rate × age))``: what is left after ``age`` messages."""
        return max(self.floor, importance * math.exp(-self.rate * age))

    def penalised(self, importance: float, size: int, settings: Compaction) -> float:
        """An importance, less what its size in tokens takes from it."""
        if size > settings.large_tokens:
            importance = max(_LEAST, importance - settings.large_penalty)
        if size > settings.huge_tokens:
            importance = max(_LEAST, importance - settings.huge_penalty)
        return importance

    def score(self, size: int, age: int, settings: Compaction) -> float:
        """The retention of a text of this size and age that nothing else is known of."""
        return self.retention(self.penalised(self.importance, size, settings), age)


def score(session: Session, earlier: Sequence[Message], settings: Compaction) -> Scored:
    """The entries of a session, each message read once, newest first.

    ``earlier`` is what an earlier summary tells, newest first: it is not scored here, but can be used.
    """
    count = len(session)
    classify, uses = classifier(settings), Uses(count - 1, _horizon(settings))
    raw: list[Entry] = []
    for at in reversed(range(count)):
        message = session.message(at)
        uses.add(at, message)
        raw.append(_unscored(at, message, classify.type_of(message)))
    for before, message in enumerate(earlier, 1):
        uses.add(-before, message)
    used = uses.found()
    rates = {kind: DecayParameters.of(kind, settings) for kind in TYPES}
    scored = (
        _scored(one, used.get(one.at), count, rates[one.type], settings) for one in reversed(raw)
    )
    return Scored(tuple(scored), used, uses)


def _horizon(settings: Compaction) -> float:
    """After how many messages the most lasting of all falls below the sparse threshold."""
    slowest = min(DecayParameters.of(kind, settings).rate for kind in TYPES)
    if not slowest or not settings.sparse_threshold:
        return math.inf
    return math.log(1 / settings.sparse_threshold) / slowest


def _unscored(at: int, message: Message, kind: EntryType) -> Entry:
    calls = tuple(part.call for part in message.calls)
    silent = not message.text.strip() and not any(part.media for part in message.parts)
    if silent and message.thinking.strip():  # a thought beside a call is its reason, no more
        silent = bool(calls) and kind != "decision"
    return Entry(
        at,
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
        phrase=kind == "context" and _is_phrase(message),
        day=day[0] if (day := _DAY.match(message.timestamp or "")) else "",
    )


def _is_phrase(message: Message) -> bool:
    """Whether an agent said only that it goes on (*Let me look at the file.*): no name, no number, nothing asked."""
    text = message.text.strip()
    if message.role != "assistant" or len(text) > _SHORT_PHRASE or not _GOES_ON.match(text):
        return False
    telling = "\n" in text or "?" in text or _NAMED.search(text) or any(map(str.isdigit, text))
    return not telling and not key_data(text)


def _scored(
    entry: Entry, use: Use | None, count: int, rates: DecayParameters, settings: Compaction
) -> Entry:
    age = count - 1 - entry.at
    importance = rates.importance
    if age < settings.recent:
        importance = min(1.0, importance + settings.recency_bonus)
    importance = rates.penalised(importance, entry.tokens, settings)
    if use:
        importance = min(1.0, importance + settings.use_bonus)
        age = count - 1 - use.at
    retention = rates.retention(importance, age)
    return entry._replace(importance=importance, age=age, use=use, retention=retention)


Action = Literal["keep", "compress", "sparse", "drop", "fold", "skip"]
ACTIONS: tuple[Action, ...] = get_args(Action)
"""``fold``: shown with the output of its call, or a phrase that says no more; ``skip``: repeated in any case."""


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
        apart = _by_role(entry, answered, settings)
        if apart is None:
            action = action_of(entry.retention, settings)
            apart = Judged(entry, action, _reason(entry, action, by_place, settings))
        made.append(apart)
    return made


def _by_role(entry: Entry, answered: set[str], settings: Compaction) -> Judged | None:
    """The verdict where retention does not matter."""
    if entry.role == "system":
        return Judged(entry, "skip", "the agent's program repeats it")
    if entry.silent and not entry.calls and not entry.tool:
        return Judged(entry, "drop", "it is empty")
    if entry.silent and entry.calls and answered.issuperset(entry.calls):
        return Judged(entry, "fold", "shown with the output of its call")
    aside = entry.phrase and entry.age >= settings.recent
    if aside and answered.issuperset(entry.calls):
        return Judged(entry, "fold", "a phrase beside what it speaks of")
    if entry.type == "ephemeral" and entry.retention < settings.sparse_threshold:
        return Judged(entry, "drop", "routine")
    return None


def action_of(retention: float, settings: Compaction) -> Action:
    """What becomes of an entry of this retention, as the thresholds say."""
    if retention >= settings.compress_threshold:
        return "keep"
    return "compress" if retention >= settings.sparse_threshold else "sparse"


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
        parts.append("kept at its floor")
    return "; ".join(parts)
