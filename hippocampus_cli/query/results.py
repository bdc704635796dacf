"""What a query gives back. Public: the field names are the keys of ``hippo query --json``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from hippocampus_cli.dates.expressions import Reading
from hippocampus_cli.errors import HippoError
from hippocampus_cli.fast_types import NamedTuple
from hippocampus_cli.query.snippets import Passage
from hippocampus_cli.workspace.origin import Origin


class SupersededBy(NamedTuple):
    """A place of a later date that says otherwise, and the beginning of what it says."""

    path: str
    line: int
    reason: str


WAITING = "waiting"
"""The source of a result that is not in the notes yet."""


class Result(NamedTuple):
    """One place that answers.

    ``start_line`` and ``end_line`` are 1-based and inclusive: the first and last line in ``text``; ``cut`` says
    that the section has more lines. ``section`` is the one that ``start_line`` stands in: the first
    where two that touch are shown as one. ``source`` is ``"index"`` where an entry matched the
    query, ``"waiting"`` for what ``remember`` keeps until it can be written into ``path`` (its lines are 0
    then), else ``"search"``. ``entry``, ``strength`` and ``band`` speak of the entry that points here,
    and are ``None`` where none does; ``stale`` says that what that entry points at is gone, and this is only
    the note it was in. ``score`` compares results of one query, 0 to 1.
    ``superseded_by`` is the later place that takes this one back, and ``also`` are places, as ``path:line``, that say
    nearly the same and are not shown for that. ``passages`` are the bullets, paragraphs and rows in ``text``, best
    first, each with a score that compares all passages of one query. Where lines are left out, ``text`` has a line
    ``…``. ``origin`` says whose words they are, as far as the note does (:mod:`hippocampus_cli.workspace.origin`),
    and ``date`` is the day of the note, the last one where it is of several, ``None`` where it has none: what
    ``since`` and ``until`` go by.
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
    entry: str | None
    strength: float | None
    band: str | None
    cut: bool
    stale: bool = False
    reasons: tuple[str, ...] = ()
    superseded_by: SupersededBy | None = None
    also: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()
    origin: Origin = "file"
    date: date | None = None


class Suppressed(NamedTuple):
    """An entry that matched and does not answer.

    ``cause`` is ``silent`` where decay keeps it back (INDEX §6.2), ``gone`` where nothing is left of what it
    points at.
    """

    entry: str
    strength: float
    reason: str
    cause: str = "silent"


class Written(NamedTuple):
    """One change that a query wrote back: ``change`` is ``hit``, ``created``, ``tagged`` or ``revived``."""

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


def held_line(one: BeliefShown) -> str:
    """A belief on one line: ``I prefer planes. (since 2026-08-05; before: I prefer trains.)``"""
    before = f"; before: {one.before}" if one.before else ""
    disputed = f"; disputed by: {one.disputed}" if one.disputed else ""
    return f"{one.statement} (since {one.since.isoformat()}{before}{disputed})"


class QueryResult(NamedTuple):
    """The answer to a query. ``route``: who found the first result (``index``, ``search``, ``both``, ``none``).

    ``tokens`` counts the returned text, ``full_scan_tokens`` all notes together (estimates, D20);
    ``corrections`` says what misspelt words were taken for; ``notices`` are things a person should know,
    such as a read-only workspace; ``nearest`` are topics to try where nothing was found; ``days`` says which
    words were taken for which days, and ``conditions`` are the words that were none but conditions (``tag:ship``).
    ``confidence`` says how likely it is that the workspace holds an answer, 0 to 1, and ``sure`` is a word for it:
    ``sure``, ``unsure``, or ``none`` where nothing is shown. ``beliefs`` is what is held about it.
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
    nearest: tuple[str, ...] = ()
    confidence: float = 0.0
    sure: str = "none"
    days: tuple[Reading, ...] = ()
    conditions: tuple[str, ...] = ()
    beliefs: tuple[BeliefShown, ...] = ()


def without_beliefs(error: HippoError) -> str:
    """The notice that ``error`` prevented reading the beliefs; what was asked for is given without them."""
    return f"beliefs are left out: {error.where}: {error.facts.get('reason', error.message)}"
