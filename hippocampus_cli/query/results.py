"""What a query gives back. Public: the field names are the keys of ``hippo query --json``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.text.dates import Reading
from hippocampus_cli.workspace.origin import Origin

GONE, FADED = "gone", "faded"
"""Why an entry does not answer: what it points at is gone, or decay keeps it back (INDEX §6.2)."""


class Earlier(NamedTuple):
    """A place that says nearly the same as a newer one: where, of which day, and what."""

    place: str
    date: date
    text: str


class Result(NamedTuple):
    """One place that answers: a passage of a note.

    ``start_line`` and ``end_line`` are 1-based and inclusive; of the lines of ``text`` the first ``heading_lines``
    are the heading that the passage begins with, and blank. ``cut`` says that its section has more lines.
    ``source`` is ``"index"`` where an entry matched the query, else ``"search"``. ``entry``, ``strength`` and
    ``band`` speak of the entry that points here, and are ``None`` where none does; ``stale`` says that what that
    entry points at is gone, and this is only the note it was in. ``score`` compares results of one query, 0 to 1.

    ``date`` is the day of the place, and ``dated_by`` what says so: its ``line``, a ``heading`` above it, the
    ``name`` of the file, or the day when the file ``changed`` last. ``superseded`` says what took the place back,
    empty unless somebody said so. ``copies`` are places, as ``path:line``, with the same text; ``earlier`` are older
    places that say nearly the same. ``origin`` says whose words they are (:mod:`hippocampus_cli.workspace.origin`).
    """

    rank: int
    path: str
    section: str | None
    start_line: int
    end_line: int
    text: str
    tokens: int
    score: float
    source: str
    entry: str | None = None
    strength: float | None = None
    band: str | None = None
    cut: bool = False
    stale: bool = False
    reasons: tuple[str, ...] = ()
    superseded: str = ""
    copies: tuple[str, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    origin: Origin = "file"
    date: date | None = None
    dated_by: str = ""
    heading_lines: int = 0


class Suppressed(NamedTuple):
    """An entry that matched and does not answer. ``cause``: it is ``faded``, or what it points at is ``gone``;
    ``reason`` says so in words."""

    entry: str
    strength: float
    cause: str
    reason: str


class Written(NamedTuple):
    """One change that a query wrote back: ``change`` is ``hit``, ``created`` or ``tagged``."""

    entry: str
    change: str
    detail: str


class BeliefShown(NamedTuple):
    """What is held about the question: ``id`` for ``hippo why``, since when, on whose word; ``before`` and
    ``disputed`` are statements, empty for none."""

    id: str
    statement: str
    since: date
    origin: str
    before: str = ""
    disputed: str = ""


def held_line(belief: BeliefShown) -> str:
    """A belief on one line: ``I prefer planes. (since 2026-08-05; before: I prefer trains.)``"""
    before = f"; before: {belief.before}" if belief.before else ""
    disputed = f"; disputed by: {belief.disputed}" if belief.disputed else ""
    return f"{belief.statement} (since {belief.since.isoformat()}{before}{disputed})"


class QueryResult(NamedTuple):
    """The answer to a query. ``route``: who found the first result (``index``, ``search``, ``both``, ``none``).

    ``confidence`` is how likely one of the results answers, 0 to 1, ``first`` how likely the first one does;
    ``sure`` is a word for the former: ``sure``, ``unsure``, or ``none`` where nothing is shown. ``missing`` are
    names, numbers and identifiers of the question that no note has; ``closest`` is a line of what comes nearest
    where nothing is shown. ``today`` is the day of the question, ``newest`` that of the newest note.

    ``tokens`` counts the returned text, ``full_scan_tokens`` all notes together (estimates, D20); ``corrections``
    says what misspelt words were taken for; ``notices`` are things a person should know, such as a read-only
    workspace; ``days`` says which words were taken for which days. ``phrasings`` are the other wordings of the
    question, ``beliefs`` is what is held about it; ``waiting`` is what was remembered and is in no note yet, whatever
    was asked: its log, heading and text.
    """

    query: str
    mode: str
    route: str
    results: tuple[Result, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    written: tuple[Written, ...] = ()
    tokens: int = 0
    full_scan_tokens: int = 0
    elapsed_ms: float = 0.0
    corrections: Mapping[str, list[str]] = MappingProxyType({})
    notices: tuple[str, ...] = ()
    confidence: float = 0.0
    sure: str = "none"
    first: float = 0.0
    missing: tuple[str, ...] = ()
    closest: str = ""
    today: date | None = None
    newest: date | None = None
    days: tuple[Reading, ...] = ()
    phrasings: tuple[str, ...] = ()
    beliefs: tuple[BeliefShown, ...] = ()
    waiting: tuple[str, ...] = ()


def without_beliefs(error: HippoError) -> str:
    """The notice that ``error`` prevented reading the beliefs; what was asked for is given without them."""
    return f"beliefs are left out: {error.where}: {error.facts.get('reason', error.message)}"
