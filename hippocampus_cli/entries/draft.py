"""A passage becomes an entry: its topic, by which a person would look for it, its most telling sentences, its
author's tags, and the pointer that leads back (INDEX §5.1, §5.2).

Whoever can read says it better: a ``describe`` task asks for that.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from heapq import nlargest

from hippocampus_cli.entries.passages import WHOLE, Passage, is_shared, statements, told
from hippocampus_cli.entries.worth import Frequencies, stem_of
from hippocampus_cli.index import metadata
from hippocampus_cli.index.decay import DecayClock
from hippocampus_cli.index.edit import Draft
from hippocampus_cli.index.metadata import plain_line, slug
from hippocampus_cli.index.pointers import Pointer, can_be_named
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import plain_text, shorten
from hippocampus_cli.text.stop_words import COMMON_WORDS
from hippocampus_cli.text.terms import telling_terms
from hippocampus_cli.workspace.kinds import NoteKind, date_of, period_of
from hippocampus_cli.workspace.sections import names_of

ID_CHARACTERS = 16


def draft(
    passage: Passage,
    clock: DecayClock,
    *,
    ids: AbstractSet[str] = frozenset(),
    topics: Container[str] = (),
    src: metadata.Source = metadata.Source.AUTO,
    also: Sequence[Passage] = (),
) -> Draft:
    """The entry of a passage, without relations. ``ids`` and folded ``topics`` are taken already.

    ``also`` are passages that say the same: it leads to them, too. A date in the future counts as today
    (decision D9). The entry begins at its full strength: drafting it is its first access.
    """
    topic = topic_of(passage, topics)
    summary = summary_of(passage, topic)
    return _draft(topic, summary, (passage, *also), passage.day, clock, ids).replaced(
        tags=tags_of(passage), src=src
    )


def draft_group(
    passages: Sequence[Passage], clock: DecayClock, ids: AbstractSet[str] = frozenset()
) -> Draft:
    """One entry for notes of a folder, of which none has one of its own; ``passages`` are whole notes."""
    last = max(each.day for each in passages)
    paths = [each.note.path for each in passages]
    folder = posixpath.commonpath(map(posixpath.dirname, paths)) or "notes"
    until = f" to {last}" * all(map(period_of, paths))  # where the names say when
    topic = plain_line(f"{folder}: {len(passages)} files{until}")
    names = "; ".join(dict.fromkeys(map(note_name, passages)))
    summary = shorten(plain_line(names), SUMMARY_CHARACTERS)
    return _draft(topic, summary, passages, last, clock, ids)


def _draft(
    topic: str,
    summary: str,
    passages: Iterable[Passage],
    day: date,
    clock: DecayClock,
    ids: AbstractSet[str],
) -> Draft:
    today = clock.now.date()
    words = (word for word in slug(topic, TOPIC_CHARACTERS).split("-") if word not in COMMON_WORDS)
    telling = "-".join(words) or topic
    return Draft(
        id=metadata.free_id(slug(telling, ID_CHARACTERS), ids),
        topic=topic,
        summary=summary,
        pointers=tuple(dict.fromkeys(map(pointer_to, passages))),
        created=min(day, today),
        accessed=today,
        base=clock.rates.initial,
    )


def pointer_to(passage: Passage) -> Pointer:
    """The pointer that leads back to exactly this passage: the section where it can be named, else the note."""
    path, section = passage.note.path, passage.section
    if section is None:
        return Pointer(path)
    names = names_of(passage.note.sections)
    pointer = Pointer(path, names.pointer_name(section))
    if pointer.section and can_be_named(pointer) and names.find(pointer.section) == section:
        return pointer
    return Pointer(path)


TOPIC_CHARACTERS = 70
_HEAD = 32  # characters of one heading of several
_OF_DAY = TOPIC_CHARACTERS - 12
_NUMBER = re.compile(
    r"^(?=\S{0,40}\d)[\d\W_]{0,40}[.:)\]/|–—-][\d\W_]{0,40}(?<=\s)(?:[ap]m\b[\W_]{0,9})?", re.I
)
_EMPTY = re.compile(r"[(\[][\s,;/|]{0,9}[)\]]|^\s{0,9}[)\]]|[(\[]\s{0,9}$")
_OPEN = re.compile(r"\s[(\[][^()\[\]]{0,40}$")
_DAY = re.compile(  # with the bracket that it begins
    r"\W{0,9}[(\[](?:19|20)\d\d[-_./]?[01]\d[^()\[\]]{0,40}[)\]]"
    r"|\W{0,9}(?:19|20)\d\d[-_./]?[01]\d(?:[-_./]?[0-3]\d)?\W{0,9}"
)
_DATED = re.compile(  # in a file's name, with the time of day that may follow
    r"(?<![A-Za-z0-9])(?:19|20)\d\d[-_.]?(?:[wW]\d\d?|[01]\d(?:[-_.]?[0-3]\d)?(?:[-_T]?\d{4}(?:\d\d)?)?)?"
    r"(?![A-Za-z0-9])"
)


def topic_of(passage: Passage, taken: Container[str] = ()) -> str:
    """The topic, at most 70 characters. ``taken`` holds folded topics; a free one is chosen if there is one."""
    topics = [  # the last one has the path
        *filter(None, (shorten(plain_line(each), TOPIC_CHARACTERS) for each in _wordings(passage)))
    ]
    return next((topic for topic in topics if topic.casefold() not in taken), topics[0])


def heading_of(title: str) -> str:
    """A heading without markdown, emoji, numbering, date and time around it; as it is if that is all."""
    text = plain_line(plain_text(filled(title)))
    bare = _EMPTY.sub("", _DAY.sub(" ", _NUMBER.sub("", text))).strip(" :–—-·•")
    if bare != text:  # what was taken out may have been the end of a bracket
        bare = _OPEN.sub("", bare)
    return bare or text.strip(" :–—-·•")


def note_name(passage: Passage) -> str:
    """What to call the passage's note: its title, else the words of its file's name."""
    stem = stem_of(passage.note.path)
    if passage.kind is NoteKind.CONFIG:
        return stem
    title = heading_of(passage.note.title or "")
    return title if len(title) > 2 else _words_of(stem)


def contents(passage: Passage, room: int) -> str:
    """As many headings inside as there is room for, the rarest one first; those that many sections or workspaces have
    say nothing, nor do those of one or two characters."""
    heads = {
        shorten(heading_of(title), _HEAD): rare
        for section in passage.note.sections
        if passage.line < section.start <= passage.end
        and (title := section.title) != passage.title
        and (rare := passage.frequencies.rarity(title))
        and not is_shared(title)
    }
    line = ""
    for head in sorted(heads, key=lambda head: -heads[head]):
        if 2 < len(head) <= room - len(line):
            line += "; " + head
    return line[2:]


def _wordings(passage: Passage) -> Iterator[str]:
    """Topics from the best to the safest."""
    heading, name = heading_of(passage.title), note_name(passage)
    path = passage.note.path
    stem = stem_of(path)
    named = _words_of(_DATED.sub(" ", stem))
    day = date_of(path) or (not named and stem)  # a month or a week that is all of the name
    if passage.kind is NoteKind.DAILY and day:
        if passage.section:
            yield f"{shorten(named, _HEAD)}: {heading} ({day})".removeprefix(": ")
        else:
            yield f"{day}: {_of_day(passage, named)}".removesuffix(": ")
    elif passage.section is None:
        yield name
    elif heading.casefold().startswith(name.casefold()):
        yield heading
    else:
        room = max(12, TOPIC_CHARACTERS - len(heading) - 2)
        yield f"{shorten(name, room)}: {heading}"
    yield f"{heading or name} ({path})"


def _of_day(passage: Passage, named: str) -> str:
    """What a day's log is about: the words beside the date in its name if they are rare, else its sections, else what
    it says first."""
    if not passage.frequencies.rarity(named):
        named = contents(passage, _OF_DAY) or named
    return named or shorten(
        heading_of(next((said.text for said in statements(passage)), "")), _OF_DAY
    )


def _words_of(stem: str) -> str:
    """A file's name as words."""
    spoken = plain_text(re.sub(r"[-_.\s]+", " ", stem)).strip()
    return spoken[:1].upper() + spoken[1:]


SUMMARY_CHARACTERS = 140
_LONGEST = 200  # characters of one sentence that stands whole


def summary_of(passage: Passage, topic: str) -> str:
    """The most telling sentences, one plain line of about :data:`SUMMARY_CHARACTERS`; empty for data, and where the
    passage has no words at all.

    A sentence is never cut if another one fits. A note of several sections also says which.
    """
    if passage.kind is NoteKind.STATE:
        return ""
    readings = [passage, passage.replaced(frequencies=Frequencies())]  # a copy has others' lines
    if passage.kind is NoteKind.DAILY and not passage.section:
        readings[:0] = nlargest(1, passage.parts, key=lambda section: section.interest)
    whole = passage.section is None and passage.kind is not NoteKind.DAILY
    # One sentence more of a long note says less than its headings do.
    most = 0 if whole and len(passage.note.text) > WHOLE else SUMMARY_CHARACTERS
    line = next(filter(None, (_most_telling(each, topic, most) for each in readings)), "")
    if whole or not line:
        inside = contents(passage, _LONGEST - len(line) - 3)
        line = " · ".join(filter(None, (line, inside)))
    return line


def _most_telling(passage: Passage, topic: str, most: int) -> str:
    """As many of the most telling sentences as there is room for, in their order."""
    known = set(telling_terms(topic))
    chosen: dict[int, str] = {}
    spare = ""
    for value, place, (text, *_) in told(passage):
        room = most - len(" · ".join(chosen.values())) if chosen else _LONGEST
        if known.issuperset(telling_terms(text)):
            continue
        if len(text) > room:
            spare = spare or text
        elif not chosen or value > 0:
            chosen[place] = text
    line = " · ".join(chosen[place] for place in sorted(chosen))
    return line or shorten(spare, _LONGEST)


_TAG_CHARACTERS = 24
MOST_TAGS = 3


def tags_of(passage: Passage) -> tuple[str, ...]:
    """At most :data:`MOST_TAGS` lower-case tags: the front matter's, as a list or as one line."""
    given = passage.note.front_matter.get("tags")
    items = re.split(r"[,\s]+", given) if isinstance(given, str) else given
    tags = (
        (slug(str(item), _TAG_CHARACTERS) for item in items if item)
        if isinstance(items, list)
        else ()
    )
    return tuple(
        dict.fromkeys(tag for tag in tags if any(map(str.isalpha, tag)) and tag != "entry")
    )[:MOST_TAGS]
