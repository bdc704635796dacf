"""The summary of an entry: one line that says what the heading does not (INDEX §5.1)."""

from __future__ import annotations

import re

from hippocampus_cli.drafting.passage import Passage
from hippocampus_cli.drafting.plain import ELSEWHERE, clean, shorten
from hippocampus_cli.drafting.speech import sentences
from hippocampus_cli.drafting.words import tellers, words
from hippocampus_cli.index.fields import plain_line
from hippocampus_cli.redaction.redactor import filled
from hippocampus_cli.workspace.kinds import NoteKind

SUMMARY_CHARACTERS = 110
_SCANT = 0.35
_ANNOUNCED = 100
_SHORT = 0.55  # a summary shorter than this share of its limit takes in the next sentence too
_MOST_SENTENCES = 60
_JSON_KEY = re.compile(r"\"([A-Za-z_][^\"\n]{1,39})\"\s*:")
_OTHER_KEY = re.compile(r"^\s*(?:- )?\[*([A-Za-z_][\w.-]*)(?:\s*[:=]|\])", re.M)
_LABEL = re.compile(
    r"(?:session (?:id|key)|source|date|time|channel|author|created|updated|last updated|status)\s*:",
    re.I,
)


def summary_of(passage: Passage, topic: str, limit: int = SUMMARY_CHARACTERS) -> str:
    """One plain line of at most ``limit`` characters; empty where the passage has no words at all."""
    if passage.kind is NoteKind.STATE:
        return shorten(filled(_of_data(passage), ELSEWHERE), limit)
    known = {key for _, key in tellers(topic)}
    room = limit
    first = ""
    fallback = ""
    for at, sentence in enumerate(sentences(passage)):
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
