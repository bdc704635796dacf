"""What an entry says of its section: the topic, which a person would look for, and the summary, one line that says
what the heading does not (INDEX §5.1).
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator
from itertools import islice

from hippocampus_cli.entries.passages import Passage, is_fence
from hippocampus_cli.entries.tags import Vocabulary
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.markdown.blocks import Kind
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import ELSEWHERE, clean, plain_text, shorten
from hippocampus_cli.text.words import key, tellers, words
from hippocampus_cli.workspace.kinds import NoteKind, date_of

TOPIC_CHARACTERS = 70
_CONTENTS_CHARACTERS = TOPIC_CHARACTERS - len("2026-01-31: ")
_HEAD_CHARACTERS = 28
_LEAST_CLAUSE = 16
_NAME_CHARACTERS = 28
_DATE = r"(?:19|20)\d\d[-_./]?[01]\d(?:[-_./]?[0-3]\d)?(?:[-_T ]\d{2}:?\d{2}(?::?\d\d)?)?"
_TIME = r"\d{1,2}[:.]\d{2}(?::\d\d)?(?:\s?[ap]m)?(?:\s*(?:-|–|to)\s*\d{1,2}[:.]\d{2})?(?:\s?(?:UTC|Uhr|h))?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b"
_WHEN = rf"(?:{_DATE}|{_TIME})(?:\s+UTC)?"
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*[.)](?=\s)"
_ANY_DAY = rf"(?:{_WHEN}|{_WEEKDAY})"
_LEAD = re.compile(
    rf"\s*(?:[\[(]\s*{_ANY_DAY}\s*[\])]|{_WHEN}|{_NUMBER}|{_WEEKDAY}(?=\s*(?:[,:–—-]|$)))(?:[\s,:–—-]+|$)",
    re.I,
)
_TAIL = re.compile(
    rf"\s*[\[(]\s*{_ANY_DAY}\s*[\])]\s*$|(?:^|\s*[,:–—]\s*|\s-\s+){_ANY_DAY}\s*$", re.I
)
_CLAUSE = re.compile(r"[,(;:]| [–—-] ")
_ANY_DATE = re.compile(_DATE)
_TITLE_END = re.compile(r"\s+[–—|-]\s+|:\s+")
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
    day = passage.day.isoformat() if date_of(passage.note.path) else passage.note.path
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
    sentence = found[0].rstrip(".!?。！？ ")
    clause = _CLAUSE.split(sentence, maxsplit=1)[0].strip()
    long_enough = len(clause) >= _LEAST_CLAUSE and len(sentence) > _CONTENTS_CHARACTERS
    return shorten(clause if long_enough else sentence, _CONTENTS_CHARACTERS)


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


_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?")
_QUOTE = re.compile(r"(?:\s*>)+\s?")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$|\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$")
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?:\s+(?=[^\Wa-z_])|(?<=[。！？])(?=\S))")
_REMARK = re.compile(r"\s*(?:#|//|--|;|<!--|/\*)")
_SAYS = re.compile(r"[^\W_]{2}")  # a drawing or a bare bracket does not
_PROMPT = re.compile(r"^\s*(?:[$%>]\s+)")
_MOST_LINES = 400
_PARAGRAPH = 600


def sentences(passage: Passage) -> Iterator[str]:
    """Plain sentences in order. A code block gives its first command, a table the first cells of its rows."""
    for markdown, code in _pieces(passage):
        if code:
            yield " ".join(markdown.split())[:_PARAGRAPH]
            continue
        text = plain_text(markdown)
        if text:
            yield from (part for part in _SENTENCE.split(text) if part.strip())


def _pieces(passage: Passage) -> Iterator[tuple[str, bool]]:
    """``(markdown, is it code)`` of each paragraph, bullet, table and code block near the start."""
    paragraph: list[str] = []
    cells: list[str] = []
    in_code = False
    for at, (line, kind) in enumerate(passage.lines()):
        if at > _MOST_LINES:
            break
        if kind == Kind.CODE:
            yield from _flush(paragraph, cells)
            if is_fence(line):
                in_code = True
            elif in_code and _SAYS.search(line) and not _REMARK.match(line):
                yield _PROMPT.sub("", line), True
                in_code = False
            continue
        in_code = False
        bare = _QUOTE.sub("", line, count=1) if line.lstrip().startswith(">") else line
        if kind == Kind.HEADING or not bare.strip() or _RULE.match(bare):
            if kind == Kind.HEADING or not bare.strip():
                yield from _flush(paragraph, cells)
        elif bare.lstrip().startswith("|"):
            cells.append(bare)
        elif found := _BULLET.match(bare):
            yield from _flush(paragraph, cells)
            paragraph.append(bare[found.end() :])
        else:
            paragraph.append(bare)
    yield from _flush(paragraph, cells)


def _flush(paragraph: list[str], rows: list[str]) -> Iterator[tuple[str, bool]]:
    if paragraph:
        yield (
            "".join(line if len(line) < _PARAGRAPH else line[:_PARAGRAPH] for line in paragraph),
            False,
        )
        paragraph.clear()
    if rows:
        yield _table(rows), False
        rows.clear()


def _table(rows: list[str]) -> str:
    """The cells of one column and the heads of the columns: ``bittern, avocet (Name, Where, What)``."""
    split = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows[:40]]
    heads = ", ".join(cell for cell in split[0] if cell)
    for column in range(min(3, len(split[0]))):  # the first column of words; numbers tell little
        cells = [row[column] for row in split[1:] if len(row) > column and row[column]]
        if cells and sum(cell[0].isalpha() or cell[0] in "*`[~" for cell in cells) * 2 > len(cells):
            return f"{', '.join(cells)} ({heads})"
    return heads


SUMMARY_CHARACTERS = 110
_SCANT = 0.35
_ANNOUNCED = 100
_SHORT = 0.55  # a summary shorter than this share of its limit takes in the next sentence too
_MOST_SENTENCES = 60
_OF_A_LOG = 3  # sentences that a summary of a log is made of
_JSON_KEY = re.compile(r"\"([A-Za-z_][^\"\n]{1,39})\"\s*:")
_OTHER_KEY = re.compile(r"^\s*(?:- )?\[*([A-Za-z_][\w.-]*)(?:\s*[:=]|\])", re.M)
_LABEL = re.compile(
    r"(?:session (?:id|key)|source|date|time|channel|author|created|updated|last updated|status)\s*:",
    re.I,
)


_NO_VOCABULARY = Vocabulary()
_DECIDES = re.compile(
    r"\b(?:decided|agreed|now|from now on|moved|changed|switched|new|instead|no longer|never|always|must|will"
    r"|entschieden|vereinbart|ab|jetzt|neue?[rs]?|statt|nie|immer|nicht mehr|decidido|acordado|ahora|nuev[oa]s?"
    r"|ya no|décidé|désormais)\b|→|->|改|新|决定|不再|从",
    re.IGNORECASE,
)
_SAYS_VALUE = re.compile(r"\d|`[^`]+`|/\w")
_LENGTH_EASE = 3.0


def telling_sentences(passage: Passage, vocabulary: Vocabulary, topic: str, most: int) -> list[str]:
    """The sentences of a log that tell most beyond its topic, best first: rare words, what was decided, values.

    What a log says every day (the weather, *all fine*) has no rare words.
    """
    known = {key for _, key in tellers(topic)}
    scored: list[tuple[float, int, str]] = []
    for at, sentence in enumerate(islice(sentences(passage), _MOST_SENTENCES)):
        text = plain_line(sentence).rstrip(" ;,")
        fresh = {key for _, key in tellers(text)} - known
        said = text[:_LEAST_CLAUSE].casefold() in topic.casefold()
        if len(fresh) < 2 or said or _LABEL.match(text):
            continue
        score = sum(map(vocabulary.rarity, fresh)) / math.sqrt(len(fresh) + _LENGTH_EASE)
        score += 1.0 * bool(_DECIDES.search(text)) + 0.4 * bool(_SAYS_VALUE.search(text))
        scored.append((-score, at, text))
    return [text for _, _, text in sorted(scored)[:most]]


def summary_of(
    passage: Passage,
    topic: str,
    limit: int = SUMMARY_CHARACTERS,
    vocabulary: Vocabulary = _NO_VOCABULARY,
) -> str:
    """One plain line of at most ``limit`` characters; empty where the passage has no words at all.

    Of a log what tells most (by the words of the ``vocabulary``), of other notes how they begin.
    """
    if passage.kind is NoteKind.STATE:
        return shorten(filled(_of_data(passage), ELSEWHERE), limit)
    known = {key for _, key in tellers(topic)}
    told: Iterable[str] = sentences(passage)
    if passage.kind is NoteKind.DAILY and vocabulary.passages:
        told = telling_sentences(passage, vocabulary, topic, _OF_A_LOG) or told
    room = limit
    first = ""
    fallback = ""
    for at, sentence in enumerate(told):
        if at >= _MOST_SENTENCES or (len(first) >= room * _SHORT and first[-1] != ":"):
            break
        sentence = plain_line(sentence).rstrip(" ;,")
        if first:
            joined = f"{first} {sentence}" if first[-1] in ".!?:。！？" else f"{first}; {sentence}"
            if first[-1] == ":":  # what it announces, a command perhaps, is worth some room
                room = max(limit, _ANNOUNCED)
            elif len(joined) > limit and len(first) > limit * _SCANT:
                break
            first = joined
        elif _says_more(sentence, known):
            first = sentence
        else:
            fallback = fallback or sentence
    line = first or fallback
    return shorten(line.removesuffix(":"), room)


def _says_more(sentence: str, known: set[str]) -> bool:
    """Whether a sentence tells something that the topic does not, and is no label of a form."""
    if _LABEL.match(sentence):
        return False
    fresh = {key for _, key in tellers(sentence)} - known
    return len(fresh) >= 2 or (bool(fresh) and len(words(sentence)) >= 4)


def _of_data(passage: Passage) -> str:
    """The first keys of a data file, which are its table of contents."""
    text = passage.note.text[:4000].lstrip("\ufeff \t\r\n")
    pattern = _JSON_KEY if text[:1] in ("{", "[") else _OTHER_KEY
    keys = dict.fromkeys(clean(found[1]) for found in pattern.finditer(text))
    return f"Data: {', '.join(list(keys)[:12])}" if keys else "Data"
