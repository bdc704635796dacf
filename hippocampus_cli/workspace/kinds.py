"""What a file's path says of it: the kind of note (INDEX §11.3), the day or month.

Real workspaces write ``2026-01-31``, ``2026-01-31-0530``, ``2026-01-31-slug``, ``2026-01-31_UPPER``,
``topic-2026-01-31``, ``20260618_2215``, ``2026-05``, ``2026-W05`` and folders like ``2026/05/31.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache

from hippocampus_cli.fast_types import pattern

_YEAR = r"(?<![0-9])((?:19|20)[0-9]{2})"
# The undivided form must stand alone (the look-behind skips back over the year), so that the digits of
# "build20260131" are no date.
_DAY = pattern(
    _YEAR + r"(?:([-_.])(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])|(?<![0-9A-Za-z].{4})"
    r"(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12][0-9]|3[01]))(?![0-9])"
)
# "2026-02-31" is no month: it is a day that does not exist.
_MONTH = pattern(_YEAR + r"[-_.](0[1-9]|1[0-2])(?![0-9]|[-_.][0-9]{2}(?![0-9]))")
_WEEK = pattern(_YEAR + r"-?[wW](0[1-9]|[1-4][0-9]|5[0-3])(?![0-9])")
_FOLDERS_DAY = pattern(
    r"(?:^|/)((?:19|20)[0-9]{2})[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12][0-9]|3[01])(?![0-9])"
)
Period = tuple[date, date]


def date_of(path: str) -> date | None:
    """The day of a note: the first date in its name, else the one its folders spell."""
    day = next(days_in(_stem(path)), None)
    # a month or a week in the name says something else than a day
    return day if day or period_in_name(path) else _day_of_folders(path)


def period_of(path: str) -> Period | None:
    """The first and the last day that a note is about, both inclusive: of a day, a week, a month."""
    if period := period_in_name(path):
        return period
    day = _day_of_folders(path)
    return (day, day) if day else None


def period_in_name(path: str) -> Period | None:
    """As :func:`period_of`, from the file's own name alone; two dates in it are a span."""
    stem = _stem(path)
    if days := [*days_in(stem)]:
        return days[0], max(days[0], days[-1])
    if (week := _WEEK.search(stem)) and (monday := _date(date.fromisocalendar, *week.groups(), 1)):
        return monday, monday + timedelta(days=6)
    if not (month := _MONTH.search(stem)):
        return None
    first = date(int(month[1]), int(month[2]), 1)
    in_the_next = first + timedelta(days=31)
    return first, in_the_next - timedelta(days=in_the_next.day)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name


def days_in(text: str) -> Iterator[date]:
    """Each possible date in ``text``."""
    for found in _DAY.finditer(text):
        month, day = found[3] or found["month"], found[4] or found["day"]
        if possible := _date(date, found[1], month, day):
            yield possible


def _date(make: Callable[[int, int, int], date], *numbers: str | int) -> date | None:
    """What the numbers make; ``None`` for the 31st of February, or a week 53 in a year of 52."""
    try:
        first, second, third = map(int, numbers)
        return make(first, second, third)
    except ValueError:
        return None


def _day_of_folders(path: str) -> date | None:
    """The day spelt by folders: ``2026/05/31.md``, ``2026-05/31.md``, ``2026-05-31/notes.md``."""
    found = _FOLDERS_DAY.search(path)
    return _date(date, *found.groups()) if found else None


class NoteKind(StrEnum):
    """The types of INDEX §11.3."""

    CONFIG = "config"  # the workspace's core files: MEMORY.md, AGENTS.md, ...
    DAILY = "daily"
    STATE = "state"  # data: JSON, YAML, TOML
    PROJECT = "project"
    DOC = "doc"
    RESEARCH = "research"
    SKILL = "skill"
    AGENT = "agent"
    TEMP = "temp"


_CORE = frozenset(
    (
        "memory",
        "agents",
        "soul",
        "user",
        "identity",
        "tools",
        "heartbeat",
        "bootstrap",
        "boot",
        "defrag",
        "dreams",
        "claude",
        "gemini",
        "persona",
        "rules",
    )
)
_DATA = (".json", ".jsonl", ".yaml", ".yml", ".toml")
_NAMES = ("skill", "project", "agent", "research")  # of files; each is the kind
_FOLDERS = {
    NoteKind.DAILY: "daily dailies journal journals diary logs",
    NoteKind.PROJECT: "project projects",
    NoteKind.RESEARCH: "research deep-research investigations",
    NoteKind.SKILL: "skill skills",
    NoteKind.AGENT: "agent agents subagent subagents sub-agents",
    NoteKind.TEMP: "tmp temp scratch drafts",
    NoteKind.DOC: "doc docs documentation whitepapers papers reference",
}
_OF_FOLDER = {name: kind for kind, names in _FOLDERS.items() for name in names.split()}
_TEMP_WORD = pattern(r"(?:^|[^a-z])(?:tmp|temp|temporary|scratch|scratchpad)(?:[^a-z]|$)")
_RESEARCH_WORD = pattern(r"(?:^|[^a-z])research(?:[^a-z]|$)")


SHARED_FOLDER = "shared-memory"
"""Where what other agents share is (synapse.md): their days are no days of this workspace."""


@lru_cache(maxsize=1 << 15)  # of each candidate of a question
def kind_of(path: str) -> NoteKind:
    """The kind of the note at ``path`` (relative, ``/``-separated).

    Data first, then a date in the file's name, then the core files at the root; then the name, then the
    outermost folder that says something, so a skill's docs belong to the skill. The rest is ``doc``.
    """
    lowered = path.lower()
    *folders, name = lowered.split("/")
    if name.endswith(_DATA):
        return NoteKind.STATE
    if folders and folders[0] == SHARED_FOLDER:
        return NoteKind.DOC
    if period_in_name(name):
        return NoteKind.DAILY
    stem = _stem(name)
    if not folders and stem in _CORE:
        return NoteKind.CONFIG
    if _TEMP_WORD.search(stem):
        return NoteKind.TEMP
    if stem in _NAMES:
        return NoteKind(stem)
    for folder in folders:
        if kind := _OF_FOLDER.get(folder.lstrip(".")):
            return kind
    if date_of(lowered):
        return NoteKind.DAILY
    return NoteKind.RESEARCH if _RESEARCH_WORD.search(stem) else NoteKind.DOC


_GUIDANCE = pattern(
    r"(?:^|[^a-z])(?:lessons?|rules?|decisions|principles|never|regeln|entscheidungen)(?:[^a-z]|$)"
)
_GUIDING = (NoteKind.DOC, NoteKind.PROJECT, NoteKind.RESEARCH, NoteKind.DAILY)


def is_core(path: str) -> bool:
    """Whether a note is one that comes first (decision D22): a core file at the root; lessons, rules and decisions
    wherever they are."""
    kind = kind_of(path)
    return kind is NoteKind.CONFIG or (kind in _GUIDING and bool(_GUIDANCE.search(path.lower())))


_BACKUP = pattern(r"archiv|backup|(?:^|[/_.-])(?:old|bak|deprecated|legacy)(?:[/_.-]|$)")


def is_backup(path: str) -> bool:
    """Whether a path says archive, backup or old: what it says may stand elsewhere, as it is now."""
    return bool(_BACKUP.search(path.lower()))
