"""What an entry says of its section beside the topic: one line of the facts that the heading does not tell (INDEX
§5.1).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from hippocampus_cli.entries.passages import Passage
from hippocampus_cli.entries.sentences import is_abbreviated, sentences
from hippocampus_cli.entries.vocabulary import Vocabulary
from hippocampus_cli.index.metadata import plain_line
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.text.plain_text import ELSEWHERE, clean, shorten
from hippocampus_cli.text.words import tellers, words
from hippocampus_cli.workspace.kinds import NoteKind, is_core

SUMMARY_CHARACTERS = 110
LEAST_CLAUSE = 16
"""Characters of a sentence that say what it is about."""
_SCANT = 0.35
_ANNOUNCED = 100
_SHORT = 0.55  # a summary shorter than this share of its limit takes in another sentence too
_MOST_SENTENCES = 60
_OF_A_LOG = 4  # sentences that a summary of a log is chosen from
_NO_CUT = 0.6  # of the limit: a line that is too long ends with a whole fact where it has that much
_FACT_END = re.compile(r"[.!?。！？;](?=\s)|(?= \()")
_JSON_KEY = re.compile(r"\"([A-Za-z_][^\"\n]{1,39})\"\s*:")
_OTHER_KEY = re.compile(r"^[ \t]*+(?:- )?\[*+([A-Za-z_][\w.-]*)(?:\s*[:=]|\])", re.M)
_LABEL = re.compile(
    r"(?:session (?:id|key)|source|date|time|channel|author|created|updated|last updated|status"
    r"|from|to|cc|bcc|sent|von|gesendet)\s*:",
    re.I,
)
_NO_VOCABULARY = Vocabulary()
_DECIDES = re.compile(
    r"\b(?:decided|decision|agreed|now|from now on|moved|changed|switched|new|instead|no longer|never|always|must"
    r"|will|entschieden|vereinbart|ab|jetzt|neue?[rs]?|statt|nie|immer|nicht mehr|decidido|acordado|ahora|nuev[oa]s?"
    r"|ya no|décidé|décision|désormais|besloten|besluit|voortaan|vanaf|nooit|altijd|niet meer"
    r"|(?:from|von|van|de) \S*\d\S* (?:to|auf|naar|à|a) \S*\d\S*)\b|→|->|改|新|决定|不再|从",
    re.IGNORECASE,
)
_SAYS_VALUE = re.compile(r"\d|`[^`]+`|/\w")
_LENGTH_EASE = 3.0


class Told(NamedTuple):
    """A sentence and its place in the passage."""

    at: int
    text: str


def telling_sentences(
    passage: Passage, vocabulary: Vocabulary, topic: str, most: int
) -> list[Told]:
    """The sentences of a log that tell most beyond its topic, best first: rare words, what was decided, values.

    What a log says every day (the weather, *all fine*) has no rare words, and is never there if anything else is.
    """
    known = {key for _, key in tellers(topic)}
    scored: list[tuple[bool, float, int, str]] = []
    for at, sentence in enumerate(islice(sentences(passage), _MOST_SENTENCES)):
        text = plain_line(sentence).rstrip(" ;,")
        fresh = {key for _, key in tellers(text)} - known
        said = text[:LEAST_CLAUSE].casefold() in topic.casefold()
        if len(fresh) < 2 or said or _LABEL.match(text):
            continue
        score = sum(map(vocabulary.rarity, fresh)) / math.sqrt(len(fresh) + _LENGTH_EASE)
        score += 1.6 * bool(_DECIDES.search(text)) + 0.8 * bool(_SAYS_VALUE.search(text))
        scored.append((vocabulary.is_routine(text), -score, at, text))
    scored.sort()
    return [Told(at, text) for routine, _, at, text in scored if routine == scored[0][0]][:most]


def summary_of(
    passage: Passage,
    topic: str,
    limit: int = SUMMARY_CHARACTERS,
    vocabulary: Vocabulary = _NO_VOCABULARY,
) -> str:
    """One plain line of at most ``limit`` characters; empty where the passage has no words at all.

    Of a log what tells most (by the words of the ``vocabulary``), of other notes how they begin; of a sentence with
    which the topic ends, the rest.
    """
    if passage.kind is NoteKind.STATE:
        return shorten(filled(_of_data(passage), ELSEWHERE), limit)
    line = ""
    if passage.kind is NoteKind.DAILY and vocabulary.passages:
        line = _of_log(passage, topic, limit, vocabulary)
    return line or _as_it_begins(passage, topic, limit, vocabulary)


def _as_it_begins(passage: Passage, topic: str, limit: int, vocabulary: Vocabulary) -> str:
    known = {key for _, key in tellers(topic)}
    if is_core(passage.note.path):  # whose words count even where every log repeats them
        vocabulary = _NO_VOCABULARY
    line = _joined(_worth(sentences(passage), known, vocabulary), limit)
    return line or _ended(plain_line(next(sentences(passage), "")), limit)


def _of_log(passage: Passage, topic: str, limit: int, vocabulary: Vocabulary) -> str:
    """What tells most in a log, in the order in which it is there, after the rest of what the topic tells."""
    room = limit
    chosen: list[Told] = []
    for told in (*_rest(passage, topic), *telling_sentences(passage, vocabulary, topic, _OF_A_LOG)):
        if not chosen or len(told.text) + 2 <= room:
            chosen.append(told)
            room -= len(told.text) + 2
    return _joined((one.text for one in sorted(chosen)), limit, 1.0)


def _rest(passage: Passage, topic: str) -> Iterator[Told]:
    """What follows in the sentence that the topic begins to tell."""
    begun = topic.partition(": ")[2].rstrip("…").casefold()
    if len(begun) < LEAST_CLAUSE:
        return
    for sentence in islice(sentences(passage), _MOST_SENTENCES):
        text = plain_line(sentence)
        if text.casefold().startswith(begun) and (rest := text[len(begun) :].strip(" ,;:–—-.")):
            yield Told(-1, rest)
            return


def _worth(told: Iterable[str], known: set[str], vocabulary: Vocabulary) -> Iterator[str]:
    """The sentences from the first that says more than the topic, those that are routine after all others."""
    routine = []
    begun = False
    for sentence in islice(told, _MOST_SENTENCES):
        text = plain_line(sentence).rstrip(" ;,")
        begun = begun or _says_more(text, known)
        if begun and vocabulary.is_routine(text):
            routine.append(text)
        elif begun:
            yield text
    yield from routine


def _joined(told: Iterable[str], limit: int, enough: float = _SHORT) -> str:
    """The first sentence, and those after it that there is room for, until the line is long ``enough``."""
    line = ""
    room = limit
    for text in told:
        if len(line) >= room * enough and line[-1] != ":":
            break
        if not line:
            line = text
            continue
        joined = f"{line} {text}" if line[-1] in ".!?:。！？" else f"{line}; {text}"
        if line[-1] == ":":  # what it announces, a command perhaps, is worth some room
            room = max(limit, _ANNOUNCED)
            line = joined
        elif len(joined) <= limit or len(line) <= limit * _SCANT:
            line = joined
    return _ended(line, room)


def _ended(line: str, limit: int) -> str:
    """``line`` within its limit: cut after a whole fact if enough is left, else at a word."""
    line = line.removesuffix(":")
    if len(line) <= limit:
        return line
    facts = (line[: found.end()] for found in _FACT_END.finditer(line[:limit]))
    whole = [one for one in facts if not is_abbreviated(one) and one.count("(") == one.count(")")]
    if whole and len(whole[-1]) >= limit * _NO_CUT:
        return whole[-1].rstrip(" ;")
    return shorten(line, limit)


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
