"""The health of an index at one moment (INDEX §8.2: "index health report").

Public: the field names are the keys of ``hippo report --json``. Strengths are 0 to 1, tokens estimates (D20),
weeks begin on Monday; a dictionary by band has all of them, the strongest first.
"""

from __future__ import annotations

from datetime import date, datetime

from hippocampus_cli.fast_types import NamedTuple


class Mention(NamedTuple):
    """An entry as the report names it. ``id`` is unique in the index."""

    id: str
    topic: str
    strength: float
    band: str
    hits: int
    created: date | datetime | None
    accessed: date | datetime | None
    queued: date | datetime | None


class Broken(NamedTuple):
    """A broken pointer: ``status`` is ``missing-file``, ``missing-section`` or ``outside``."""

    entry: str
    topic: str
    pointer: str
    status: str


class Week(NamedTuple):
    """The queries of one week: of how many hippo was ``sure``, how many it answered ``unsure``, and how many found
    nothing (``none``). ``sure_rate`` is the share of the first."""

    week: date
    queries: int
    sure: int
    unsure: int
    none: int
    sure_rate: float | None


class Recall(NamedTuple):
    """One way of asking: how often it was used, how often something was given, and the tokens of that."""

    way: str
    asked: int
    given: int
    tokens: int


class Growth(NamedTuple):
    """The entries of today by age: ``added`` in that week, ``entries`` up to its end."""

    week: date
    added: int
    entries: int


class Size(NamedTuple):
    """The size of the index after an upkeep cycle."""

    at: datetime
    entries: int
    tokens: int
    notes: int


class Health(NamedTuple):
    """The whole report.

    ``weeks`` and ``growth`` end with this week, and begin with the first of which hippo has a record. ``queries`` and
    ``sure_rate`` are about all ``weeks``. ``high``, ``fades_on`` and ``fades_first`` are those of `hippo status`.
    ``orphans`` have no relation to another entry, in either
    direction; ``silent`` are the faded ones, the weakest first. What is due stands in `hippo status`. ``recall`` is
    what agents were given, ``opened`` how often one went to a note that it was given a place of, ``wrong`` how many
    answers were taken back: counted in the journal and in the log of hooks, which keeps the last ten thousand.
    """

    workspace: str
    at: datetime
    entries: int
    pinned: int
    average: float | None
    bands: dict[str, int]
    tokens: int
    max_tokens: int
    high: int
    fades_on: date | None
    fades_first: int
    pointers: int
    broken: tuple[Broken, ...]
    orphans: tuple[Mention, ...]
    queries: int
    sure_rate: float | None
    weeks: tuple[Week, ...]
    growth: tuple[Growth, ...]
    sizes: tuple[Size, ...]
    silent: tuple[Mention, ...]
    recall: tuple[Recall, ...]
    opened: int
    wrong: int
