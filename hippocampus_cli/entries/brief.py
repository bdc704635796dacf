"""What an agent should know of its memory at the start of a session: how to ask, rules, what is held, open
tasks, subjects. Pure.

It is made of the notes and of the index as they stand in their files, without the clock, so that it is the same text,
byte for byte, until one of them says something else: what an agent reads first must not change from turn to turn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from hippocampus_cli.entries.priorities import RULE, RULE_TITLE
from hippocampus_cli.index.document import MASTER, Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Priority
from hippocampus_cli.markdown.blocks import Kind, scan
from hippocampus_cli.markdown.safe import inline_text, safe_line
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.fence import Piece, Random, fenced
from hippocampus_cli.workspace.kinds import NoteKind, kind_of, period_of
from hippocampus_cli.workspace.note import Note

HEAD = "what is in the memory of this workspace"
"""What a brief is called where it is quoted to an agent."""
MOST_TOKENS = 400
RULES, HELD, OPEN, NEW, SUBJECTS = 5, 4, 4, 2, 8
RECENT = 5
"""Daily notes, the newest ones, whose open tasks are told of."""
_LONGEST = 110  # characters of a line that is quoted
_LONGEST_TOPIC = 40  # of one of several subjects on a line
_SHORTEST = 12
_TASK = re.compile(r"^\s*[-*+]\s+\[ \]\s+(.+)")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?!\[[ xX]\])(.+)")
_CHECKLIST = "heartbeat.md"
_FIRST = ("agents", "claude", "memory", "rules", "soul", "user", "tools")
_RECITED = frozenset(
    ("agents", "claude", "gemini", "soul", "identity", "heartbeat", "boot", "bootstrap")
)
"""Notes that an agent's program reads to it at every start."""
HOW = (
    'Ask it before you answer from what you know alone: `hippo query "WORDS" --json --lean`. '
    'Write down what should stay: `hippo remember "TEXT"`.'
)
_WEIGHT = {Priority.AMYGDALA: 3, Priority.HIGH: 2, Priority.LOW: 0}
_KINDS = {
    NoteKind.CONFIG: 3,
    NoteKind.PROJECT: 2,
    NoteKind.DAILY: -2,
    NoteKind.STATE: -2,
    NoteKind.TEMP: -3,
}


class Brief(NamedTuple):
    """A brief and what it is made of: rules and tasks as ``text (path:line)``, subjects as ``topic -> pointer``.

    ``answer`` is what the memory has on the prompt that was named, where it is sure of it, ``held`` the newest
    beliefs, each with what it came instead of, ``newest`` what the last days were about, as subjects. The text begins
    with ``instructions``, hippo's own words. Public: the field names are the keys of ``--json``.
    """

    text: str
    tokens: int
    rules: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    answer: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    newest: tuple[str, ...] = ()
    instructions: str = ""

    def fenced(self, random: Random) -> str:
        """The text for an agent: what notes say is quoted; hippo's own words stand before the quotation, for an agent
        that obeys it would ignore them inside."""
        quotation = self.text.removeprefix(self.instructions).strip()
        if not quotation:
            return self.instructions.rstrip()
        return f"{self.instructions}{fenced([Piece(HEAD, quotation)], random)}"


def brief(
    index: Hierarchy,
    notes: Sequence[Note],
    counted: int,
    answer: Sequence[str] = (),
    notices: Sequence[str] = (),
    held: Sequence[str] = (),
    waiting: Sequence[str] = (),
    loaded: Collection[str] = (),
) -> Brief:
    """The brief of an index and of the ``notes`` that speak of rules and tasks; ``counted`` are all notes there are.

    ``held`` are beliefs, the newest first; one that is told as a rule is not told again. ``notices`` are hippo's own
    words, ``waiting`` what was remembered and is in no note yet. Of the paths in ``loaded``, which the agent's client
    reads to it by itself, no rules and tasks are told.

    What does not fit into :data:`MOST_TOKENS` is left out, from the longest list and its end.
    """
    unread = [note for note in notes if note.path not in loaded]
    rules = _within(RULES, _rules(unread))
    known = [*rules, *_rules([note for note in notes if note.path in loaded])]
    parts = [
        rules,
        _within(HELD, (one for one in map(_short, held) if not _is_told(one, known))),
        _within(OPEN, _tasks(unread)),
        _within(NEW, _newest(index)),
        _within(SUBJECTS, _subjects(index)),
    ]
    own = _instructions(len(index.entries), counted, notices)
    while True:
        text = own + _text(parts, answer, waiting)
        cost = tokens(text)
        if cost <= MOST_TOKENS or not any(parts):
            rules, told, tasks, new, subjects = parts
            said = tuple(answer), (*notices, *waiting)
            return Brief(text, cost, rules, tasks, subjects, *said, told, new, own)
        longest = max(range(len(parts)), key=lambda at: len(parts[at]))
        parts[longest] = parts[longest][:-1]


def is_read(path: str) -> bool:
    """Whether a note may hold rules or tasks that a brief tells of: the core files, and daily notes."""
    return kind_of(path) in (NoteKind.CONFIG, NoteKind.DAILY)


def chosen(paths: Iterable[str]) -> list[str]:
    """The notes to read for a brief: the core files, in the order in which they count, and the newest daily notes."""
    there = [path for path in paths if is_read(path)]
    core = sorted((path for path in there if kind_of(path) is NoteKind.CONFIG), key=_order)
    dated = [(found[1], path) for path in there if path not in core and (found := period_of(path))]
    return [*core, *(path for _, path in sorted(dated, reverse=True)[:RECENT])]


def _order(path: str) -> tuple[int, str]:
    stem = path.lower().rpartition(".")[0]
    return (_FIRST.index(stem) if stem in _FIRST else len(_FIRST)), path


def _instructions(entries: int, counted: int, notices: Sequence[str]) -> str:
    first = f"{_memory_of(entries, counted)}. {HOW}\n"
    return first + _listing("Look at this first", notices)


def _text(parts: Sequence[Sequence[str]], answer: Sequence[str], waiting: Sequence[str]) -> str:
    titles = (
        "Not in the notes yet",
        "On what was asked",
        "Rules",
        "Held",
        "Open",
        "New",
        "Subjects",
    )
    return "".join(map(_listing, titles, (waiting, answer, *parts)))


def _listing(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {line}" for line in lines)]) + "\n" if lines else ""


def _memory_of(entries: int, notes: int) -> str:
    """What there is; without entries the index is new, or cannot be read."""
    if not notes:
        return "This workspace has a memory, and nothing is in it yet"
    noted = "1 note" if notes == 1 else f"{notes} notes"
    if not entries:
        return f"This workspace has a memory of {noted}"
    leading = "1 entry leads" if entries == 1 else f"{entries} entries lead"
    return f"This workspace has a memory: {leading} into {noted}"


def _within(most: int, found: Iterable[str]) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for one in found:
        kept.setdefault(one)
        if len(kept) == most:
            break
    return tuple(kept)


def _rules(notes: Sequence[Note]) -> Iterator[str]:
    """Items of sections that are rules by their title, then items that say never, always or must."""
    core = [note for note in notes if kind_of(note.path) is NoteKind.CONFIG]
    for by_title in (True, False):
        for note in core:
            for line, text, title in _items(note):
                if RULE_TITLE.search(title) if by_title else RULE.search(text):
                    yield _quoted(note, line, text)


def _items(note: Note) -> Iterator[tuple[int, str, str]]:
    """The list items outside code: their line, their text, and the titles they stand under."""
    kinds = scan(note.lines).kinds
    for section in note.sections:
        title = " / ".join((*section.parents, section.title))
        for at in range(section.start - 1 + section.heading_lines, section.end):
            found = _ITEM.match(note.lines[at]) if kinds[at] == Kind.TEXT else None
            if found and len(found[1].strip()) >= _SHORTEST:
                yield at + 1, found[1], title


def _tasks(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        if note.path.lower() == _CHECKLIST:
            continue  # what is done again at every heartbeat is never done
        kinds = scan(note.lines).kinds
        for at, line in enumerate(note.lines):
            if (found := _TASK.match(line)) and kinds[at] == Kind.TEXT:
                yield _quoted(note, at + 1, found[1])


def _quoted(note: Note, line: int, text: str) -> str:
    return f"{_short(text)} ({safe_line(note.path)}:{line})"


def _short(text: str) -> str:
    text = " ".join(inline_text(safe_line(text)).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def _is_told(statement: str, rules: Iterable[str]) -> bool:
    words = statement.partition(" (since ")[0].rstrip(".!")
    return any(words in rule for rule in rules)


def _newest(index: Hierarchy) -> Iterator[str]:
    """What the last days were about: the entries of single daily notes, the latest day first."""
    dated = [
        (day[1], -one.line, f"{_short(one.entry.topic)} -> {safe_line(str(one.entry.pointers[0]))}")
        for one in index.entries
        if len(one.entry.pointers) == 1 and not one.entry.stale
        if kind_of(path := one.entry.pointers[0].path) is NoteKind.DAILY
        and (day := period_of(path))
    ]
    return (line for *_, line in sorted(dated, reverse=True))


def _subjects(index: Hierarchy) -> Iterator[str]:
    """The subjects of a note on a line, or where it has only one those of its folder; what is used or counts most
    first. What agents recite at each start anyway comes last."""
    topics: dict[str, list[str]] = {}
    alone: dict[str, Located] = {}
    entries = [one for one in index.entries if one.entry.pointers and not one.entry.stale]
    of_note = Counter(one.entry.pointers[0].path for one in entries)
    ordered = sorted(entries, key=lambda one: (one.file == MASTER, _worth(one)), reverse=True)
    for located in ordered:
        path = located.entry.pointers[0].path
        folder = path.rpartition("/")[0]
        place = path if of_note[path] > 1 or not folder else f"{folder}/"
        alone.setdefault(place, located)
        topics.setdefault(place, []).append(_name_of(located, place))
    for place in sorted(topics, key=_is_recited):
        if len(topics[place]) == 1 and _is_only_a_file(alone[place]):
            continue
        pointers = alone[place].entry.pointers
        shown = str(pointers[0]) if len(topics[place]) == 1 else place
        yield f"{_listed(topics[place])} -> {safe_line(shown)}"


def _is_recited(place: str) -> bool:
    return place.lower().rpartition(".")[0] in _RECITED


def _name_of(located: Located, place: str) -> str:
    """A topic without what its place says already, short enough to stand among others."""
    topic = _short(located.entry.topic)
    name, colon, rest = topic.partition(": ")
    stem = place.rstrip("/").rpartition("/")[2].partition(".")[0].lower()
    topic = rest if colon and name.lower() == stem else topic
    return shorten(topic.replace("; ", ", "), _LONGEST_TOPIC)


def _listed(topics: Sequence[str]) -> str:
    """As many of the topics as a line has room for."""
    line = topics[0]
    for topic in topics[1:]:
        if len(line) + len(topic) + 2 > _LONGEST:
            break
        line = f"{line}; {topic}"
    return line


def _is_only_a_file(located: Located) -> bool:
    """Whether a topic says no more than the name of its file."""
    name = located.entry.pointers[0].path.rpartition("/")[2].lower()
    return located.entry.topic.lower() in (name, name.rpartition(".")[0])


def _worth(located: Located) -> tuple[int, int, float, int, int]:
    """What is kept on purpose or used comes first, then what is kept current, strong, new, and stands first in the
    index; all as it is written there, so that time alone changes nothing."""
    entry = located.entry
    path = entry.pointers[0].path if entry.pointers else ""
    core = path.lower().rpartition("/")[2].rpartition(".")[0] in _FIRST
    used = entry.hits.bit_length()  # that it was asked for once more moves nothing
    created = entry.created
    day = created.date() if isinstance(created, datetime) else created or date.min
    return (
        _WEIGHT.get(entry.pri, 1) + used,
        _KINDS.get(kind_of(path), 0) + core,
        round(entry.base or 0.0, 1),
        day.toordinal(),
        -located.line,
    )
