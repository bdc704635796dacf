"""What an entry is called: its topic, by which a person would look for it (INDEX §5.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.statements import is_shared, statements
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import plain_text, shorten
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.kinds import NoteKind, date_of, period_in_name

TOPIC_CHARACTERS = 70
_HEAD = 32  # characters of one heading of several
_OF_DAY = TOPIC_CHARACTERS - 12
_TELLING = 4  # words of a sentence that says what a day is about
_NUMBER = re.compile(
    r"^(?=\S{0,40}\d)[\d\W_]{0,40}[.:)\]/|–—-][\d\W_]{0,40}(?<=\s)(?:[ap]m\b[\W_]{0,9})?", re.I
)
_EMPTY = re.compile(r"[(\[][\s,;/|]{0,9}[)\]]|^\s{0,9}[)\]]|[(\[]\s{0,9}$")
_OPEN = re.compile(r"\s[(\[][^()\[\]]{0,40}$")
_DAY = re.compile(r"\W{0,9}(?:19|20)\d\d[-_./]?[01]\d(?:[-_./]?[0-3]\d)?\W{0,9}")
_DATED = re.compile(  # in a file's name, with the time of day that may follow
    r"(?<![A-Za-z0-9])(?:19|20)\d\d[-_.]?(?:[wW]\d\d?|[01]\d(?:[-_.]?[0-3]\d)?(?:[-_T]?\d{4}(?:\d\d)?)?)?"
    r"(?![A-Za-z0-9])"
)
_FILE_OF_FOLDER = frozenset(("readme", "index", "project", "skill", "agent", "main", "summary"))


def topic_of(passage: Passage, taken: Container[str] = ()) -> str:
    """The topic, at most 70 characters. ``taken`` holds folded topics; a free one is chosen if there is one."""
    first = ""
    for topic in _wordings(passage):
        topic = shorten(plain_line(topic), TOPIC_CHARACTERS)
        first = first or topic
        if topic and topic.casefold() not in taken:
            return topic
    return first or passage.note.path


def heading_of(title: str) -> str:
    """A heading without markdown, emoji, numbering, date and time around it; as it is if that is all."""
    text = plain_line(plain_text(filled(title)))
    bare = _EMPTY.sub("", _DAY.sub(" ", _NUMBER.sub("", text))).strip(" :–—-·•")
    if bare != text:  # what was taken out may have been the end of a bracket
        bare = _OPEN.sub("", bare)
    return bare or text.strip(" :–—-·•")


def note_name(passage: Passage) -> str:
    """What to call the passage's note: its title, else the words of its file's or its folder's name."""
    title = heading_of(passage.note.title or "")
    if passage.kind is not NoteKind.CONFIG and len(title) > 2:
        return title
    *folders, name = passage.note.path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem.lower() in _FILE_OF_FOLDER and folders:
        stem = folders[-1]
    return stem if passage.kind is NoteKind.CONFIG else _words_of(stem)


def contents(passage: Passage, room: int) -> str:
    """As many headings inside as there is room for, those of the longest sections, in the order of the note; those
    that many workspaces have say nothing."""
    levels = Counter(section.level for section in passage.sections)
    level = min((level for level in levels if levels[level] > 1), default=0)
    heads: dict[str, int] = {}
    for section in passage.sections:
        if section.level == level and not is_shared(section.title):
            head = shorten(heading_of(section.title), _HEAD)
            heads[head] = heads.get(head, 0) + section.tree_end - section.start
    chosen: set[str] = set()
    for head in sorted(heads, key=lambda head: -heads[head]):
        if len(head) > 2 and len(head) + 2 <= room:
            chosen.add(head)
            room -= len(head) + 2
    return "; ".join(head for head in heads if head in chosen)


def _wordings(passage: Passage) -> Iterator[str]:
    """Topics from the best to the safest."""
    heading, name = heading_of(passage.title), note_name(passage)
    if passage.kind is NoteKind.DAILY:
        day = _period(passage)
        if passage.section:
            yield ": ".join((*_around(passage), f"{heading} ({day})"))
        else:
            yield f"{day}: {_of_day(passage)}".removesuffix(": ")
    elif passage.section is None:
        yield name
    elif heading.casefold().startswith(name.casefold()):
        yield heading
    else:
        room = max(12, TOPIC_CHARACTERS - len(heading) - 2)
        yield f"{shorten(name, room)}: {heading}"
        yield ": ".join(
            (shorten(name, 20), *map(heading_of, passage.section.parents[-1:]), heading)
        )
    yield f"{heading or name} ({passage.note.path})"


def _around(passage: Passage) -> tuple[str, ...]:
    """What a section of a day's log is part of: the section around it, else what the log is named after."""
    titles = passage.section.parents[1:] if passage.section else ()
    name = heading_of(titles[-1]) if titles else _named(passage)
    return (shorten(name, _HEAD),) if name else ()


def _of_day(passage: Passage) -> str:
    """What a day's log is about: the words beside the date in its name, else its longest sections or its only one,
    else what it says first."""
    own = (section.title for section in passage.sections if not is_shared(section.title))
    only = next((head for head in map(heading_of, own) if not date_of(head)), "")
    said = _named(passage) or contents(passage, _OF_DAY) or shorten(only, _HEAD)
    first = (text for text in statements(passage) if len(set(telling_terms(text))) >= _TELLING)
    return said or shorten(heading_of(next(first, "")), _OF_DAY)


def _named(passage: Passage) -> str:
    """The words beside the date in the name of a day's log."""
    stem = passage.note.path.rpartition("/")[2].rpartition(".")[0]
    named = _words_of(_DATED.sub(" ", stem))
    return named if len(named) > 2 else ""


def _period(passage: Passage) -> str:
    """The day of a log, or the name of its month or week; its path where neither is in its name."""
    path = passage.note.path
    stem = path.rpartition("/")[2].rpartition(".")[0]
    if day := date_of(path):
        return day.isoformat()
    return stem if period_in_name(path) and len(stem) <= len("2026-01 to 2026-02") else path


def _words_of(stem: str) -> str:
    """A file's name as words."""
    spoken = plain_text(re.sub(r"[-_.\s]+", " ", stem)).strip()
    return spoken.capitalize() if spoken == spoken.upper() else spoken[:1].upper() + spoken[1:]
