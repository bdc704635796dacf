"""What an entry is called: its topic, by which a person would look for it (INDEX §5.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.summary import LEAST_CLAUSE, telling_sentences
from hippocampus_cli.entries.vocabulary import Vocabulary
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import plain_text, shorten
from hippocampus_cli.text.words import key, tellers, words
from hippocampus_cli.workspace.kinds import NoteKind, date_of, period_in_name

TOPIC_CHARACTERS = 70
_CONTENTS_CHARACTERS = TOPIC_CHARACTERS - len("2026-01-31: ")
_HEAD_CHARACTERS = 28
_NAME_CHARACTERS = 28
_PERIOD_CHARACTERS = 16
_DATE = r"(?:19|20)\d\d[-_./]?[01]\d(?:[-_./]?[0-3]\d)?(?:[-_T ]\d{2}:?\d{2}(?::?\d\d)?)?"
_TIME = r"\d{1,2}[:.]\d{2}(?::\d\d)?(?:\s?[ap]m)?(?:\s*(?:-|–|to)\s*\d{1,2}[:.]\d{2})?(?:\s?(?:UTC|Uhr|h))?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b"
_WHEN = rf"(?:{_DATE}|{_TIME})(?:\s+UTC)?"
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*[.)](?=\s)"
_ANY_DAY = rf"(?:{_WHEN}|{_WEEKDAY})"
_LEAD = re.compile(
    rf"\s*+(?:[\[(]\s*+{_ANY_DAY}\s*[\])]|{_WHEN}|{_NUMBER}|{_WEEKDAY}(?=\s*(?:[,:–—-]|$)))(?:[\s,:–—-]+|$)",
    re.I,
)
_TAIL = re.compile(
    rf"(?:(?<!\s)\s+)?[\[(]\s*+{_ANY_DAY}\s*+[\])]\s*+$|(?:^|(?:(?<!\s)\s+)?[,:–—]\s*+|\s-\s++){_ANY_DAY}\s*+$",
    re.I,
)
_CLAUSE = re.compile(r"[,(;:]| [–—-] ")
_ANY_DATE = re.compile(_DATE)
_TITLE_END = re.compile(r"(?<!\s)\s+[–—|-]\s+|:\s+")
_BARE_NAMES = frozenset(
    ("readme", "index", "project", "skill", "agent", "notes", "main", "overview")
)
_GENERIC_TEXT = """
notes note misc miscellaneous other others update updates summary todo todos to-do tasks status log logs
overview introduction intro background context details general info information links references
questions ideas decisions issues problems open done next today tomorrow yesterday morning afternoon
evening later remarks comments session sessions small stuff things various random setup usage
history events plan plans key steps journal diary memory recap report digest work conversation
job jobs action actions items item results result
notizen notiz sonstiges offen erledigt heute morgen zusammenfassung fragen
notas nota varios pendiente pendientes hoy mañana resumen
"""
_GENERIC = frozenset(_GENERIC_TEXT.split())


def topic_of(passage: Passage, vocabulary: Vocabulary, taken: Container[str] = ()) -> str:
    """The topic, at most 70 characters. ``taken`` holds folded topics; a free one is chosen if there is one."""
    tried = ""
    for topic in _wordings(passage, vocabulary):
        topic = shorten(plain_line(topic), TOPIC_CHARACTERS)
        tried = tried or topic
        if topic and topic.casefold() not in taken:
            return topic
    return tried or passage.note.path


def heading_of(title: str) -> str:
    """A heading as people say it: no markdown, emoji, numbering, date or time; empty if that was all."""
    text = plain_text(filled(title))
    while (found := _LEAD.match(text)) and found.end():
        text = text[found.end() :]
    while (found := _TAIL.search(text)) and found.start() < len(text):
        text = text[: found.start()]
    text = plain_line(text).strip(" :–—-·•")
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        return text[1:-1].strip()
    return text


def is_generic(heading: str) -> bool:
    """Whether a heading says nothing by itself ("Notes", "Next steps")."""
    found = [word.lower() for word in words(heading)]
    return all(word in _GENERIC or not key(word) for word in found)


def note_name(passage: Passage) -> str:
    """What to call the passage's note: the title's first part, else its file's or its folder's name."""
    title = heading_of(passage.note.title or "")
    if title and passage.kind is not NoteKind.CONFIG:
        short = _TITLE_END.split(title, maxsplit=1)[0]
        short = short if len(short) > 2 and not is_generic(short) else title
        own = _file_name(passage)
        return own if len(short) > _NAME_CHARACTERS and len(own) < len(short) else short
    return _file_name(passage)


def _file_name(passage: Passage) -> str:
    """The words of the file's name; of its folder's, where the file's says nothing."""
    *folders, name = passage.note.path.split("/")
    stem = name.rpartition(".")[0] or name
    if stem.lower() in _BARE_NAMES and folders:
        stem = folders[-1]
    if passage.kind is NoteKind.CONFIG:
        return plain_text(stem)
    spoken = plain_text(re.sub(r"[-_.\s]+", " ", stem))
    return spoken[:1].upper() + spoken[1:] if spoken != spoken.upper() else spoken.capitalize()


def _wordings(passage: Passage, vocabulary: Vocabulary) -> Iterator[str]:
    """Topics from the best to the safest."""
    if passage.kind is NoteKind.DAILY:
        yield from _of_daily(passage, vocabulary)
    else:
        yield from _of_other(passage, vocabulary)
    heading = heading_of(passage.title) or note_name(passage)
    if dated := _ANY_DATE.search(passage.title):
        yield f"{heading} ({dated[0]})"
    tellers = telling_words(passage, vocabulary, 3)
    yield f"{heading}: {tellers} ({passage.day})" if tellers else f"{heading} ({passage.day})"
    yield f"{heading} ({passage.note.path})"
    yield f"{heading} ({passage.note.path}:{passage.line})"


def _of_daily(passage: Passage, vocabulary: Vocabulary) -> Iterator[str]:
    heading = heading_of(passage.title)
    day = _period(passage)
    if passage.section is None:
        for named in (heading, _named_file(passage)):
            if named and not is_generic(named):
                yield f"{named} ({day})"
        yield f"{day}: {_contents(passage, vocabulary)}"
    elif not heading or is_generic(heading):
        found = _main_clause(passage, vocabulary) or telling_words(passage, vocabulary, 3)
        yield f"{day}: {found or heading}"
    else:
        if not vocabulary.repeated(passage.section.title) and len(heading) > 12:
            yield heading
        yield f"{heading} ({day})"


def _period(passage: Passage) -> str:
    """The day of a log, or the name of its month or week; its path where neither is in its name."""
    path = passage.note.path
    if date_of(path):
        return passage.day.isoformat()
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return stem if period_in_name(path) and len(stem) <= _PERIOD_CHARACTERS else path


def _of_other(passage: Passage, vocabulary: Vocabulary) -> Iterator[str]:
    section = passage.section
    name = note_name(passage)
    heading = heading_of(passage.title) if section else ""
    if section is None or (section.level == 1 and not section.parents):
        title = heading_of(passage.note.title or "")
        yield title if 2 < len(title) <= TOPIC_CHARACTERS and not is_generic(title) else name
        yield f"{name} ({_folder(passage)})"
        return
    if not heading or len(heading) < 3:
        heading = telling_words(passage, vocabulary, 2) or heading
    if passage.kind is NoteKind.CONFIG and not is_generic(heading):
        yield heading
        if dated := _ANY_DATE.search(passage.title):
            yield f"{heading} ({dated[0]})"
    parent = heading_of(section.parents[-1]) if len(section.parents) > 1 else ""
    if is_generic(heading) and parent and not is_generic(parent):
        yield _prefixed(name, f"{parent}: {heading}")
    yield _prefixed(name, heading)
    if parent:
        yield _prefixed(name, f"{parent}: {heading}")


def _prefixed(name: str, heading: str) -> str:
    """``name: heading``, without the name where the heading begins with it or there is no room."""
    if not name or heading.casefold().startswith(name.casefold()):
        return heading
    if len(name) + len(heading) + 2 > TOPIC_CHARACTERS:
        name = shorten(name, max(12, TOPIC_CHARACTERS - len(heading) - 2))
    return f"{name}: {heading}"


def _named_file(passage: Passage) -> str:
    """The words beside the date in a daily's file name: ``2026-05-02_POSTMORTEM`` is a post-mortem."""
    stem = passage.note.path.rpartition("/")[2].rpartition(".")[0]
    rest = re.sub(rf"{_DATE}(?:[-_]\d{{4,6}})?|\d{{4}}-?W\d\d", " ", stem, flags=re.I)
    rest = " ".join(word for word in re.split(r"[-_.\s]+", rest) if word)
    return plain_text(rest if rest != rest.upper() else rest.lower()).capitalize() if rest else ""


def _contents(passage: Passage, vocabulary: Vocabulary) -> str:
    """A day in the headings of its sections, else in its telling words."""
    line = ""
    for title in passage.subtitles:
        head = heading_of(title)
        if len(head) > _HEAD_CHARACTERS:
            head = shorten(_CLAUSE.split(head, maxsplit=1)[0].strip(), _HEAD_CHARACTERS)
        common = is_generic(head) or vocabulary.repeated(title)
        if not head or common or head.casefold() in line.casefold():
            continue
        if len(line) + len(head) + 2 > _CONTENTS_CHARACTERS:
            break
        line = f"{line}, {head}" if line else head
    return (
        line
        or _main_clause(passage, vocabulary)
        or telling_words(passage, vocabulary, 4)
        or "notes"
    )


def _main_clause(passage: Passage, vocabulary: Vocabulary) -> str:
    """The beginning of what tells most in a day without headings, as far as a topic has room."""
    found = telling_sentences(passage, vocabulary, "", 1)
    if not found:
        return ""
    sentence = found[0].text.rstrip(".!?。！？ ")
    if len(sentence) <= _CONTENTS_CHARACTERS:
        return sentence
    ends = [one.start() for one in _CLAUSE.finditer(sentence[: _CONTENTS_CHARACTERS + 1])]
    if ends and ends[-1] >= LEAST_CLAUSE:  # the summary says the rest
        return sentence[: ends[-1]].strip()
    return shorten(sentence, _CONTENTS_CHARACTERS)


def _folder(passage: Passage) -> str:
    return plain_text(passage.note.path.rpartition("/")[0].rpartition("/")[2]) or passage.note.path


def telling_words(passage: Passage, vocabulary: Vocabulary, count: int) -> str:
    """The words that set a passage apart, in the order and the spelling in which they are in it."""
    spoken = words(passage.body[:20_000])
    place: dict[str, int] = {}
    for at, word in enumerate(spoken):
        place.setdefault(key(word), at)
    telling = [
        (score, place[found]) for found, score in vocabulary.telling(passage) if found in place
    ]
    telling.sort(key=lambda pair: (-round(pair[0], 3), pair[1]))
    parts: list[list[str]] = []
    last = -2
    for at in sorted(at for _, at in telling[:count]):
        if at == last + 1:
            parts[-1].append(spoken[at])
        else:
            parts.append([spoken[at]])
        last = at
    return ", ".join(" ".join(part) for part in parts)


def common_words(passages: Sequence[Passage], count: int) -> list[str]:
    """The words that most of the passages have in common, the most frequent first; ties by the alphabet."""
    spelt: dict[str, str] = {}
    notes: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for passage in passages:
        for word, one in tellers(passage.body[:20_000]):
            spelt.setdefault(one, word)
            times[one] += 1
        notes.update(passage.words)
    ranked = sorted(times, key=lambda one: (-notes[one], -times[one], one))
    return [spelt[one] for one in ranked[:count]]
