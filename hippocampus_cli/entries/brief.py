"""What an agent should know of its memory at the start of a session: how to ask, whose it is, rules, where
credentials are, what is held, open tasks, what is where. Pure.

It is made of the notes and of the index as they stand in their files, without the clock, so that it is the same text,
byte for byte, until one of them says something else. What an agent's client reads to it by itself is not told again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from math import log
from typing import NamedTuple

from hippocampus_cli.entries.passages import RULE, RULE_TITLE, Passage, is_shared, statements
from hippocampus_cli.entries.worth import worths
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import day_of
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.markdown.safe import inline_text, safe_line
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.redaction.redactor import holds_placeholder
from hippocampus_cli.text.plain_text import shorten
from hippocampus_cli.workspace.fence import Piece, Random, fenced
from hippocampus_cli.workspace.kinds import NoteKind, is_core, kind_of, period_of
from hippocampus_cli.workspace.note import Note

HEAD = "what is in the memory of this workspace"
"""What a brief is called where it is quoted to an agent."""
MOST_TOKENS = 400
RULES, CREDENTIALS, HELD, OPEN, NAMES = 5, 3, 4, 2, 100
FEWEST = 20
"""Names of notes that are told even where rules and tasks have to be cut for them."""
RECENT = 5
"""Daily notes, the newest ones, whose open tasks are told of."""
_LONGEST, _SHORTEST = 80, 12  # characters of a line that is quoted
_CROWDED, _MANY, _LONG = 0.05, 0.3, 1.5
"""What a name is worth less for each of its folder before it, more by the entries of its note, and less by its tokens
(on a scale of logarithms). Counted on the questions of eight workspaces, as :mod:`worth`."""
_MONTH = re.compile(r"^\d{4}-\d\d-(?=\d\d)")
_ITEM = re.compile(  # but for a label, of which more is said below it
    r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(\[[ xX]\]\s+)?(.*[^:\uff1a*_\s][*_\s]*)$"
)
_LOUD = re.compile(r"\b[A-Z]{4,}\b|\*\*|__|[!\u203c\u26a0\u274c\U0001f6ab\U0001f6d1]")
_OWNER = "USER.md"
_RECITED = frozenset(
    ("agents", "claude", "gemini", "soul", "identity", "user", "heartbeat", "boot", "bootstrap")
)
"""Notes that an agent's client reads to it at every start."""
HOW = (
    'Ask it before you answer from what you know alone: `hippo query "WORDS" --json --lean`. '
    'Write down what should stay: `hippo remember "TEXT"`.'
)


class Brief(NamedTuple):
    """A brief and what it is made of: rules and tasks as ``text (path:line)``, subjects as ``folder: names``.

    ``owner`` is whose memory it is, ``credentials`` where some are, ``held`` the newest beliefs, each with what it
    came instead of; ``answer`` is what is likely to answer the prompt that was named. The text
    begins with ``instructions``, hippo's own words. Public: the field names are the keys of ``--json``.
    """

    text: str
    tokens: int
    owner: tuple[str, ...]
    rules: tuple[str, ...]
    credentials: tuple[str, ...]
    held: tuple[str, ...]
    tasks: tuple[str, ...]
    subjects: tuple[str, ...]
    answer: tuple[str, ...]
    notices: tuple[str, ...]
    instructions: str

    def fenced(self, random: Random) -> str:
        """The text for an agent: what notes say is quoted; hippo's own words stand before the quotation, for an agent
        that obeys it would ignore them inside."""
        quotation = self.text.removeprefix(self.instructions).strip()
        if not quotation:
            return self.instructions.rstrip()
        return f"{self.instructions}{fenced([Piece(HEAD, quotation)], random)}"


_TITLES = {
    "answer": "On what was asked",
    "owner": "Whose",
    "rules": "Rules",
    "credentials": "Credentials",
    "held": "Held",
    "tasks": "Open",
    "subjects": "What is where",
}


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
    """The brief of an index and of the ``notes`` that are read for it; ``counted`` are all notes there are.

    ``held`` are beliefs, the newest first; what is told as a rule is not told again. ``notices`` are hippo's own
    words, ``waiting`` what was remembered and is in no note yet. Of the paths in ``loaded``, which the agent's client
    reads to it by itself, no rules and tasks are told.

    Subjects take what the rest leaves of :data:`MOST_TOKENS`. Where that is too little tasks are cut but for one,
    then rules, from their end, but not what is held, which stands nowhere else that an agent reads.
    """
    unread = [note for note in notes if note.path not in loaded]
    names = _names(index)[:NAMES]
    rules = _first(RULES, _rules(unread))
    told = [*rules, *_rules([note for note in notes if note.path in loaded])]
    made = Brief(
        text="",
        tokens=0,
        owner=_first(1, _owner(unread)),
        rules=rules,
        credentials=_first(CREDENTIALS, _credentials(notes)),
        held=_first(HELD, _untold(held, told)),
        tasks=_first(OPEN, _tasks(unread)),
        subjects=_by_folder(names),
        answer=tuple(answer),
        notices=(*notices, *waiting),
        instructions=f"This workspace has a memory (notes: {counted}, entries: {len(index.entries)}). {HOW}\n"
        + _listing("Look at this first", notices),
    )
    return _fitted(made, names, waiting)


def _fitted(made: Brief, names: list[str], waiting: Sequence[str]) -> Brief:
    """A brief without what is too much."""
    while (cost := tokens(text := _text(made, waiting))) > MOST_TOKENS:
        cut = "rules" if made.rules and len(made.tasks) < 2 else "tasks"
        lines = getattr(made, cut)
        if len(names) > (FEWEST if lines else 0):
            names.pop()
            made = made._replace(subjects=_by_folder(names))
        elif lines:
            made = made._replace(**{cut: lines[:-1]})
        else:
            break
    return made._replace(text=text, tokens=cost)


def chosen(paths: Iterable[str]) -> list[str]:
    """The notes to read for a brief: core files, those that no client reads first, and the newest daily notes."""
    there = sorted(paths)
    core = [path for path in there if is_core(path)]
    dated = [
        (days[1], path)
        for path in there
        if kind_of(path) is NoteKind.DAILY and (days := period_of(path))
    ]
    return [*core, *(path for _, path in sorted(dated, reverse=True)[:RECENT])]


def _text(made: Brief, waiting: Sequence[str]) -> str:
    lists = [_listing(title, getattr(made, name)) for name, title in _TITLES.items()]
    return "".join([made.instructions, _listing("Not in the notes yet", waiting), *lists])


def _listing(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"{title}:", *(f"- {line}" for line in lines)]) + "\n" if lines else ""


def _first(most: int, lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(lines))[:most]


def _owner(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        said = statements(Passage(note, date.min)) if note.path == _OWNER else ()
        if told := " · ".join(sentence.text for sentence in said):
            yield f"{_short(told)} ({_OWNER})"


def _rules(notes: Sequence[Note]) -> list[str]:
    """The list items that are rules, the strictest first: by the title they stand under, by what they say, by how
    loud they say it."""
    weighed: list[tuple[int, int, str]] = []
    for note in notes:
        for line, box, text, title in _items(note) if is_core(note.path) else ():
            if box:
                continue
            strict = 2 * bool(RULE_TITLE.search(title)) + bool(RULE.search(text))
            if strict:
                weight = strict + min(2, len(_LOUD.findall(text)))
                weighed.append((-weight, len(weighed), _quoted(note, line, text)))
    return [line for *_, line in sorted(weighed)]


def _items(note: Note) -> Iterator[tuple[int, str, str, str]]:
    """The list items outside code: their line, their box (of a task), their text, and the titles they stand under."""
    kinds = note.blocks.kinds
    for section in note.sections if not _is_recited(note.path) else ():
        title = " / ".join((*section.parents, section.title))
        for place in range(section.start - 1 + section.heading_lines, section.end):
            item = _ITEM.match(note.lines[place]) if kinds[place] == Kind.TEXT else None
            if not item or len(item[2].strip()) < _SHORTEST or is_shared(item[2]):
                continue
            if "~~" not in item[2]:  # what is struck through holds no more
                yield place + 1, (item[1] or "").strip(), item[2], title


def _credentials(notes: Sequence[Note]) -> Iterator[str]:
    """The sections in which a secret was taken out."""
    for note in notes:
        for section in note.sections:
            if holds_placeholder(note.text_of(section.start, section.end)):
                yield _quoted(note, section.start, section.title or note.path)


def _tasks(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        for line, box, text, _ in _items(note):
            if box == "[ ]":
                yield _quoted(note, line, text)


def _quoted(note: Note, line: int, text: str) -> str:
    return f"{_short(text)} ({safe_line(note.path)}:{line})"


def _short(text: str, most: int = _LONGEST) -> str:
    return shorten(" ".join(inline_text(safe_line(text)).split()), most)


def _is_recited(path: str) -> bool:
    return path.lower().rpartition(".")[0] in _RECITED


def _names(index: Hierarchy) -> list[str]:
    """The notes that living entries lead to, those of the most worth or use for the length of their names first,
    without those that a client reads."""
    days = (day_of(located.entry.created) or date.min for located in index.entries)
    worth = worths(index, max(days, default=date.min))
    value = {
        path: max(worth[to.key] + to.entry.hits.bit_length() for to, _ in leads)
        for path, leads in index.pointers.items()
        if not _is_recited(path) and not all(to.entry.stale for to, _ in leads)
    }
    there: Counter[str] = Counter()
    ranks: dict[str, float] = {}
    for path in sorted(value, key=lambda path: -value[path]):
        folder, leads = path.rpartition("/")[0], index.pointers[path]
        cost = _LONG * log(tokens(_parted(path)[1]) + 2) - _MANY * log(len(leads))
        ranks[path] = _CROWDED * there[folder] + cost - value[path]
        there[folder] += 1
    return sorted(ranks, key=ranks.__getitem__)


def _parted(path: str) -> tuple[str, str]:
    """The folder and the name of a note; what the days of a month begin with is a folder, too, which is told once."""
    folder, slash, name = path.removesuffix(".md").rpartition("/")
    day = _MONTH.sub("", name)
    return folder + slash + name.removesuffix(day) or ".", day


def _untold(held: Iterable[str], rules: Sequence[str]) -> Iterator[str]:
    for line in held:
        words = line.partition(" (since ")[0].rstrip(".!")
        if not any(words in rule for rule in rules):
            yield _short(line, 2 * _LONGEST)


def _by_folder(paths: Iterable[str]) -> tuple[str, ...]:
    folders: dict[str, list[str]] = defaultdict(list)
    for folder, name in map(_parted, paths):
        folders[folder].append(safe_line(name))
    return tuple(f"{safe_line(folder)}: {', '.join(there)}" for folder, there in folders.items())
